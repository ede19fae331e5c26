#include "worker/host/task_reporter.h"

#include <algorithm>

#include "common/log/log.h"
#include "common/process/crash_report.h"
#include "common/process/daemon.h"
#include "common/process/event_loop.h"
#include "thalweg/v1/control.pb.h"

namespace thalweg::worker {
namespace {

constexpr int64_t kNanosPerMilli = 1'000'000;
constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr int64_t kStuckNanos = 2 * kNanosPerSecond;       // reported when a slice takes so long

void addOperators(v1::TaskReport& report, const LocalJob& job) {
  for (const OperatorMetricsRow& row : job.metrics()) {
    v1::OperatorReport& each = *report.add_operators();
    each.set_task(row.task_number);
    each.set_subtask(row.subtask);
    each.set_task_name(row.task);
    each.set_uid(row.uid);
    each.set_name(row.name);
    each.set_rows_in(row.metrics.rows_in);
    each.set_rows_out(row.metrics.rows_out);
    each.set_late_rows_dropped(row.metrics.late_rows_dropped);
    each.set_bad_records_skipped(row.metrics.bad_records_skipped);
    each.set_watermark(row.metrics.watermark);
  }
}

}  // namespace

Status TaskReporter::fill(v1::TaskReport& report, const LocalJob& job) {
  report.set_resident_bytes(residentBytes());
  addOperators(report, job);
  addTimes(report, job);
  return addStuck(report, job);
}

Status TaskReporter::addStuck(v1::TaskReport& report, const LocalJob& job) {
  Status overdue;
  std::map<SubtaskId, Stuck> still;
  for (const StuckSlice& slice : job.stuckFor(kStuckNanos)) {
    const SubtaskId id{slice.task_number, slice.subtask};
    Stuck& known = still[id];
    if (const auto found = stuck_.find(id); found != stuck_.end() && found->second.begun_ns == slice.begun_ns) known = found->second;
    known.begun_ns = slice.begun_ns;
    const int64_t seconds = slice.duration_ns / kNanosPerSecond;
    if (slice.duration_ns >= known.sample_due_ns) {
      known.sample_due_ns = slice.duration_ns * 2;
      known.stack = sampleStack(slice.thread);
      LOG_WARN("worker.host", "a subtask does not come back", {"job", job_id_}, {"task", slice.task}, {"subtask", slice.subtask + 1}, {"operator", slice.op},
               {"seconds", seconds}, {"stack", known.stack});
    }
    v1::StuckReport& each = *report.add_stuck();
    each.set_task_name(slice.task);
    each.set_subtask(slice.subtask);
    each.set_operator_name(slice.op);
    each.set_seconds(seconds);
    each.set_stack(known.stack);
    if (stuck_timeout_ms_ > 0 && slice.duration_ns / kNanosPerMilli >= stuck_timeout_ms_) {
      const std::string where = (slice.op.empty() ? "" : "operator '" + slice.op + "' of ") + "task '" + slice.task + "'";
      overdue = Status::runtime("stuck in " + where + " for " + std::to_string(seconds) + " s, longer than 'thalweg.task.stuck-timeout' allows; its stack:\n" +
                                known.stack);
    }
  }
  stuck_ = std::move(still);
  return overdue;
}

void TaskReporter::addTimes(v1::TaskReport& report, const LocalJob& job) {
  const int64_t now_ms = steadyMillis();
  const double seconds = static_cast<double>(std::max<int64_t>(1, now_ms - reported_ms_)) / 1000.0;
  for (const SubtaskTimes& times : job.times()) {
    v1::SubtaskReport& each = *report.add_subtasks();
    SubtaskTimes& before = times_before_[{times.task_number, times.subtask}];
    const auto rate = [&](int64_t now_ns, int64_t before_ns) {
      return std::min(1000.0, static_cast<double>(now_ns - before_ns) / static_cast<double>(kNanosPerMilli) / seconds);
    };
    each.set_task(times.task_number);
    each.set_subtask(times.subtask);
    each.set_busy_ms(times.busy_ns / kNanosPerMilli);
    each.set_back_pressured_ms(times.back_pressured_ns / kNanosPerMilli);
    each.set_idle_ms(times.idle_ns / kNanosPerMilli);
    if (reported_ms_ != 0) {
      each.set_busy_ms_per_second(rate(times.busy_ns, before.busy_ns));
      each.set_back_pressured_ms_per_second(rate(times.back_pressured_ns, before.back_pressured_ns));
      each.set_idle_ms_per_second(rate(times.idle_ns, before.idle_ns));
    }
    each.set_queued_batches(times.queued_batches);
    each.set_queued_bytes(times.queued_bytes);
    before = times;
  }
  reported_ms_ = now_ms;
}

}  // namespace thalweg::worker
