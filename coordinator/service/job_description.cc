// What Job tells others of itself: clients, REST, the store.
#include <set>

#include "common/rpc/job_messages.h"
#include "coordinator/service/job_process.h"
#include "thalweg/v1/control.pb.h"
#include "thalweg/v1/store.pb.h"

namespace thalweg::coordinator {
void Job::progress(v1::Progress& progress) const {
  for (const auto& process : processes_) {
    if (process->report == nullptr) continue;
    for (const v1::OperatorReport& each : process->report->operators()) {
      progress.set_late_rows_dropped(progress.late_rows_dropped() + each.late_rows_dropped());
      progress.set_bad_records_skipped(progress.bad_records_skipped() + each.bad_records_skipped());
      if (each.name().starts_with("TableSourceScan")) progress.set_rows_read(progress.rows_read() + each.rows_out());
      if (each.name().starts_with("Sink")) progress.set_rows_written(progress.rows_written() + each.rows_in());
      if (each.watermark() == INT64_MIN) continue;
      if (!progress.has_watermark() || each.watermark() < progress.watermark()) progress.set_watermark(each.watermark());
      progress.set_has_watermark(true);
    }
  }
}

void Job::describe(v1::JobInfo& info, bool with_vertices) const {
  info.set_id(id_);
  info.set_name(script_.name);
  info.set_state(std::string(jobStateName(state_)));
  info.set_start_time_ms(entered_ms_.at(JobState::INITIALIZING));
  if (isOver()) info.set_end_time_ms(entered_ms_.at(state_));
  info.set_attempt(attempt_);
  info.set_parallelism(parallelism_);
  info.set_waiting_for(waiting_for_);
  info.set_max_parallelism(outline_.max_parallelism);
  for (const auto& [state, time_ms] : entered_ms_) (*info.mutable_state_times_ms())[std::string(jobStateName(state))] = time_ms;
  for (auto each = failures_.rbegin(); each != failures_.rend(); ++each) {
    v1::JobException& exception = *info.add_exceptions();
    exception.set_time_ms(each->time_ms);
    rpc::setFailure(*exception.mutable_failure(), each->status);
    exception.set_worker(each->worker);
    exception.set_attempt(each->attempt);
  }
  if (checkpoints_) checkpoints_->describe(*info.mutable_checkpoints());
  for (const auto& process : processes_) {
    if (process->report == nullptr || state_ != JobState::RUNNING) continue;
    for (const v1::StuckReport& each : process->report->stuck()) {
      v1::StuckReport& stuck = *info.add_stuck();
      stuck = each;
      stuck.set_worker(process->worker);
    }
  }
  if (!with_vertices) return;
  for (size_t i = 0; i < outline_.tasks.size(); ++i) {
    const JobOutline::Task& task = outline_.tasks[i];
    v1::VertexInfo& vertex = *info.add_vertices();
    vertex.set_name(task.name);
    vertex.set_parallelism(task.parallelism);
    for (const JobOutline::Input& each : task.inputs) {
      v1::VertexInput& input = *vertex.add_inputs();
      input.set_from(each.from);
      input.set_exchange(each.exchange);
    }
    for (size_t subtask = 0; subtask < static_cast<size_t>(task.parallelism) && subtask < slot_workers_.size(); ++subtask) vertex.add_workers(slot_workers_[subtask]);
    for (const auto& process : processes_) {
      if (process->report == nullptr) continue;
      for (const v1::OperatorReport& each : process->report->operators()) {
        if (each.task() == static_cast<int>(i)) *vertex.add_operators() = each;
      }
      for (const v1::SubtaskReport& each : process->report->subtasks()) {
        if (each.task() == static_cast<int>(i)) *vertex.add_subtasks() = each;
      }
    }
  }
}

void Job::store(v1::StoredJob& stored) const {
  stored.set_id(id_);
  stored.set_submitted_ms(entered_ms_.at(JobState::INITIALIZING));
  if (isOver()) return describe(*stored.mutable_ended(), true);
  rpc::setScript(*stored.mutable_script(), script_);
  stored.set_fingerprint(outline_.fingerprint);
  stored.set_graph_text(outline_.text);
  if (program_) {
    rpc::setProgram(*stored.mutable_program(), *program_);
    rpc::setOutline(*stored.mutable_outline(), outline_);
  }
  stored.set_attempt(attempt_);
  stored.set_committing(committing_);
  checkpoints_->store(stored);
  for (const Failure& failure : failures_) {
    v1::JobException& exception = *stored.add_exceptions();
    exception.set_time_ms(failure.time_ms);
    rpc::setFailure(*exception.mutable_failure(), failure.status);
    exception.set_worker(failure.worker);
    exception.set_attempt(failure.attempt);
  }
}

Status Job::keep(bool synced) {
  if (outline_.is_query && !isOver()) return {};        // it ends with its client's stream, whoever leads
  v1::StoredJob stored;
  store(stored);
  return office_.keep(stored, synced);
}

std::vector<std::string> Job::workers() const {
  std::set<std::string> names(slot_workers_.begin(), slot_workers_.end());
  return {names.begin(), names.end()};
}

}  // namespace thalweg::coordinator
