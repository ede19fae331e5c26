// SourceHead: the head of a source's chain — polls the reader, fetches splits for it, notices idleness.
//
// Batch size adapts: a reader that hands over as many rows as wanted is asked for twice as many next time, up to the
// most a batch may hold; one that ran dry starts small again. What there is goes on at once, whatever its size.
// Idleness: after `idle_timeout_ms` in which polling gave no row the stream is marked idle, until the next row.
// Threads: the subtask's. Lifetime: borrows the chain's head.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/runtime_api/source.h"
#include "worker/task/split_dispenser.h"
#include "worker/task/task_context.h"

namespace thalweg::worker {

class SourceHead {
 public:
  SourceHead(std::unique_ptr<SourceReader> reader, std::shared_ptr<SplitSupply> dispenser,
             std::unique_ptr<TaskContext> context, Output& chain_head, size_t batch_rows_max, int64_t idle_timeout_ms);

  /// Opens the reader and gives it the splits of a restored attempt.
  Status open(std::vector<std::string> splits);

  enum class Poll : uint8_t {
    PROGRESS,  ///< poll again
    WAITING,   ///< nothing before wakeupTime()
    ENDED,     ///< no more splits: the +inf watermark has been emitted
  };
  /// `passed` is the checkpoint of the last barrier.
  Result<Poll> poll(CheckpointId passed);
  int64_t wakeupTime() const;
  /// Stops polling for good: the stream stands still here.
  /// Stops once about `rows` more rows have been read.
  void holdAfter(uint64_t rows) { rows_left_ = rows; }
  bool isHeld() const { return rows_left_ == 0; }
  /// A split was asked for in another process, and the answer is not here yet.
  bool awaitsSplit() const;

  Status snapshotSplits(std::vector<std::string>& splits) { return reader_->snapshotSplits(splits); }
  /// Once, whatever happened before.
  void close();
  TaskContext& context() { return *context_; }

 private:
  static constexpr size_t kFirstRows = 64;

  /// What the reader emits into: a row ends idleness before it goes on.
  class ReaderOutput final : public Output {
   public:
    explicit ReaderOutput(SourceHead& head) : head_(head) {}
    Status emit(Batch batch) override;
    bool isFull() const override { return head_.output_.isFull(); }
    Status markIdle(bool idle) override { return head_.output_.markIdle(idle); }

   private:
    SourceHead& head_;
  };

  Result<Poll> pollReader();
  Result<Poll> fetchSplit(CheckpointId passed, int64_t now_ms);
  Status noteNoRows(int64_t now_ms);

  std::unique_ptr<TaskContext> context_;
  std::unique_ptr<SourceReader> reader_;
  std::shared_ptr<SplitSupply> dispenser_;
  CountingOutput output_;
  ReaderOutput reader_output_{*this};
  size_t batch_rows_max_;
  size_t rows_wanted_;
  uint64_t rows_left_ = UINT64_MAX;    // until it is held
  int64_t idle_timeout_ms_;
  bool opened_ = false;
  bool needs_split_ = false;
  bool waiting_ = false;               // for the reader's own wake-up
  int64_t retry_ms_ = INT64_MAX;       // when to ask for a split again
  int64_t empty_since_ms_ = INT64_MAX; // first poll without rows since the last row
  bool idle_ = false;
};

}  // namespace thalweg::worker
