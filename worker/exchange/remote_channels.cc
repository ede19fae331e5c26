#include "worker/exchange/remote_channels.h"

#include <utility>

#include "common/columnar/batch_wire.h"
#include "worker/exchange/exchange_frame.h"

namespace thalweg::worker {
namespace {

/// Rows [begin, end) with the marks among them; the last piece has those behind the last row, too.
Batch pieceOf(const Batch& batch, size_t begin, size_t end) {
  std::vector<WatermarkMark> marks;
  for (const WatermarkMark& mark : batch.marks()) {
    const bool inside = mark.offset >= begin && (mark.offset < end || end == batch.rows());
    if (inside) marks.push_back({static_cast<RowIndex>(mark.offset - begin), mark.value});
  }
  Batch piece = batch.slice(begin, end - begin);
  return marks.empty() ? piece : piece.withMarks(std::move(marks));
}

}  // namespace

RemoteChannels::RemoteChannels(SubtaskId receiver, std::vector<ChannelBounds> bounds, std::shared_ptr<ExchangePeer> peer,
                               std::function<void(const Status&)> failed)
    : receiver_(receiver), bounds_(std::move(bounds)), peer_(std::move(peer)), failed_(std::move(failed)),
      states_(std::make_unique<State[]>(bounds_.size())) {}

bool RemoteChannels::isOver(const State& state, const ChannelBounds& bounds, size_t share) const {
  return static_cast<size_t>(state.batches.load(std::memory_order_relaxed)) * share >= bounds.batches_max ||
         static_cast<size_t>(state.bytes) * share >= bounds.bytes_max;
}

void RemoteChannels::push(int channel, ChannelElement element) {
  if (element.kind == ChannelElement::Kind::BATCH) return pushBatch(channel, element.batch);
  const ExchangeFrame frame{ExchangeFrame::Kind::CONTROL, receiver_, channel, static_cast<int64_t>(element.kind), element.checkpoint};
  peer_->send({frame.header()});
}

void RemoteChannels::pushBatch(int channel, const Batch& batch) {
  std::vector<BufferPtr> pieces = encodeBatch(batch);
  const size_t bytes = piecesBytes(pieces);
  if (bytes > kFrameBytesTarget && batch.rows() > 1) {
    pieces.clear();
    const size_t half = batch.rows() / 2;
    pushBatch(channel, pieceOf(batch, 0, half).compact());
    return pushBatch(channel, pieceOf(batch, half, batch.rows()).compact());
  }
  if (bytes > kFrameBytesMax) {
    return failed_(Status::exhausted("a row of " + std::to_string(bytes) + " bytes is too large to be sent to another process; the limit is " +
                                     std::to_string(kFrameBytesMax) + " bytes"));
  }
  State& state = states_[static_cast<size_t>(channel)];
  bool full = false;
  {
    const MutexLock lock(mutex_);
    state.batches.fetch_add(1, std::memory_order_acq_rel);
    state.bytes += static_cast<int64_t>(bytes);
    full = isOver(state, bounds_[static_cast<size_t>(channel)], 1);
    if (full) state.full.store(true, std::memory_order_release);
  }
  pieces.insert(pieces.begin(), ExchangeFrame{ExchangeFrame::Kind::BATCH, receiver_, channel, full ? ExchangeFrame::kFilledChannel : 0}.header());
  peer_->send(std::move(pieces));
}

bool RemoteChannels::waitForRoom(int channel, Actor& sender) {
  State& state = states_[static_cast<size_t>(channel)];
  const MutexLock lock(mutex_);
  if (!state.full.load(std::memory_order_relaxed)) return false;
  state.waiting = &sender;
  return true;
}

bool RemoteChannels::onCredit(int channel, int64_t batches, int64_t bytes) {
  if (channel < 0 || static_cast<size_t>(channel) >= bounds_.size() || batches < 0 || bytes < 0) return false;
  State& state = states_[static_cast<size_t>(channel)];
  Actor* woken = nullptr;
  {
    const MutexLock lock(mutex_);
    if (batches > state.batches.load() || bytes > state.bytes) return false;
    state.batches.fetch_sub(batches, std::memory_order_acq_rel);
    state.bytes -= bytes;
    if (state.full.load(std::memory_order_relaxed) && !isOver(state, bounds_[static_cast<size_t>(channel)], 2)) {
      state.full.store(false, std::memory_order_release);
      woken = std::exchange(state.waiting, nullptr);
    }
  }
  if (woken != nullptr) woken->schedule();
  return true;
}

}  // namespace thalweg::worker
