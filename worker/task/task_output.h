// TaskOutput: where a chain ends — what its last operator emits goes to every edge that leaves the task.
//
// Keeps the idle status of the stream: an IDLE element is sent once, ACTIVE when a mark comes or the chain says so.
// Full as soon as one channel of one edge is. Threads: one owner.
#pragma once

#include <memory>
#include <vector>

#include "common/runtime_api/multi_output.h"
#include "common/runtime_api/outlet.h"
#include "worker/task/edge_writer.h"

namespace thalweg::worker {

class TaskOutput final : public MultiOutput {
 public:
  TaskOutput(std::vector<std::unique_ptr<EdgeWriter>> writers, std::vector<std::shared_ptr<Outlet>> outlets)
      : writers_(std::move(writers)), outlets_(std::move(outlets)) {}

  Status emit(Batch batch) override { return emitTo(0, std::move(batch)); }
  Status emitTo(int output, Batch batch) override;
  bool isFull() const override;
  Status markIdle(bool idle) override;

  void sendBarrier(CheckpointId checkpoint);
  void sendEnd();
  void flush();
  /// To be called between batches: sends what waits for receivers without work.
  void flushToIdle();
  /// Schedules `sender` when there is room; false if there is.
  bool waitForRoom(Actor& sender) const;
  /// The last mark sent.
  EventTime watermark() const { return watermark_; }

 private:
  void sendControl(const ChannelElement& element);

  std::vector<std::unique_ptr<EdgeWriter>> writers_;
  std::vector<std::shared_ptr<Outlet>> outlets_;
  bool idle_ = false;
  EventTime watermark_ = kMinWatermark;
};

}  // namespace thalweg::worker
