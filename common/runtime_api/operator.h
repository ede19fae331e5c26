// Operator: the contract between one step of a job and the task that runs it.
//
// THREAD. All calls of one operator instance come one at a time, from its subtask's mailbox; not always from the
// same thread. An operator never blocks, sleeps, locks for long, reads a clock or starts a thread: time, I/O and
// randomness come from OperatorContext.
//
// LIFE. make → open → restore? → (process | onWakeup | snapshot)* → endInput per input → finish → close.
//   open() comes once, before anything else. If there is state to restore, it is in the keyed state (and
//   OperatorContext::restored()) when open() runs: the first batch never precedes it.
//   close() always comes last, also after a failure or cancel, and releases everything; it may follow any call.
//
// WORK. process(input, batch, output) takes one batch. It handles rows and watermark marks in order (batch.h).
//   For operators with several inputs the marks have already been combined: a mark is the operator's watermark,
//   whichever input's batch carries it, and it is greater than every earlier one. Inputs are independent sequences.
//   Output for a watermark is emitted before the mark is forwarded; every operator forwards every mark it does not
//   swallow on purpose. The mark kMaxWatermark precedes the end of input.
//   A call should take under a few milliseconds. It may emit a bounded number of batches per input batch freely
//   (about as many rows as came in). An operator that may emit much more (window firing, join fan-out) looks at
//   output.isFull() between batches; if full it returns Progress::MORE and keeps its place. The task then calls
//   resume() when there is room, until DONE; between, it calls nothing else on this operator (except close).
//   A full output is never an error: emit() always accepts.
//
// SNAPSHOT. snapshot() is called between slices: everything processed before belongs to checkpoint n, everything
//   after to n+1. Keyed state is captured by its backend; operators write only what they keep outside of it.
//   An operator that holds rows back (mini-batch) emits them in prepareSnapshot(), which comes first and may return
//   MORE; what it emits precedes the barrier.
//   After a change of parallelism redistribute() says, before open(), what of the old subtasks' bytes is this one's.
//   EvalContext::current_watermark is the restored one when open() runs; operators that judge lateness start from it.
//
// COMMIT. What must wait for a checkpoint to be durable (sinks) is staged in snapshot() or finish() and made visible in
//   onCheckpointComplete(). An operator whose finish() staged something says so in commitPending(): it is then kept
//   open until every subtask of the job has finished, gets onCheckpointComplete(kEverything), and is closed.
//
// END. endInput(i) after the last batch of input i; finish() when all inputs ended: emit what is owed (batch-mode
//   results). Both may return MORE.
//
// ERRORS. A failed Status ends the attempt; no call but close() follows.
// FRESH COPIES. Every attempt of every subtask gets its own instance from the factory.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/base/status.h"
#include "common/columnar/batch.h"
#include "common/config/configuration.h"
#include "common/functions/scalar_function.h"
#include "common/runtime_api/state.h"

namespace thalweg {

enum class Progress : uint8_t {
  DONE,  ///< the call's work is complete
  MORE,  ///< output was full: call resume() when there is room
};

class Executor;

/// Where an operator's results go. Implemented by the task (next operator of the chain, or a partitioner).
class Output {
 public:
  virtual ~Output() = default;
  /// Takes the batch over; rows first, marks as they stand in it. A failure is the downstream's (chained operator).
  virtual Status emit(Batch batch) = 0;
  /// Whether the receiver would rather not get more now.
  virtual bool isFull() const = 0;
  /// Says that this stream is idle: no row is to be expected soon, so that receivers leave it out of their combined
  /// watermark; or, with false, that it is back. A mark emitted while idle says the latter by itself. For watermark
  /// assigners and sources; keeps its place among the batches.
  virtual Status markIdle(bool idle) { (void)idle; return {}; }
};

/// Counters of an operator; shown by REST, shell and metrics under Flink's names. Operators raise only those that say
/// so; the rest is counted by the task.
struct OperatorMetrics {
  uint64_t rows_in = 0;
  uint64_t rows_out = 0;
  uint64_t late_rows_dropped = 0;     ///< numLateRecordsDropped; raised by the operator
  uint64_t bad_records_skipped = 0;   ///< rows a format's ignore-parse-errors left out; raised by the operator
  EventTime watermark = kMinWatermark;
};

/// What an operator knows of its surroundings. Lifetime: outlives the operator's close().
class OperatorContext {
 public:
  virtual ~OperatorContext() = default;
  virtual int subtaskIndex() const = 0;
  virtual int parallelism() const = 0;
  virtual int maxParallelism() const = 0;
  virtual const std::string& operatorName() const = 0;
  virtual const Configuration& configuration() const = 0;
  virtual bool batchMode() const = 0;
  /// Zone, time and randomness for expressions; one per operator, valid for its life.
  virtual EvalContext& evalContext() = 0;
  virtual KeyedStateStore& keyedState() = 0;
  virtual OperatorMetrics& metrics() = 0;
  /// Milliseconds of the Clock seam.
  virtual int64_t nowMillis() const = 0;
  /// Asks for onWakeup() (of a reader: for poll()) at or after `time_ms` (processing time); the earliest request wins,
  /// one is pending at most. From any thread: a callback on the I/O executor wakes its operator with requestWakeup(0).
  virtual void requestWakeup(int64_t time_ms) = 0;
  /// Where blocking work goes; null where there is none (tests).
  virtual Executor* executor() { return nullptr; }
  /// State the operator wrote in snapshot() outside keyed state, if this attempt was restored; else empty.
  virtual const std::string& restored() const = 0;
  /// Names the operator's state over restarts of the job; empty where nothing does.
  virtual std::string stateUid() const { return {}; }
};

class Operator {
 public:
  virtual ~Operator() = default;

