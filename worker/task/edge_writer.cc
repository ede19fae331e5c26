#include "worker/task/edge_writer.h"

#include "common/base/check.h"
#include "worker/task/hash_writer.h"

namespace thalweg::worker {

namespace {

/// One receiver: batches pass as they are.
class DirectWriter final : public EdgeWriter {
 public:
  DirectWriter(std::vector<ChannelSender> targets, size_t batch_rows_max) : EdgeWriter(std::move(targets)), waiting_(batch_rows_max) {
    CHECK(this->targets().size() == 1);
  }
  Status write(const Batch& batch) override {
    if (!waiting_.empty() && !waiting_.joins(batch.rows())) flush();
    waiting_.add(batch);
    return {};
  }
  void flush() override {
    for (Batch& batch : waiting_.take()) targets()[0].pushBatch(std::move(batch));
  }
  void flushToIdle() override {
    if (!waiting_.empty() && targets()[0].isIdle()) flush();
  }

 private:
  BatchCoalescer waiting_;
};

class BroadcastWriter final : public EdgeWriter {
 public:
  BroadcastWriter(std::vector<ChannelSender> targets, size_t batch_rows_max) : EdgeWriter(std::move(targets)), waiting_(batch_rows_max) {}
  Status write(const Batch& batch) override {
    if (!waiting_.empty() && !waiting_.joins(batch.rows())) flush();
    waiting_.add(batch);
    return {};
  }
  void flush() override {
    for (const Batch& batch : waiting_.take()) {
      for (const ChannelSender& target : targets()) target.pushBatch(batch);
    }
  }
  void flushToIdle() override {
    if (waiting_.empty()) return;
    for (const ChannelSender& target : targets()) {
      if (target.isIdle()) return flush();
    }
  }

 private:
  BatchCoalescer waiting_;
};

/// Each batch to the next receiver, its last mark to the others too. `first` spreads where several senders begin.
class RebalanceWriter final : public EdgeWriter {
 public:
  RebalanceWriter(std::vector<ChannelSender> targets, size_t first, size_t batch_rows_max) : EdgeWriter(std::move(targets)) {
    waiting_.assign(this->targets().size(), BatchCoalescer(batch_rows_max));
    next_ = first % waiting_.size();
  }
  Status write(const Batch& batch) override {
    for (size_t target = 0; target < waiting_.size(); ++target) {
      if (target == next_ && batch.rows() > 0) add(target, batch);
      else if (batch.hasMarks()) add(target, Batch::watermark(batch.marks().back().value));
    }
    if (batch.rows() > 0) next_ = (next_ + 1) % waiting_.size();
    return {};
  }
  void flush() override {
    for (size_t target = 0; target < waiting_.size(); ++target) flush(target);
  }
  void flushToIdle() override {
    for (size_t target = 0; target < waiting_.size(); ++target) {
      if (!waiting_[target].empty() && targets()[target].isIdle()) flush(target);
    }
  }

 private:
  void add(size_t target, Batch batch) {
    if (!waiting_[target].empty() && !waiting_[target].joins(batch.rows())) flush(target);
    waiting_[target].add(std::move(batch));
  }
  void flush(size_t target) {
    for (Batch& batch : waiting_[target].take()) targets()[target].pushBatch(std::move(batch));
  }

  std::vector<BatchCoalescer> waiting_;
  size_t next_ = 0;
};

}  // namespace

void EdgeWriter::sendControl(const ChannelElement& element) {
  flush();
  for (const ChannelSender& target : targets_) target.push(element);
}

bool EdgeWriter::isFull() const {
  for (const ChannelSender& target : targets_) {
    if (target.isFull()) return true;
  }
  return false;
}

bool EdgeWriter::waitForRoom(Actor& sender) const {
  for (const ChannelSender& target : targets_) {
    if (target.isFull() && target.channels->waitForRoom(target.channel, sender)) return true;
  }
  return false;
}

std::unique_ptr<EdgeWriter> makeEdgeWriter(const TaskInput& input, int subtask, int max_parallelism, size_t batch_rows_max,
                                           std::vector<ChannelSender> targets) {
  if (targets.size() == 1) return std::make_unique<DirectWriter>(std::move(targets), batch_rows_max);
  switch (input.partition) {
    case PartitionKind::HASH:
      return std::make_unique<HashWriter>(input.keys, input.types, static_cast<uint32_t>(max_parallelism), batch_rows_max, std::move(targets));
    case PartitionKind::ROUTED:
      return std::make_unique<HashWriter>(input.keys, input.types, batch_rows_max, std::move(targets));
    case PartitionKind::BROADCAST:
      return std::make_unique<BroadcastWriter>(std::move(targets), batch_rows_max);
    case PartitionKind::REBALANCE:
      return std::make_unique<RebalanceWriter>(std::move(targets), static_cast<size_t>(subtask), batch_rows_max);
    case PartitionKind::FORWARD:
    case PartitionKind::SINGLETON:
      break;
  }
  checkFailed(__FILE__, __LINE__, "an edge of one receiver per sender has several");
}

}  // namespace thalweg::worker
