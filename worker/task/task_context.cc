#include "worker/task/task_context.h"

#include <algorithm>

#include "common/base/hash.h"

namespace thalweg::worker {

namespace {

HotStateOptions stateOptions(const JobSurroundings& job, const OperatorPlace& place) {
  const auto max_parallelism = static_cast<uint32_t>(job.max_parallelism);
  return {.max_parallelism = max_parallelism,
          .key_groups = keyGroupsOf(static_cast<uint32_t>(place.subtask), static_cast<uint32_t>(place.parallelism), max_parallelism),
          .now_ms = [&clock = job.clock] { return clock.nowMillis(); },
          .cold = job.cold};
}

uint64_t seedOf(const JobSurroundings& job, const OperatorPlace& place) {
  uint64_t state = job.random_seed ^ hashBytes(place.uid) ^ (static_cast<uint64_t>(place.subtask) << 32);
  return splitMix64(state);
}

/// Larger batches are cut only if the job asked for small ones: operators bound what they emit by themselves.
size_t cutAt(size_t batch_rows_max) { return batch_rows_max < Batch::kRowsTarget ? batch_rows_max : SIZE_MAX; }

}  // namespace

TaskContext::TaskContext(const JobSurroundings& job, OperatorPlace place, Actor& actor)
    : job_(job), place_(std::move(place)), actor_(actor), state_(stateOptions(job, place_)), random_(seedOf(job, place_)) {
  eval_.session_zone = &job.session_zone;
  eval_.query_start_ms = job.start_ms;
  eval_.now_ms = [&clock = job.clock] { return clock.nowMillis(); };
  eval_.random = [this] { return random_.nextBits(); };
  eval_.batch_mode = job.batch_mode;
}

void TaskContext::requestWakeup(int64_t time_ms) {
  int64_t known = wakeup_ms_.load();
  do {
    if (known <= time_ms) return;
  } while (!wakeup_ms_.compare_exchange_weak(known, time_ms));
  if (time_ms <= nowMillis()) actor_.schedule();
  else actor_.scheduleAt(time_ms);
}

bool TaskContext::takeWakeup(int64_t now_ms) {
  int64_t known = wakeup_ms_.load();
  return known <= now_ms && wakeup_ms_.compare_exchange_strong(known, INT64_MAX);
}

Status CountingOutput::emit(Batch batch) {
  metrics_.rows_out += batch.rows();
  const size_t rows_max = cutAt(batch_rows_max_);
  if (batch.rows() <= rows_max) return next_.emit(std::move(batch));
  const auto marks = batch.marks();
  size_t mark = 0;
  for (size_t begin = 0; begin < batch.rows(); begin += rows_max) {
    const size_t end = std::min(batch.rows(), begin + rows_max);
    std::vector<WatermarkMark> inside;
    for (; mark < marks.size() && (marks[mark].offset < end || end == batch.rows()); ++mark) {
      inside.push_back({static_cast<RowIndex>(marks[mark].offset - begin), marks[mark].value});
    }
    RETURN_IF_ERROR(next_.emit(batch.slice(begin, end - begin).withMarks(std::move(inside))));
  }
  return {};
}

Status CountingOutput::emitTo(int output, Batch batch) {
  if (output == 0) return emit(std::move(batch));
  auto* next = dynamic_cast<MultiOutput*>(&next_);
  if (next == nullptr) return Status::internal("output " + std::to_string(output) + " of an operator that is not the last of its task");
  metrics_.rows_out += batch.rows();
  return next->emitTo(output, std::move(batch));
}

}  // namespace thalweg::worker
