// Operator harness: runs one operator through every hard case and demands the same messages from each.
//
//   HarnessSpec spec;
//   spec.make = [] { return makeMyOperator(…); };
//   spec.steps = {batchStep(batch), watermarkStep(1000), advanceStep(50), batchStep(right_batch, 1)};
//   REQUIRE(runOperator(spec) == std::vector<std::string>{"+I[1, a]", "watermark 1000", "+U[1, b]"});
//
// runOperator() runs the steps as given, and then again: all at once; one row a batch; marks in batches of their
// own, at the end of the batch before, at the start of the batch after; an output that is full every other call;
// snapshot, close, fresh instance, restore after every step (of the given steps and of single rows). It throws
// std::runtime_error (a failing test) if any run gives other messages, breaks the contract of operator.h (marks not
// ascending, MORE for ever), or fails differently. If every run fails alike, it returns {"error: …"}.
// Each run ends with kMaxWatermark, endInput() per input and finish(); the final kMaxWatermark is left out of the
// messages if it was forwarded, and its lack is an error.
//
// Several inputs: the steps' order is the interleaving. Steps carry marks per input, which the harness combines to
// the minimum as the task does. An operator with a preferredInput() gets that input first.
// Time stands still but for advance steps; wake-ups that are due fire right after them.
// Messages: rows `+I[1, abc, null]`; numbers plain; TIMESTAMPs as milliseconds (`5` or `5.000001` with nanoseconds);
// DECIMALs unscaled; lists `[1, 2]`, maps `{k=v}`, rows `(1, a)`. Marks `watermark 5`; of several marks without rows
// between them only the last counts.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "common/base/random.h"
#include "common/runtime_api/operator.h"
#include "common/time/clock.h"
#include "common/types/time_zone.h"
#include "worker/state/hot_keyed_state_store.h"

namespace thalweg::testing {

struct HarnessStep {
  Batch batch;                    ///< may carry marks
  int input = 0;
  int64_t advance_ms = 0;         ///< if not 0: no batch, the clock moves
};

inline HarnessStep batchStep(Batch batch, int input = 0) { return {std::move(batch), input, 0}; }
inline HarnessStep watermarkStep(EventTime watermark, int input = 0) { return {Batch::watermark(watermark), input, 0}; }
inline HarnessStep advanceStep(int64_t advance_ms) { return {{}, 0, advance_ms}; }
/// Batches of several inputs taken in turn.
std::vector<HarnessStep> interleave(const std::vector<std::vector<Batch>>& inputs);

struct HarnessSpec {
  OperatorFactory make;
  std::vector<HarnessStep> steps;
  int inputs = 1;
  Configuration configuration = {};
  bool batch_mode = false;
  int64_t start_ms = 0;
  bool restores = true;           ///< run with snapshots too
  bool ordered = true;            ///< false: rows between two marks may come in any order
  bool forwards_watermarks = true;
};

/// The messages of every run, which are the same.
std::vector<std::string> runOperator(const HarnessSpec& spec);

/// `+I[1, a]` for each row, `watermark 5` for each mark, in order.
std::vector<std::string> messagesOf(const Batch& batch);

/// A batch of `rows`, each one Value per type. `kinds` may be empty: all inserts.
Batch batchOf(const std::vector<DataType>& types, const std::vector<std::vector<Value>>& rows, const std::vector<RowKind>& kinds = {});

/// An OperatorContext for tests that call an operator themselves. Fields are the test's to set before open().
class TestOperatorContext : public OperatorContext {
 public:
  explicit TestOperatorContext(int64_t start_ms = 0);

  int subtaskIndex() const override { return subtask_index; }
  int parallelism() const override { return subtasks; }
  int maxParallelism() const override { return 128; }
  const std::string& operatorName() const override { return name; }
  const Configuration& configuration() const override { return settings; }
  bool batchMode() const override { return batch_mode; }
  EvalContext& evalContext() override { return eval; }
  KeyedStateStore& keyedState() override { return state; }
  OperatorMetrics& metrics() override { return counters; }
  int64_t nowMillis() const override { return clock.nowMillis(); }
  void requestWakeup(int64_t time_ms) override { wakeup = wakeup ? std::min(*wakeup, time_ms) : time_ms; }
  const std::string& restored() const override { return restored_bytes; }
  std::string stateUid() const override { return state_uid; }

  int subtask_index = 0;
  int subtasks = 1;
  std::string name = "operator under test";
  Configuration settings;
  bool batch_mode = false;
  ManualClock clock;
  worker::HotKeyedStateStore state;
  OperatorMetrics counters;
  std::string restored_bytes;
  std::string state_uid;
  std::optional<int64_t> wakeup;     ///< the earliest time asked for; the test clears it when it calls onWakeup()
  TimeZone zone;                     ///< UTC
  Random random{42};
  EvalContext eval;
};

/// An Output that keeps what it gets.
class CollectingOutput : public Output {
 public:
  Status emit(Batch batch) override {
    batches.push_back(std::move(batch));
    return {};
  }
  bool isFull() const override { return full; }
  std::vector<std::string> messages() const;

  std::vector<Batch> batches;
  bool full = false;
};

}  // namespace thalweg::testing