  virtual Status open(OperatorContext& context) = 0;
  virtual Result<Progress> process(int input, const Batch& batch, Output& output) = 0;
  virtual Result<Progress> resume(Output& output) { (void)output; return Progress::DONE; }
  /// Processing time reached a requested wake-up.
  virtual Result<Progress> onWakeup(int64_t now_ms, Output& output) { (void)now_ms; (void)output; return Progress::DONE; }
  virtual Result<Progress> endInput(int input, Output& output) { (void)input; (void)output; return Progress::DONE; }
  virtual Result<Progress> finish(Output& output) { (void)output; return Progress::DONE; }
  /// A snapshot is next: emit what must precede the barrier.
  virtual Result<Progress> prepareSnapshot(Output& output) { (void)output; return Progress::DONE; }
  /// Appends what the operator keeps outside keyed state.
  virtual Status snapshot(std::string& out) { (void)out; return {}; }
  /// `parts`: what snapshot() wrote in every subtask of the old parallelism, in their order, some of them empty. Gives what
  /// restored() is to be in subtask `subtask` of the new one. NOT_SUPPORTED where such state cannot be divided.
  virtual Result<std::string> redistribute(std::span<const std::string_view> parts, int subtask, int parallelism);
  /// The first `snapshots` snapshots that this instance took are durable, and so are all earlier attempts'.
  virtual Status onCheckpointComplete(uint64_t snapshots) { (void)snapshots; return {}; }
  /// onCheckpointComplete: every row is in, also what finish() staged.
  static constexpr uint64_t kEverything = std::numeric_limits<uint64_t>::max();
  /// After finish(): whether onCheckpointComplete(kEverything) has something to do.
  virtual bool commitPending() const { return false; }
  virtual void close() {}
  /// Input the operator wants next when several have data: -1 no wish (turns), else drain that input first
  /// (batch-mode build sides). Asked before every batch.
  virtual int preferredInput() const { return -1; }
};

using OperatorFactory = std::function<Result<std::unique_ptr<Operator>>()>;

/// Base for operators that work on pieces between marks: cuts batches at marks, keeps the place over MORE, and
/// forwards marks after onWatermark() is DONE. Implement processRows (and onWatermark, resumeWork where they can
/// stop half-way).
class PieceOperator : public Operator {
 public:
  Result<Progress> process(int input, const Batch& batch, Output& output) final;
  Result<Progress> resume(Output& output) final;

 protected:
  /// Rows of `input` without marks, at least one.
  virtual Result<Progress> processRows(int input, const Batch& piece, Output& output) = 0;
  /// The watermark rose to `watermark`; emit what it completes.
  virtual Result<Progress> onWatermark(EventTime watermark, Output& output) { (void)watermark; (void)output; return Progress::DONE; }
  /// Goes on where processRows, onWatermark, endInput, finish or onWakeup returned MORE.
  virtual Result<Progress> resumeWork(Output& output) { (void)output; return Progress::DONE; }
  /// The last watermark fully handled.
  EventTime currentWatermark() const { return watermark_; }

 private:
  Result<Progress> advance(Output& output);

  Batch pending_;
  int pending_input_ = 0;
  size_t row_ = 0;            // rows of pending_ handled
  size_t mark_ = 0;           // marks of pending_ handled
  bool busy_ = false;         // pending_ is unfinished
  bool in_watermark_ = false; // the mark mark_ was begun
  EventTime watermark_ = kMinWatermark;
};

}  // namespace thalweg
