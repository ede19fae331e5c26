#include "coordinator/checkpoint/pending_checkpoint.h"

#include <algorithm>

namespace thalweg::coordinator {
namespace {

StoredBytes shifted(StoredBytes stored, int64_t files_before) {
  if (stored.file != StoredBytes::kInline) stored.file += files_before;
  return stored;
}

Status otherShape(const std::string& what) { return Status::invalid("a process stored a checkpoint of another job: " + what); }

}  // namespace

PendingCheckpoint::PendingCheckpoint(CheckpointManifest head, std::vector<int> process_of_subtask)
    : manifest_(std::move(head)), process_of_subtask_(std::move(process_of_subtask)) {
  const int processes = *std::max_element(process_of_subtask_.begin(), process_of_subtask_.end()) + 1;
  answered_.resize(static_cast<size_t>(processes));
  missing_ = answered_.size();
}

Status PendingCheckpoint::checkShape(const CheckpointManifest& part) const {
  for (const auto& op : part.operators) {
    if (op.parts.size() > process_of_subtask_.size()) return otherShape("operator '" + op.uid + "' has " + std::to_string(op.parts.size()) + " subtasks");
  }
  for (const auto& task : part.tasks) {
    if (task.parts.size() > process_of_subtask_.size()) return otherShape("task '" + task.uid + "' has " + std::to_string(task.parts.size()) + " subtasks");
  }
  if (missing_ == answered_.size()) return {};
  if (part.operators.size() != manifest_.operators.size() || part.tasks.size() != manifest_.tasks.size()) return otherShape("it has other operators");
  for (size_t i = 0; i < part.operators.size(); ++i) {
    const auto& mine = manifest_.operators[i];
    if (part.operators[i].uid != mine.uid || part.operators[i].parts.size() != mine.parts.size()) return otherShape("operator '" + part.operators[i].uid + "'");
  }
  for (size_t i = 0; i < part.tasks.size(); ++i) {
    const auto& mine = manifest_.tasks[i];
    if (part.tasks[i].uid != mine.uid || part.tasks[i].parts.size() != mine.parts.size()) return otherShape("task '" + part.tasks[i].uid + "'");
  }
  return {};
}

Status PendingCheckpoint::add(int process, CheckpointManifest part) {
  if (process < 0 || static_cast<size_t>(process) >= answered_.size()) return otherShape("no process " + std::to_string(process));
  if (answered_[static_cast<size_t>(process)]) return Status::invalid("process " + std::to_string(process) + " has stored its part before");
  RETURN_IF_ERROR(checkShape(part));
  const bool is_first = missing_ == answered_.size();
  const auto files_before = static_cast<int64_t>(manifest_.files.size());
  std::move(part.files.begin(), part.files.end(), std::back_inserter(manifest_.files));
  if (is_first) {                                   // the shape, and what is nobody's until its process answers
    manifest_.max_parallelism = part.max_parallelism;
    for (const auto& op : part.operators) manifest_.operators.push_back({op.uid, {}, std::vector<CheckpointManifest::OperatorPart>(op.parts.size()), op.computed_inputs});
    for (const auto& task : part.tasks) manifest_.tasks.push_back({task.uid, {}, {}, std::vector<CheckpointManifest::TaskPart>(task.parts.size())});
  }
  for (size_t i = 0; i < part.operators.size(); ++i) {
    for (size_t subtask = 0; subtask < part.operators[i].parts.size(); ++subtask) {
      if (!isOf(subtask, process)) continue;
      CheckpointManifest::OperatorPart& stored = part.operators[i].parts[subtask];
      stored.keyed = shifted(std::move(stored.keyed), files_before);
      stored.own = shifted(std::move(stored.own), files_before);
      for (int64_t& file : stored.runs) file += files_before;
      manifest_.operators[i].parts[subtask] = std::move(stored);
    }
  }
  for (size_t i = 0; i < part.tasks.size(); ++i) {
    if (isOf(0, process)) manifest_.tasks[i].enumerator = shifted(std::move(part.tasks[i].enumerator), files_before);
    for (size_t subtask = 0; subtask < part.tasks[i].parts.size(); ++subtask) {
      if (isOf(subtask, process)) manifest_.tasks[i].parts[subtask] = std::move(part.tasks[i].parts[subtask]);
    }
  }
  answered_[static_cast<size_t>(process)] = true;
  --missing_;
  return {};
}

}  // namespace thalweg::coordinator
