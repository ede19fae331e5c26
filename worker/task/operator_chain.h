// OperatorChain: the operators of a subtask, fused — what one emits the next processes at once, on the same stack.
//
// An operator that returned MORE is busy: what reaches it meanwhile waits in a short list, its output looks full to
// the operator above, and work() resumes it before anything else happens, the last operator first. Calls that
// concern the whole chain (end of input, finish, wake-ups, the flush before a snapshot) are steps, each taken when
// everything before it has run through to the end of the chain.
//
//   loop: while work() == PROGRESS {}; if BLOCKED wait for room; if IDLE feed process(), endInput(), …
//
// Threads: the subtask's. Lifetime: borrows the output.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "common/base/current_work.h"
#include "worker/task/task_context.h"

namespace thalweg::worker {

/// One operator of a chain; as an Output it is what the operator above emits into.
class ChainLink final : public Output {
 public:
  ChainLink(std::unique_ptr<Operator> op, std::unique_ptr<TaskContext> context, Output& next, size_t batch_rows_max);

  Status emit(Batch batch) override { return accept({.batch = std::move(batch)}); }
  bool isFull() const override { return hasWork() || output_.isFull(); }
  Status markIdle(bool idle) override { return accept({.is_status = true, .idle = idle}); }

  Status process(int input, Batch batch);
  /// A call of the operator other than process().
  template <typename Call>
  Status call(Call&& call_operator) {
    const OperatorMark mark(context_->operatorName().c_str());
    return settle(call_operator(*operator_, output_));
  }
  bool hasWork() const { return busy_ || !pending_.empty(); }
  bool outputIsFull() const { return output_.isFull(); }
  EventTime watermark() const { return next_watermark_; }
  /// Before open(): the watermark the operator had reached.
  void restoreWatermark(EventTime watermark);
  /// Resumes the operator, or hands it what waited longest.
  Status advance();

  Operator& op() { return *operator_; }
  const Operator& op() const { return *operator_; }
  TaskContext& context() { return *context_; }
  const TaskContext& context() const { return *context_; }

 private:
  struct Element {
    Batch batch = {};
    bool is_status = false;
    bool idle = false;
  };
  Status accept(Element element);
  Status settle(Result<Progress> progress);

  std::unique_ptr<TaskContext> context_;
  std::unique_ptr<Operator> operator_;
  CountingOutput output_;
  std::deque<Element> pending_;
  bool busy_ = false;
  EventTime next_watermark_ = kMinWatermark;   // reached when the present call is done
};

class OperatorChain {
 public:
  enum class Work : uint8_t {
    PROGRESS,  ///< something was done: call again
    BLOCKED,   ///< the task's output is full
    IDLE,      ///< all that was given is done
  };

  /// `links` first to last, each emitting into the next and the last into `tail`; may be empty.
  OperatorChain(std::vector<std::unique_ptr<ChainLink>> links, Output& tail, int inputs);

  Status open();
  /// Where a source emits.
  Output& head() { return links_.empty() ? tail_ : *links_.front(); }
  /// When IDLE only.
  Status process(int input, Batch batch) { return links_.front()->process(input, std::move(batch)); }
  /// When IDLE only; after the last input the chain finishes.
  void endInput(int input);
  void prepareSnapshot();
  void fireWakeups(int64_t now_ms);
  int64_t wakeupTime() const;

  Result<Work> work();
  /// finish() of the last operator is done.
  bool isFinished() const { return finished_links_ == links_.size() && inputs_left_ == 0; }
  int preferredInput() const { return links_.empty() ? -1 : links_.front()->op().preferredInput(); }
  Status onCheckpointComplete(uint64_t snapshots);
  /// Between calls of the operators: moves state to disk if memory is short.
  Status relieveState();
  bool commitPending() const;
  /// Once, whatever happened before.
  void close();

  const std::vector<std::unique_ptr<ChainLink>>& links() const { return links_; }

 private:
  struct Step {
    enum class Kind : uint8_t { END_INPUT, FINISH, PREPARE_SNAPSHOT, WAKEUP };
    Kind kind;
    size_t link;
    int input = 0;
  };
  Status take(const Step& step);

  std::vector<std::unique_ptr<ChainLink>> links_;
  Output& tail_;
  int inputs_left_;
  std::deque<Step> steps_;
  size_t finished_links_ = 0;
  size_t opened_links_ = 0;      // open() was called
};

}  // namespace thalweg::worker
