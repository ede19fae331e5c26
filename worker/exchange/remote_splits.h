// RemoteSplits: splits for the readers here of a source whose enumerator is in another process.
//
// A reader that asks sends a request and is told to come again; the answer waits for it. Threads: any.
#pragma once

#include <map>
#include <memory>

#include "common/base/mutex.h"
#include "worker/exchange/exchange_peer.h"
#include "worker/task/split_dispenser.h"
#include "worker/task/subtask_id.h"

namespace thalweg::worker {

class RemoteSplits final : public SplitSupply {
 public:
  RemoteSplits(int task, std::shared_ptr<ExchangePeer> owner) : task_(task), owner_(std::move(owner)) {}

  Result<SplitEnumerator::Next> next(int subtask, int parallelism, CheckpointId passed) override EXCLUDES(mutex_);
  bool isAnswerPending(int subtask) override EXCLUDES(mutex_);
  void onAnswer(int subtask, Result<SplitEnumerator::Next> answer) EXCLUDES(mutex_);

 private:
  const int task_;
  const std::shared_ptr<ExchangePeer> owner_;
  Mutex mutex_;
  /// By subtask: asked, and what came back; it counts as pending until the reader has taken it.
  std::map<int, std::unique_ptr<Result<SplitEnumerator::Next>>> asked_ GUARDED_BY(mutex_);
};

}  // namespace thalweg::worker
