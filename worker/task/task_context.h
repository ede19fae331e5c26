// TaskContext: the OperatorContext that the task gives each operator and source reader of a subtask.
//
// Threads: requestWakeup any; the rest the subtask's. Lifetime: outlives its operator; borrows the job's clock,
// executor, configuration and zone, and the subtask's actor.
#pragma once

#include <atomic>
#include <string>

#include "common/base/random.h"
#include "common/runtime_api/multi_output.h"
#include "common/runtime_api/spill_space.h"
#include "common/time/clock.h"
#include "common/types/time_zone.h"
#include "worker/state/hot_keyed_state_store.h"
#include "worker/task/actor.h"

namespace thalweg::worker {

/// What all operators of a job share. Lifetime: the job's.
struct JobSurroundings {
  const Clock& clock;
  Executor& executor;
  Configuration configuration;
  TimeZone session_zone;
  int max_parallelism = 128;
  bool batch_mode = false;
  int64_t start_ms = 0;
  uint64_t random_seed = 0;
  size_t batch_rows_max = Batch::kRowsTarget;
  std::shared_ptr<ColdTier> cold = nullptr;          ///< of keyed state; null: it stays in memory
  std::shared_ptr<SpillSpace> spill = nullptr;       ///< of batches that are held; null: they stay in memory
};

struct OperatorPlace {
  std::string uid;
  std::string name;
  int subtask = 0;
  int parallelism = 1;
};

class TaskContext final : public OperatorContext, public SpillSpaceOwner {
 public:
  TaskContext(const JobSurroundings& job, OperatorPlace place, Actor& actor);

  int subtaskIndex() const override { return place_.subtask; }
  int parallelism() const override { return place_.parallelism; }
  int maxParallelism() const override { return job_.max_parallelism; }
  const std::string& operatorName() const override { return place_.name; }
  const Configuration& configuration() const override { return job_.configuration; }
  bool batchMode() const override { return job_.batch_mode; }
  EvalContext& evalContext() override { return eval_; }
  HotKeyedStateStore& keyedState() override { return state_; }
  OperatorMetrics& metrics() override { return metrics_; }
  int64_t nowMillis() const override { return job_.clock.nowMillis(); }
  void requestWakeup(int64_t time_ms) override;
  Executor* executor() override { return &job_.executor; }
  SpillSpace* spillSpace() override { return job_.spill.get(); }
  const std::string& restored() const override { return restored_; }
  std::string stateUid() const override { return place_.uid; }

  const std::string& uid() const { return place_.uid; }
  void setRestored(std::string bytes) { restored_ = std::move(bytes); }
  EventTime restoredWatermark() const { return restored_watermark_; }
  void setRestoredWatermark(EventTime watermark) { restored_watermark_ = watermark; }
  /// The time asked for; INT64_MAX: none.
  int64_t wakeupTime() const { return wakeup_ms_.load(); }
  /// Whether a wake-up is due, which is then taken.
  bool takeWakeup(int64_t now_ms);

 private:
  const JobSurroundings& job_;
  OperatorPlace place_;
  Actor& actor_;
  HotKeyedStateStore state_;
  OperatorMetrics metrics_;
  Random random_;
  EvalContext eval_;
  std::string restored_;
  EventTime restored_watermark_ = kMinWatermark;
  std::atomic<int64_t> wakeup_ms_{INT64_MAX};
};

/// Counts rows on their way out of an operator, and cuts batches down to the most rows a batch may hold.
class CountingOutput final : public MultiOutput {
 public:
  CountingOutput(Output& next, OperatorMetrics& metrics, size_t batch_rows_max)
      : next_(next), metrics_(metrics), batch_rows_max_(batch_rows_max) {}
  Status emit(Batch batch) override;
  /// Whole batches; INTERNAL if what follows has one stream only.
  Status emitTo(int output, Batch batch) override;
  bool isFull() const override { return next_.isFull(); }
  Status markIdle(bool idle) override { return next_.markIdle(idle); }

 private:
  Output& next_;
  OperatorMetrics& metrics_;
  size_t batch_rows_max_;
};

}  // namespace thalweg::worker
