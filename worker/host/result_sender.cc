#include "worker/host/result_sender.h"

#include "common/columnar/batch_wire.h"

namespace thalweg::worker {
namespace {

constexpr int64_t kWaitMs = 100;
/// A message to the coordinator stays well below its limit.
constexpr size_t kMessageBytesMax = size_t{4} << 20;

void sendInPieces(const Batch& batch, const std::function<void(std::string_view)>& send) {
  const std::vector<BufferPtr> pieces = encodeBatch(batch);
  if (piecesBytes(pieces) <= kMessageBytesMax || batch.rows() == 1) {
    const BufferPtr whole = joinPieces(pieces);
    return send({reinterpret_cast<const char*>(whole->data()), whole->sizeBytes()});
  }
  const size_t half = batch.rows() / 2;
  sendInPieces(batch.slice(0, half).compact(), send);
  sendInPieces(batch.slice(half, batch.rows() - half).compact(), send);
}

}  // namespace

ResultSender::ResultSender(std::shared_ptr<ResultQueue> queue, std::function<void(std::string_view)> send, std::function<void()> ended)
    : queue_(std::move(queue)), send_(std::move(send)), ended_(std::move(ended)), thread_([this] { loop(); }) {}

ResultSender::~ResultSender() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    changed_.notifyAll();
  }
  thread_.join();
}

void ResultSender::grant(int messages) {
  const MutexLock lock(mutex_);
  credit_ += messages;
  changed_.notifyAll();
}

bool ResultSender::takeCredit() {
  const MutexLock lock(mutex_);
  while (credit_ <= 0 && !stopping_) changed_.wait(mutex_);
  --credit_;
  return !stopping_;
}

void ResultSender::loop() {
  Batch batch;
  while (!queue_->isDone()) {
    if (!queue_->pop(batch, kWaitMs)) {
      const MutexLock lock(mutex_);
      if (stopping_) return;
      continue;
    }
    if (!takeCredit()) return;
    sendInPieces(batch, send_);
  }
  ended_();
}

}  // namespace thalweg::worker
