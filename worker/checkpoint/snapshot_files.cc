#include "worker/checkpoint/snapshot_files.h"

#include <map>

#include "common/base/failpoint.h"
#include "common/checkpoint/checkpoint_reader.h"
#include "common/checkpoint/checkpoint_writer.h"

namespace thalweg::worker {

namespace {

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

/// The files of runs that this checkpoint has already, by run.
using StoredRuns = std::map<const StateRun*, int64_t>;

Status storeKeyed(FileSystem& files, CheckpointWriter& writer, const KeyedSnapshot& keyed, int max_parallelism, StoredRuns& stored,
                  CheckpointManifest& manifest, CheckpointManifest::OperatorPart& target) {
  if (!writer.hasFolder()) {
    ASSIGN_OR_RETURN(const std::string bytes, withoutRuns(keyed, static_cast<uint32_t>(max_parallelism)));
    ASSIGN_OR_RETURN(target.keyed, writer.add(bytes));
    return {};
  }
  ASSIGN_OR_RETURN(target.keyed, writer.add(keyed.bytes));
  for (const auto& run : keyed.runs) {
    const auto [place, is_new] = stored.emplace(run.get(), static_cast<int64_t>(manifest.files.size()));
    if (is_new) {
      RETURN_IF_ERROR(THALWEG_FAILPOINT("checkpoint.before_run"));
      const CheckpointWriter::NewFile file = writer.newFile();
      RETURN_IF_ERROR(run->storeAs(files, file.path, !THALWEG_MUTANT("run_not_synced")));
      manifest.files.push_back({file.name, run->sizeBytes()});
    }
    target.runs.push_back(place->second);
  }
  return {};
}

Result<CheckpointManifest::Operator> storeOperator(FileSystem& files, CheckpointWriter& writer, const std::vector<OperatorSnapshot>& parts,
                                                   int max_parallelism, StoredRuns& runs, CheckpointManifest& manifest) {
  CheckpointManifest::Operator stored;
  for (const OperatorSnapshot& part : parts) {
    CheckpointManifest::OperatorPart& target = stored.parts.emplace_back();
    RETURN_IF_ERROR(storeKeyed(files, writer, part.keyed, max_parallelism, runs, manifest, target));
    ASSIGN_OR_RETURN(target.own, writer.add(part.own));
    target.watermark = part.watermark;
  }
  return stored;
}

Result<std::vector<OperatorSnapshot>> loadOperator(CheckpointReader& reader, const CheckpointManifest::Operator& stored, const PartFilter& wanted) {
  std::vector<OperatorSnapshot> parts(stored.parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i].watermark = stored.parts[i].watermark;
    if (!wanted(stored.uid, i, parts.size())) continue;
    ASSIGN_OR_RETURN(parts[i].keyed, loadKeyed(reader, stored.parts[i]));
    ASSIGN_OR_RETURN(parts[i].own, reader.read(stored.parts[i].own));
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

/// Tasks and operators with their state, under their uids.
Status storeState(FileSystem& files, CheckpointWriter& writer, const JobSnapshot& snapshot, CheckpointManifest& manifest) {
  StoredRuns runs;
  manifest.checkpoint_id = snapshot.id;
  manifest.max_parallelism = snapshot.max_parallelism;
  for (const auto& [uid, task] : snapshot.tasks) {
    ASSIGN_OR_RETURN(CheckpointManifest::Task stored, storeTask(writer, task));
    stored.uid = uid;
    manifest.tasks.push_back(std::move(stored));
  }
  for (const auto& [uid, parts] : snapshot.operators) {
    ASSIGN_OR_RETURN(CheckpointManifest::Operator stored, storeOperator(files, writer, parts, snapshot.max_parallelism, runs, manifest));
    stored.uid = uid;
    if (const auto computed = snapshot.computed_inputs.find(uid); computed != snapshot.computed_inputs.end()) stored.computed_inputs = computed->second;
    manifest.operators.push_back(std::move(stored));
  }
  return {};
}

Result<JobSnapshot> loadState(CheckpointReader& reader, const PartFilter& wanted) {
  const CheckpointManifest& manifest = reader.manifest();
  JobSnapshot snapshot;
  snapshot.id = manifest.checkpoint_id;
  snapshot.max_parallelism = static_cast<int>(manifest.max_parallelism);
  for (const auto& stored : manifest.tasks) {
    ASSIGN_OR_RETURN(snapshot.tasks[stored.uid], loadTask(reader, stored));
  }
  for (const auto& stored : manifest.operators) {
    ASSIGN_OR_RETURN(snapshot.operators[stored.uid], loadOperator(reader, stored, wanted));
    if (stored.computed_inputs) snapshot.computed_inputs[stored.uid] = *stored.computed_inputs;
  }
  return snapshot;
}

}  // namespace

Result<KeyedSnapshot> loadKeyed(CheckpointReader& reader, const CheckpointManifest::OperatorPart& part) {
  KeyedSnapshot keyed;
  ASSIGN_OR_RETURN(keyed.bytes, reader.read(part.keyed));
  for (const int64_t file : part.runs) {
    ASSIGN_OR_RETURN(const std::string path, reader.pathOfWhole(file));
    ASSIGN_OR_RETURN(std::shared_ptr<const StateRun> run, StateRun::open(reader.files(), path));
    RETURN_IF_ERROR(run->verify());
    keyed.runs.push_back(std::move(run));
  }
  return keyed;
}

Status storeSnapshot(FileSystem& files, const std::string& folder, const JobSnapshot& snapshot, const SnapshotLabel& label) {
  ASSIGN_OR_RETURN(const auto writer, CheckpointWriter::create(files, folder));
  CheckpointManifest manifest;
  manifest.time_ms = label.time_ms;
  manifest.is_savepoint = label.is_savepoint;
  manifest.job_id = label.job_id;
  manifest.job_name = label.job_name;
  manifest.started_from = label.started_from;
  manifest.engine = kEngine;
  RETURN_IF_ERROR(storeState(files, *writer, snapshot, manifest));
  for (auto& task : manifest.tasks) task.name = nameOf(label, task.uid);
  for (auto& each : manifest.operators) each.name = nameOf(label, each.uid);
  return writer->finish(manifest);
}

Result<CheckpointManifest> storePart(FileSystem& files, const std::string& folder, const std::string& data_name, const JobSnapshot& snapshot) {
  ASSIGN_OR_RETURN(const auto writer, CheckpointWriter::createPart(files, folder, data_name));
  CheckpointManifest manifest;
  RETURN_IF_ERROR(storeState(files, *writer, snapshot, manifest));
  RETURN_IF_ERROR(writer->seal(manifest));
  return manifest;
}

Result<LoadedSnapshot> loadSnapshot(FileSystem& files, const std::string& path) {
  ASSIGN_OR_RETURN(CheckpointReader reader, CheckpointReader::open(files, path));
  ASSIGN_OR_RETURN(JobSnapshot snapshot, loadState(reader, [](const std::string&, size_t, size_t) { return true; }));
  return LoadedSnapshot{std::move(snapshot), reader.manifest().started_from};
}

Result<JobSnapshot> loadSnapshot(FileSystem& files, const std::string& folder, CheckpointManifest manifest, const PartFilter& wanted) {
  CheckpointReader reader = CheckpointReader::of(files, folder, std::move(manifest));
  return loadState(reader, wanted);
}

}  // namespace thalweg::worker
