// ChannelSet: the channels into one subtask — bounded queues with credit, one per sending subtask and edge.
//
// Senders push (never refused) and ask isFull() before they make more; a sender that finds a channel full leaves
// itself with waitForRoom() and is scheduled when half of it is free again. The receiver pops from the channels of an
// input in turn, and is scheduled when an empty channel gets its first element.
// A channel that delivered a barrier is blocked until releaseBarrier(): what was sent after the barrier stays queued.
// Limits: a channel is full from `batches_max` batches or `bytes_max` bytes on; unbounded ones never are: what comes into one
// of them while memory is short waits in a file, if there is a space for such.
// Threads: push, isFull, isEmpty, waitForRoom any; pop, releaseBarrier the receiver's. Lifetime: the actors named
// here outlive every call.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "common/base/mutex.h"
#include "common/runtime_api/spill_space.h"
#include "worker/task/channel_end.h"

namespace thalweg::worker {

struct ChannelLimits {
  size_t batches_max = 16;
  size_t bytes_max = size_t{4} << 20;
};

struct ChannelSpec {
  int input = 0;                  ///< the operator input it feeds
  bool unbounded = false;
};

class ChannelSet final : public ChannelEnd {
 public:
  ChannelSet(std::vector<ChannelSpec> channels, int inputs, ChannelLimits limits, std::shared_ptr<SpillSpace> spill = nullptr);
  /// Before the first push.
  void setReceiver(Actor* receiver) { receiver_ = receiver; }
  /// Before the first push: who is told of every element taken out, with its bytes and whether it left the channel
  /// empty. For senders in other processes.
  using Taken = std::function<void(int channel, const ChannelElement& element, size_t bytes, bool empty)>;
  void onTaken(Taken taken) { taken_ = std::move(taken); }

  void push(int channel, ChannelElement element) override EXCLUDES(mutex_);
  bool isFull(int channel) const override { return states_[static_cast<size_t>(channel)].full.load(std::memory_order_acquire); }
  bool isEmpty(int channel) const override { return states_[static_cast<size_t>(channel)].empty.load(std::memory_order_acquire); }
  bool waitForRoom(int channel, Actor& sender) override EXCLUDES(mutex_);

  struct Popped {
    int channel;
    ChannelElement element;
  };
  /// The next element of an input; none if its channels are empty or blocked, or after a failure.
  std::optional<Popped> pop(int input) EXCLUDES(mutex_);
  /// Of reading what waits in a file; it ends the subtask.
  Status failure() const EXCLUDES(mutex_);
  /// Rows of the batch that pop(input) would give; none if it would give something else.
  std::optional<size_t> nextRows(int input) EXCLUDES(mutex_);
  void releaseBarrier() EXCLUDES(mutex_);

  int inputOf(int channel) const { return specs_[static_cast<size_t>(channel)].input; }
  size_t channelCount() const { return specs_.size(); }
  size_t queuedBytes() const EXCLUDES(mutex_);
  void countQueued(size_t& batches, size_t& bytes) const EXCLUDES(mutex_);

 private:
  static constexpr size_t kInMemory = SIZE_MAX;

  struct Queued {
    ChannelElement element;
    size_t bytes;
    size_t rows;                     // of its batch
    size_t spilled = kInMemory;      // or the number of the batch in the channel's file
  };
  struct Channel {
    std::deque<Queued> queue;
    size_t batches = 0;
    size_t bytes = 0;
    size_t held_bytes = 0;           // of bytes, in memory
    std::unique_ptr<SpillFile> file;
    bool blocked = false;
    Actor* waiting = nullptr;
  };
  struct SharedState {             // what senders read without the lock
    std::atomic<bool> full{false};
    std::atomic<bool> empty{true};
  };
  bool isOver(const Channel& channel, const ChannelSpec& spec, size_t share) const;
  void spillIfShort(Channel& channel, Queued& queued) REQUIRES(mutex_);
  Status takeFront(Channel& channel, ChannelElement& element, size_t& bytes) REQUIRES(mutex_);

  const std::vector<ChannelSpec> specs_;
  const ChannelLimits limits_;
  const std::shared_ptr<SpillSpace> spill_;
  Actor* receiver_ = nullptr;
  Taken taken_;
  std::unique_ptr<SharedState[]> states_;
  mutable Mutex mutex_;
  std::vector<Channel> channels_ GUARDED_BY(mutex_);
  Status failure_ GUARDED_BY(mutex_);
  std::vector<std::deque<int>> ready_ GUARDED_BY(mutex_);   // per input: channels with something to pop, in turn
};

}  // namespace thalweg::worker
