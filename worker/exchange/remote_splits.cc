#include "worker/exchange/remote_splits.h"

#include "worker/exchange/exchange_frame.h"

namespace thalweg::worker {

Result<SplitEnumerator::Next> RemoteSplits::next(int subtask, int parallelism, CheckpointId passed) {
  {
    const MutexLock lock(mutex_);
    const auto [found, is_new] = asked_.try_emplace(subtask);
    if (found->second != nullptr) {
      Result<SplitEnumerator::Next> answer = std::move(*found->second);
      asked_.erase(found);
      return answer;
    }
    if (!is_new) return SplitEnumerator::Next{SplitEnumerator::Availability::LATER, {}, 1};
  }
  const ExchangeFrame request{ExchangeFrame::Kind::SPLIT_REQUEST, {task_, subtask}, 0, parallelism, passed};
  owner_->send({request.header()});
  return SplitEnumerator::Next{SplitEnumerator::Availability::LATER, {}, 1};
}

bool RemoteSplits::isAnswerPending(int subtask) {
  const MutexLock lock(mutex_);
  return asked_.contains(subtask);
}

void RemoteSplits::onAnswer(int subtask, Result<SplitEnumerator::Next> answer) {
  const MutexLock lock(mutex_);
  const auto found = asked_.find(subtask);
  if (found != asked_.end()) found->second = std::make_unique<Result<SplitEnumerator::Next>>(std::move(answer));
}

}  // namespace thalweg::worker
