#include "client/embedded/snapshot_files.h"

#include "common/checkpoint/checkpoint_reader.h"
#include "common/checkpoint/checkpoint_writer.h"

namespace thalweg::client {

namespace {

using worker::JobSnapshot;
using worker::OperatorSnapshot;

constexpr const char* kEngine = "thalweg 0.1.0";

std::string nameOf(const SnapshotLabel& label, const std::string& uid) {
  const auto found = label.operator_names.find(uid);
  return found == label.operator_names.end() ? uid : found->second;
}

Result<CheckpointManifest::Task> storeTask(CheckpointWriter& writer, const JobSnapshot::Task& task) {
  CheckpointManifest::Task stored;
  ASSIGN_OR_RETURN(stored.enumerator, writer.add(task.enumerator));
  for (size_t i = 0; i < task.finished.size(); ++i) stored.parts.push_back({task.finished[i], task.sent_watermarks[i], task.splits[i]});
  return stored;
}

Result<CheckpointManifest::Operator> storeOperator(CheckpointWriter& writer, const std::vector<OperatorSnapshot>& parts) {
  CheckpointManifest::Operator stored;
  for (const OperatorSnapshot& part : parts) {
    CheckpointManifest::OperatorPart& target = stored.parts.emplace_back();
    ASSIGN_OR_RETURN(target.keyed, writer.add(part.keyed));
    ASSIGN_OR_RETURN(target.own, writer.add(part.own));
    target.watermark = part.watermark;
  }
  return stored;
}

Result<std::vector<OperatorSnapshot>> loadOperator(CheckpointReader& reader, const CheckpointManifest::Operator& stored) {
  std::vector<OperatorSnapshot> parts;
  for (const auto& part : stored.parts) {
    OperatorSnapshot& target = parts.emplace_back();
    ASSIGN_OR_RETURN(target.keyed, reader.read(part.keyed));
    ASSIGN_OR_RETURN(target.own, reader.read(part.own));
    target.watermark = part.watermark;
  }
  return parts;
}

Result<JobSnapshot::Task> loadTask(CheckpointReader& reader, const CheckpointManifest::Task& stored) {
  JobSnapshot::Task task;
  ASSIGN_OR_RETURN(task.enumerator, reader.read(stored.enumerator));
  for (const auto& part : stored.parts) {
    task.finished.push_back(part.finished);
    task.splits.push_back(part.splits);
    task.sent_watermarks.push_back(part.sent_watermark);
  }
  return task;
}

}  // namespace

Status storeSnapshot(FileSystem& files, const std::string& folder, const JobSnapshot& snapshot, const SnapshotLabel& label) {
  ASSIGN_OR_RETURN(const auto writer, CheckpointWriter::create(files, folder));
  CheckpointManifest manifest;
  manifest.checkpoint_id = snapshot.id;
  manifest.time_ms = label.time_ms;
  manifest.is_savepoint = label.is_savepoint;
  manifest.job_id = label.job_id;
  manifest.job_name = label.job_name;
  manifest.started_from = label.started_from;
  manifest.engine = kEngine;
  manifest.max_parallelism = snapshot.max_parallelism;
  for (const auto& [uid, task] : snapshot.tasks) {
    ASSIGN_OR_RETURN(CheckpointManifest::Task stored, storeTask(*writer, task));
    stored.uid = uid;
    stored.name = nameOf(label, uid);
    manifest.tasks.push_back(std::move(stored));
  }
  for (const auto& [uid, parts] : snapshot.operators) {
    ASSIGN_OR_RETURN(CheckpointManifest::Operator stored, storeOperator(*writer, parts));
    stored.uid = uid;
    stored.name = nameOf(label, uid);
    manifest.operators.push_back(std::move(stored));
  }
  return writer->finish(manifest);
}

Result<LoadedSnapshot> loadSnapshot(FileSystem& files, const std::string& path) {
  ASSIGN_OR_RETURN(CheckpointReader reader, CheckpointReader::open(files, path));
  const CheckpointManifest& manifest = reader.manifest();
  LoadedSnapshot loaded;
  loaded.started_from = manifest.started_from;
  loaded.snapshot.id = manifest.checkpoint_id;
  loaded.snapshot.max_parallelism = static_cast<int>(manifest.max_parallelism);
  for (const auto& stored : manifest.tasks) {
    ASSIGN_OR_RETURN(loaded.snapshot.tasks[stored.uid], loadTask(reader, stored));
  }
  for (const auto& stored : manifest.operators) {
    ASSIGN_OR_RETURN(loaded.snapshot.operators[stored.uid], loadOperator(reader, stored));
  }
  return loaded;
}

}  // namespace thalweg::client
