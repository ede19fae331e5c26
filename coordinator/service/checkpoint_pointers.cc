// The part of CheckpointCoordinator that outlives a coordinator: what is stored of a job's checkpoints, and found again.
#include <algorithm>

#include "common/checkpoint/checkpoint_folder.h"
#include "common/checkpoint/checkpoint_reader.h"
#include "common/log/log.h"
#include "coordinator/service/checkpoint_coordinator.h"
#include "thalweg/v1/job.pb.h"
#include "thalweg/v1/store.pb.h"

namespace thalweg::coordinator {

Status CheckpointCoordinator::restore(const v1::StoredJob* stored) {
  if (stored != nullptr) RETURN_IF_ERROR(readStored(*stored));
  if (restored_manifest_.empty() && !place_.settings.restore_path.empty()) return startFrom(place_.settings.restore_path);
  return {};
}

Status CheckpointCoordinator::startFrom(const std::string& path) {
  ASSIGN_OR_RETURN(const CheckpointReader reader, CheckpointReader::open(files_, path));
  restored_manifest_ = encodeManifest(reader.manifest());
  restored_folder_ = reader.folder();
  next_id_ = std::max(next_id_, reader.manifest().checkpoint_id + 1);
  return {};
}

/// The newest that can be read; the pointers say which are complete.
Status CheckpointCoordinator::readStored(const v1::StoredJob& stored) {
  next_id_ = std::max<int64_t>(1, stored.next_checkpoint());
  for (const auto& each : stored.retained()) folders_[each.id()] = each.folder();
  RETURN_IF_ERROR(cleanJobFolder());
  if (stored.restore_from().empty()) return {};
  Status status = startFrom(stored.restore_from());
  for (auto each = folders_.rbegin(); each != folders_.rend() && !status.isOk(); ++each) {
    LOG_WARN("coordinator.service", "a checkpoint cannot be read; an older one is tried", {"job", place_.job_id}, {"error", status});
    if (each->second != stored.restore_from()) status = startFrom(each->second);
  }
  return status;
}

/// What was begun and never became a checkpoint goes; its ids are not used again.
Status CheckpointCoordinator::cleanJobFolder() {
  if (place_.settings.folder.empty()) return {};
  const auto entries = files_.list(jobFolder());
  if (!entries.isOk()) return entries.status().code() == StatusCode::NOT_FOUND ? Status() : entries.status();
  for (const FileInfo& entry : *entries) {
    const std::string name(fileNameOf(entry.path));
    if (!entry.is_folder || !name.starts_with("chk-")) continue;
    const int64_t id = std::strtoll(name.c_str() + 4, nullptr, 10);
    next_id_ = std::max(next_id_, id + 1);
    if (!folders_.contains(id)) RETURN_IF_ERROR(removeCheckpoint(files_, entry.path));
  }
  return {};
}

void CheckpointCoordinator::store(v1::StoredJob& stored) const {
  stored.set_next_checkpoint(next_id_);
  stored.set_restore_from(restored_folder_);
  stored.clear_retained();
  for (const auto& [id, folder] : folders_) {
    v1::StoredCheckpoint& checkpoint = *stored.add_retained();
    checkpoint.set_id(id);
    checkpoint.set_folder(folder);
  }
}

void CheckpointCoordinator::describe(v1::CheckpointStatistics& statistics) const {
  statistics.set_triggered(triggered_);
  statistics.set_completed(completed_);
  statistics.set_failed(failed_);
  statistics.set_restored(restored_);
  statistics.set_restored_from(restored_folder_);
  for (const Record& record : records_) {
    v1::CheckpointInfo& info = *statistics.add_history();
    info.set_id(record.id);
    info.set_trigger_ms(record.trigger_ms);
    info.set_duration_ms(record.duration_ms);
    info.set_size_bytes(record.size_bytes);
    info.set_status(record.status);
    info.set_is_savepoint(record.purpose == Purpose::SAVEPOINT);
    info.set_path(record.path);
    info.set_failure(record.failure);
  }
}

}  // namespace thalweg::coordinator
