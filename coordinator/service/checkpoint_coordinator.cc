// look() is called whenever something has happened or a time has come: it gives up what takes too long, begins what is
// due, and sets the next timer. Everything that comes back from the disk carries the serial of its attempt; what comes
// back to a later one is dropped, and its files are removed.
#include "coordinator/service/checkpoint_coordinator.h"

#include <algorithm>

#include "common/base/failpoint.h"
#include "common/checkpoint/checkpoint_folder.h"
#include "common/checkpoint/checkpoint_writer.h"
#include "common/log/log.h"
#include "common/process/daemon.h"
#include "common/rpc/job_messages.h"
#include "common/time/clock.h"
#include "thalweg/v1/control.pb.h"

namespace thalweg::coordinator {
namespace {

constexpr const char* kLog = "coordinator.service";
constexpr size_t kRecordsKept = 10;
/// It travels to every process in one message.
constexpr size_t kManifestBytesMax = size_t{48} << 20;

int64_t wallMillis() { return SystemClock().nowMillis(); }

Result<std::string> writeIt(FileSystem& files, const std::string& folder, CheckpointManifest manifest) {
  ASSIGN_OR_RETURN(const auto writer, CheckpointWriter::create(files, folder));
  RETURN_IF_ERROR(writer->finish(manifest));
  RETURN_IF_ERROR(THALWEG_FAILPOINT("checkpoint.complete"));
  return encodeManifest(manifest);
}

}  // namespace

CheckpointCoordinator::CheckpointCoordinator(CheckpointPlace place, EventLoop& loop, EventLoop& disk, FileSystem& files, CheckpointHost& host)
    : place_(std::move(place)), loop_(loop), disk_(disk), files_(files), host_(host), schedule_(place_.settings, 1, {}, 0) {}

std::string CheckpointCoordinator::jobFolder() const { return joinPath(place_.settings.folder, place_.job_id); }

void CheckpointCoordinator::beginAttempt(std::vector<int> process_of_subtask) {
  process_of_subtask_ = std::move(process_of_subtask);
  std::vector<int64_t> retained;
  for (const auto& [id, folder] : folders_) retained.push_back(id);
  schedule_ = CheckpointSchedule(place_.settings, next_id_, std::move(retained), steadyMillis());
  running_ = true;
  ending_ = false;
  ++serial_;
  if (!restored_manifest_.empty()) ++restored_;
  look();
}

void CheckpointCoordinator::endAttempt() {
  if (!running_) return;
  running_ = false;
  ++serial_;
  const Status reason = Status::cancelled("the attempt ended before it was complete");
  if (pending_) {
    if (!records_.empty()) close(records_.front(), "FAILED", reason.message());
    if (!storing_) remove(pending_folder_);
  }
  pending_.reset();
  storing_ = false;
  if (!savepoint_ || !savepoint_->begun) return;
  if (savepoint_->stopping_with.empty()) return answerSavepoint(reason);
  answerSavepoint(Status::runtime("the savepoint " + savepoint_->stopping_with + " is complete, but the job failed before it had stopped"));
}

void CheckpointCoordinator::onAllFinished() {
  ending_ = true;
  look();
}

std::optional<int64_t> CheckpointCoordinator::beginDue(int64_t now_ms) {
  const bool stopping = savepoint_ && !savepoint_->stopping_with.empty();
  if (!running_ || stopping || schedule_.isRunning()) return std::nullopt;
  if (savepoint_ && !savepoint_->begun) {
    purpose_ = Purpose::SAVEPOINT;
    savepoint_->begun = true;
    return schedule_.beginNow(now_ms, true);
  }
  if (ending_) {
    const bool failed_before = purpose_ == Purpose::END && schedule_.wakeupTime() > now_ms;
    if (failed_before) return std::nullopt;        // again in time
    purpose_ = Purpose::END;
    return schedule_.beginNow(now_ms);
  }
  const auto id = schedule_.begin(now_ms);
  if (id) purpose_ = Purpose::PERIODIC;
  return id;
}

void CheckpointCoordinator::look() {
  if (!running_) return;
  const int64_t now_ms = steadyMillis();
  if (const auto expired = schedule_.expired(now_ms); expired && !storing_) {
    v1::TaskCommand command;
    command.set_abandon_checkpoint(*expired);
    host_.sendToAll(command);
    return onFailed(*expired, Status::runtime("it took longer than " + std::to_string(place_.settings.timeout_ms) + " ms ('execution.checkpointing.timeout')"));
  }
  if (const auto due = beginDue(now_ms)) trigger(*due);
  if (!storing_) wakeAt(schedule_.wakeupTime());
}

void CheckpointCoordinator::wakeAt(int64_t time_ms) {
  if (time_ms == INT64_MAX) return;
  loop_.postAfter(std::max<int64_t>(0, time_ms - steadyMillis()), [weak = weak_from_this(), serial = serial_] {
    const auto self = weak.lock();
    if (self && self->serial_ == serial) self->look();
  });
}

void CheckpointCoordinator::trigger(int64_t id) {
  next_id_ = id + 1;
  ++triggered_;
  CheckpointManifest head;
  head.checkpoint_id = id;
  head.time_ms = wallMillis();
  head.is_savepoint = purpose_ == Purpose::SAVEPOINT;
  head.job_id = place_.job_id;
  head.job_name = place_.job_name;
  head.started_from = place_.settings.restore_path;
  head.engine = std::string("thalweg ") + THALWEG_VERSION;
  pending_.emplace(head, process_of_subtask_);
  pending_folder_ = head.is_savepoint ? savepoint_->folder : joinPath(jobFolder(), checkpointFolderName(id));
  records_.push_front({id, purpose_, head.time_ms, 0, 0, "IN_PROGRESS", pending_folder_, {}});
  if (records_.size() > kRecordsKept) records_.pop_back();
  v1::TaskCommand command;
  v1::TriggerCheckpoint& trigger = *command.mutable_trigger_checkpoint();
  trigger.set_checkpoint(id);
  if (head.is_savepoint || !place_.with_coordinator) trigger.set_folder(pending_folder_);
  trigger.set_hold(head.is_savepoint && savepoint_->stop);
  host_.sendToAll(command);
}

void CheckpointCoordinator::onPart(int process, const v1::CheckpointPart& part) {
  if (!pending_ || storing_ || part.checkpoint() != pending_->id()) return;      // given up meanwhile
  const int64_t id = pending_->id();
  Status status = rpc::statusOf(part.failure());
  if (status.isOk()) {
    Result<CheckpointManifest> manifest = decodeManifest(part.manifest());
    status = manifest.isOk() ? pending_->add(process, *std::move(manifest)) : manifest.status();
  }
  if (!status.isOk()) {
    v1::TaskCommand command;
    command.set_abandon_checkpoint(id);
    host_.sendToAll(command);
    return onFailed(id, status);
  }
  if (pending_->isComplete()) writeManifest();
}

void CheckpointCoordinator::writeManifest() {
  storing_ = true;
  const int64_t id = pending_->id();
  CheckpointManifest manifest = pending_->take();
  const auto nameOf = [&](const std::string& uid) {
    const auto found = place_.operator_names.find(uid);
    return found == place_.operator_names.end() ? uid : found->second;
  };
  for (auto& each : manifest.operators) each.name = nameOf(each.uid);
  for (auto& each : manifest.tasks) each.name = nameOf(each.uid);
  records_.front().size_bytes = manifest.sizeBytes();
  disk_.post([weak = weak_from_this(), &files = files_, &loop = loop_, id, serial = serial_, folder = pending_folder_, manifest = std::move(manifest)] {
    Result<std::string> bytes = writeIt(files, folder, manifest);
    if (bytes.isOk() && bytes->size() > kManifestBytesMax) {
      bytes = Status::exhausted("its manifest has " + std::to_string(bytes->size()) + " bytes, the limit is " + std::to_string(kManifestBytesMax) +
                                "; set 'execution.checkpointing.dir' to a folder that all workers share");
    }
    loop.post([weak, id, serial, folder, bytes = std::move(bytes)] {
      const auto self = weak.lock();
      if (!self) return;
      if (self->serial_ != serial) return self->remove(folder);
      if (bytes.isOk()) self->onStored(id, *bytes);
      else self->onFailed(id, bytes.status());
    });
  });
}

void CheckpointCoordinator::onStored(int64_t id, const std::string& manifest_bytes) {
  const bool stop = purpose_ == Purpose::SAVEPOINT && savepoint_->stop;
  storing_ = false;
  const std::vector<int64_t> superfluous = schedule_.onCompleted(id, steadyMillis());
  pending_.reset();
  std::vector<std::string> old_folders;
  if (purpose_ != Purpose::SAVEPOINT || stop) {
    restored_manifest_ = manifest_bytes;
    restored_folder_ = pending_folder_;
  }
  if (purpose_ != Purpose::SAVEPOINT) folders_[id] = pending_folder_;
  for (const int64_t old : superfluous) {
    old_folders.push_back(folders_[old]);
    folders_.erase(old);
  }
  const Status status = THALWEG_MUTANT("pointer_not_kept") ? Status() : host_.keepPointers();
  if (!status.isOk()) return host_.failAttempt(status.withContext("keeping the pointer to checkpoint " + std::to_string(id)));
  const Status passed = THALWEG_FAILPOINT("checkpoint.pointer_kept");
  if (!passed.isOk()) return host_.failAttempt(passed);
  ++completed_;
  close(records_.front(), "COMPLETED", {});
  LOG_INFO(kLog, "a checkpoint is complete", {"job", place_.job_id}, {"checkpoint", id}, {"folder", pending_folder_});
  // A savepoint that the job outlives commits nothing: what restores from it may be another job.
  v1::TaskCommand command;
  if (stop) command.set_stop_with_checkpoint(id);
  else if (purpose_ != Purpose::SAVEPOINT) command.set_confirm_checkpoint(id);
  if (stop || purpose_ != Purpose::SAVEPOINT) host_.sendToAll(command);
  for (const std::string& folder : old_folders) remove(folder);
  if (stop) savepoint_->stopping_with = pending_folder_;
  else if (purpose_ == Purpose::SAVEPOINT) answerSavepoint(pending_folder_);
  if (purpose_ == Purpose::END) return host_.onEndStored();
  if (!stop) look();
}

void CheckpointCoordinator::onFailed(int64_t id, const Status& reason) {
  storing_ = false;
  pending_.reset();
  ++failed_;
  close(records_.front(), "FAILED", reason.message());
  LOG_WARN(kLog, "a checkpoint failed", {"job", place_.job_id}, {"checkpoint", id}, {"error", reason});
  remove(pending_folder_);
  const bool held = purpose_ == Purpose::SAVEPOINT && savepoint_->stop;
  Status fatal = schedule_.onFailed(id, reason, steadyMillis());
  if (purpose_ == Purpose::SAVEPOINT) answerSavepoint(reason);
  // The attempt is ending, and says itself why.
  if (reason.code() == StatusCode::CANCELLED) return;
  // Sources that were told to stand still do not go on again.
  if (held) fatal = reason.withContext("the savepoint to stop with failed");
  if (!fatal.isOk()) return host_.failAttempt(fatal);
  look();
}

void CheckpointCoordinator::savepoint(const std::string& folder, bool stop, SavepointDone done) {
  if (savepoint_) return done(Status::invalid("another savepoint of this job is still running"));
  const Result<std::string> target = newSavepointFolder(folder);
  if (!target.isOk()) return done(target.status());
  if (!running_ || ending_) return done(Status::invalid("a savepoint can be taken while the job is RUNNING and has not finished"));
  savepoint_ = Savepoint{.folder = *target, .stop = stop, .done = std::move(done)};
  look();
}

Result<std::string> CheckpointCoordinator::newSavepointFolder(const std::string& folder) const {
  const std::string& target = folder.empty() ? place_.settings.savepoint_folder : folder;
  if (target.empty()) return Status::invalid("expected a folder for the savepoint: name one, or set 'execution.checkpointing.savepoint-dir'");
  ASSIGN_OR_RETURN(const std::string path, pathOfUrl(target));
  if (!path.starts_with('/')) return Status::invalid("expected an absolute path for the savepoint, found '" + path + "'");
  return joinPath(path, "savepoint-" + place_.job_id.substr(0, 6) + "-" + randomHex(6));
}

void CheckpointCoordinator::answerSavepoint(const Result<std::string>& result) {
  const Result<std::string> answer = result;      // may be part of what is given up here
  const SavepointDone done = std::move(savepoint_->done);
  savepoint_.reset();
  done(answer);
}

void CheckpointCoordinator::remove(const std::string& folder) {
  disk_.post([&files = files_, folder] {
    const Status status = removeCheckpoint(files, folder);
    if (!status.isOk()) LOG_WARN(kLog, "a checkpoint cannot be removed", {"folder", folder}, {"error", status});
  });
}

void CheckpointCoordinator::onJobEnd(JobEnd end) {
  const bool well = end == JobEnd::FINISHED || end == JobEnd::STOPPED;
  if (well && savepoint_ && !savepoint_->stopping_with.empty()) answerSavepoint(savepoint_->stopping_with);
  endAttempt();
  if (savepoint_) answerSavepoint(Status::cancelled("the job has ended"));
  if (place_.settings.keepsAfter(end) || place_.settings.folder.empty()) return;
  for (const auto& [id, folder] : folders_) remove(folder);
  folders_.clear();
  disk_.post([&files = files_, folder = jobFolder()] { (void)files.remove(folder); });     // only if nothing is in it
}

void CheckpointCoordinator::close(Record& record, const std::string& status, const std::string& failure) {
  record.status = status;
  record.failure = failure;
  record.duration_ms = wallMillis() - record.trigger_ms;
}

}  // namespace thalweg::coordinator
