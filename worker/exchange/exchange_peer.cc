#include "worker/exchange/exchange_peer.h"

#include "common/base/failpoint.h"

namespace thalweg::worker {

void ExchangePeer::send(std::vector<BufferPtr> frame) {
  const MutexLock lock(mutex_);      // held while sending: frames of one thread keep their order, and send() does not block
  if (stream_ && !THALWEG_FAILPOINT("exchange.cut").isOk()) stream_->abort();
  if (stream_) stream_->send(std::move(frame));
  else early_.push_back(std::move(frame));
}

bool ExchangePeer::attach(std::shared_ptr<RpcStream> stream) {
  const MutexLock lock(mutex_);
  if (stream_) return false;
  stream_ = std::move(stream);
  for (std::vector<BufferPtr>& frame : early_) stream_->send(std::move(frame));
  early_.clear();
  return true;
}

void ExchangePeer::close() {
  const MutexLock lock(mutex_);
  if (stream_) stream_->finish();
}

size_t ExchangePeer::queuedBytes() const {
  const MutexLock lock(mutex_);
  return stream_ ? stream_->queuedBytes() : 0;
}

}  // namespace thalweg::worker
