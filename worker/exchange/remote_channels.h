// RemoteChannels: the channels into a subtask of another process, as its senders here see them.
//
// Full when what was sent and not yet taken reaches the channel's bounds; room again when half of it was taken.
// Threads: as ChannelEnd. Lifetime: shares the peer.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "common/base/mutex.h"
#include "worker/exchange/exchange_peer.h"
#include "worker/task/job_share.h"

namespace thalweg::worker {

class RemoteChannels final : public ChannelEnd {
 public:
  /// `failed` hears of rows that fit no frame.
  RemoteChannels(SubtaskId receiver, std::vector<ChannelBounds> bounds, std::shared_ptr<ExchangePeer> peer,
                 std::function<void(const Status&)> failed);

  void push(int channel, ChannelElement element) override;
  bool isFull(int channel) const override { return states_[static_cast<size_t>(channel)].full.load(std::memory_order_acquire); }
  bool isEmpty(int channel) const override { return states_[static_cast<size_t>(channel)].batches.load(std::memory_order_acquire) == 0; }
  bool waitForRoom(int channel, Actor& sender) override EXCLUDES(mutex_);

  /// The receiver took so much. False: more than was sent, or no such channel.
  bool onCredit(int channel, int64_t batches, int64_t bytes) EXCLUDES(mutex_);

  static constexpr size_t kFrameBytesTarget = size_t{16} << 20;   ///< larger batches are cut
  static constexpr size_t kFrameBytesMax = size_t{60} << 20;      ///< a row above it is refused

 private:
  struct State {
    std::atomic<bool> full{false};
    std::atomic<int64_t> batches{0};
    int64_t bytes = 0;                 // under mutex_
    Actor* waiting = nullptr;          // under mutex_
  };
  void pushBatch(int channel, const Batch& batch);
  bool isOver(const State& state, const ChannelBounds& bounds, size_t share) const;

  const SubtaskId receiver_;
  const std::vector<ChannelBounds> bounds_;
  const std::shared_ptr<ExchangePeer> peer_;
  const std::function<void(const Status&)> failed_;
  std::unique_ptr<State[]> states_;
  Mutex mutex_;
};

}  // namespace thalweg::worker
