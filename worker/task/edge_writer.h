// EdgeWriter: one sending subtask's end of an edge — decides which channel gets which row, and sends.
//
// write() takes batches; rows may wait in the writer to be joined with later ones until flush(), or until enough have
// come together. flushToIdle() sends what waits for receivers that have nothing to do, so that waiting never costs
// latency. Control elements go to every channel, after what waits. Each channel gets rows and marks in their order;
// every mark goes to every channel.
// Threads: one owner. Lifetime: shares the channels.
#pragma once

#include <memory>
#include <vector>

#include "worker/task/batch_coalescer.h"
#include "worker/task/channel_end.h"
#include "worker/task/task_graph.h"

namespace thalweg::worker {

/// A channel as its sender sees it.
struct ChannelSender {
  std::shared_ptr<ChannelEnd> channels;
  int channel = 0;

  void push(ChannelElement element) const { channels->push(channel, std::move(element)); }
  void pushBatch(Batch batch) const { push({.batch = std::move(batch)}); }
  bool isFull() const { return channels->isFull(channel); }
  bool isIdle() const { return channels->isEmpty(channel); }
};

class EdgeWriter {
 public:
  explicit EdgeWriter(std::vector<ChannelSender> targets) : targets_(std::move(targets)) {}
  virtual ~EdgeWriter() = default;

  virtual Status write(const Batch& batch) = 0;
  virtual void flush() = 0;
  virtual void flushToIdle() = 0;

  /// The stream of the sending task that goes here (MultiOutput).
  int output() const { return output_; }
  void setOutput(int output) { output_ = output; }

  void sendControl(const ChannelElement& element);
  bool isFull() const;
  /// Schedules `sender` when the channel that is full now has room; false if none is full.
  bool waitForRoom(Actor& sender) const;

 protected:
  const std::vector<ChannelSender>& targets() const { return targets_; }

 private:
  std::vector<ChannelSender> targets_;
  int output_ = 0;
};

/// The writer of an edge `input` from subtask `subtask`; `targets` are the channels it has, in the receivers' order.
std::unique_ptr<EdgeWriter> makeEdgeWriter(const TaskInput& input, int subtask, int max_parallelism, size_t batch_rows_max,
                                           std::vector<ChannelSender> targets);

}  // namespace thalweg::worker
