#include "worker/exchange/exchange.h"

#include <algorithm>
#include <deque>

#include "common/columnar/batch_wire.h"
#include "worker/exchange/exchange_frame.h"

namespace thalweg::worker {
namespace {

using Kind = ExchangeFrame::Kind;

/// Credit goes back in portions of this size; for a batch that made its channel full; and when a channel ran empty of
/// small batches, whose sender then knows that the receiver waits. Of large ones a message for each would be dear.
constexpr int64_t kCreditBatches = 4;
constexpr int64_t kCreditBytes = int64_t{1} << 20;
constexpr int64_t kSmallBytes = int64_t{32} << 10;
/// A reader asks again for a split after this time at the latest, whatever it was told.
constexpr int64_t kRetryMaxMs = 3600 * 1000;

Status misplaced(const std::string& what) { return Status::io("malformed frame: " + what); }

}  // namespace

/// A subtask here, and what of its remote channels its senders do not know yet.
struct Exchange::Receiver {
  struct Arrived {
    int64_t bytes;
    bool filled_channel;
  };
  struct Channel {
    std::deque<Arrived> batches;       // in the channel
    int64_t taken_batches = 0;
    int64_t taken_bytes = 0;
    bool ended = false;                // by its sender
  };
  std::shared_ptr<ChannelSet> channels;
  std::vector<ChannelOrigin> origins;
  Mutex mutex;
  std::vector<Channel> states GUARDED_BY(mutex);
};

/// The handler of one stream.
class Exchange::Link final : public RpcHandler {
 public:
  /// `from` -1: it is known with the first frame.
  Link(Exchange& exchange, int from, std::shared_ptr<RpcStream> stream) : exchange_(exchange), phase_(exchange.phase_), from_(from), stream_(std::move(stream)) {}

  void onMessage(BufferPtr message) override {
    if (broken_ || phase_->closed.load()) return;
    const Status status = from_ < 0 ? onHello(message) : exchange_.onFrame(from_, message);
    if (status.isOk()) return;
    broken_ = true;
    if (from_ < 0) stream_->finish(status);
    else exchange_.fail(status, from_);
  }

  void onClosed(const Status& status) override {
    stream_.reset();
    if (from_ < 0 || broken_ || phase_->quiet.load()) return;
    exchange_.fail(status.isOk() ? Status::io("process " + std::to_string(from_) + " of the job ended its connection") : status, from_);
  }

 private:
  Status onHello(const BufferPtr& message) {
    ASSIGN_OR_RETURN(const ExchangeFrame frame, ExchangeFrame::decode(message));
    if (frame.kind != Kind::HELLO) return misplaced("expected one that says who it is from");
    if (bodyOf(message) != exchange_.options_.attempt) return Status::invalid("this process belongs to another attempt or job");
    if (frame.first < 0 || frame.first >= exchange_.options_.process) return misplaced("no such process opens a connection here");
    const int from = static_cast<int>(frame.first);
    if (!exchange_.peer(from)->attach(stream_)) return Status::alreadyExists("there is a connection from process " + std::to_string(from));
    from_ = from;
    return {};
  }

  Exchange& exchange_;
  const std::shared_ptr<Phase> phase_;
  int from_;
  std::shared_ptr<RpcStream> stream_;
  bool broken_ = false;
};

Exchange::Exchange(ExchangeOptions options) : options_(std::move(options)) {
  for (int process = 0; process < options_.processes; ++process) peers_.push_back(std::make_shared<ExchangePeer>(process));
}

Exchange::~Exchange() { close(); }

int Exchange::processOf(SubtaskId subtask) const {
  return options_.placement[static_cast<size_t>(subtask.task)][static_cast<size_t>(subtask.index)];
}

void Exchange::fail(const Status& status, int process) {
  if (failed_.exchange(true)) return;
  options_.on_failure(process < 0 ? status : status.withContext("exchange with process " + std::to_string(process)), process);
}

std::shared_ptr<ChannelEnd> Exchange::channelsTo(SubtaskId receiver, std::vector<ChannelBounds> bounds) {
  auto channels = std::make_shared<RemoteChannels>(receiver, std::move(bounds), peer(processOf(receiver)),
                                                   [this](const Status& status) { fail(status, -1); });
  senders_[receiver] = channels;
  return channels;
}

void Exchange::addReceiver(SubtaskId receiver, std::shared_ptr<ChannelSet> channels, std::vector<ChannelOrigin> origins) {
  auto added = std::make_unique<Receiver>();
  added->channels = channels;
  {
    const MutexLock lock(added->mutex);
    added->states.resize(origins.size());
  }
  added->origins = std::move(origins);
  channels->onTaken([this, receiver](int channel, const ChannelElement& element, size_t, bool empty) { onTaken(receiver, channel, element, empty); });
  receivers_[receiver] = std::move(added);
}

std::shared_ptr<SplitSupply> Exchange::splitsFrom(SubtaskId owner) {
  std::shared_ptr<RemoteSplits>& splits = splits_[owner.task];
  if (splits == nullptr) splits = std::make_shared<RemoteSplits>(owner.task, peer(processOf(owner)));
  return splits;
}

Status Exchange::connect(const std::vector<std::string>& addresses) {
  if (addresses.size() != peers_.size()) return Status::internal("expected an address for each process of the job");
  for (int process = options_.process + 1; process < options_.processes; ++process) {
    ASSIGN_OR_RETURN(auto connection, RpcChannel::connect({.address = addresses[static_cast<size_t>(process)], .security = options_.security}));
    auto stream = connection->openStream(kMethod, std::make_shared<Link>(*this, process, nullptr));
    const ExchangeFrame hello{Kind::HELLO, {}, 0, options_.process, 0};
    stream->send(hello.withBody(options_.attempt));
    peer(process)->attach(std::move(stream));
    connections_.push_back(std::move(connection));
  }
  return {};
}

std::shared_ptr<RpcHandler> Exchange::accept(std::shared_ptr<RpcStream> stream) { return std::make_shared<Link>(*this, -1, std::move(stream)); }

void Exchange::close() {
  quiesce();
  phase_->closed.store(true);
  for (const auto& each : peers_) each->close();
}

void Exchange::onTaken(SubtaskId id, int channel, const ChannelElement& element, bool empty) {
  if (element.kind != ChannelElement::Kind::BATCH) return;
  Receiver& receiver = *receivers_.at(id);
  const int from = processOf(receiver.origins[static_cast<size_t>(channel)].sender);
  if (from == options_.process) return;
  ExchangeFrame credit{Kind::CREDIT, id, channel, 0, 0};
  {
    const MutexLock lock(receiver.mutex);
    Receiver::Channel& state = receiver.states[static_cast<size_t>(channel)];
    ++state.taken_batches;
    const Receiver::Arrived taken = state.batches.front();
    state.batches.pop_front();
    state.taken_bytes += taken.bytes;
    const bool portion = state.taken_batches >= kCreditBatches || state.taken_bytes >= kCreditBytes;
    const bool waits = empty && taken.bytes < kSmallBytes;
    if (!portion && !waits && !taken.filled_channel) return;
    credit.first = std::exchange(state.taken_batches, 0);
    credit.second = std::exchange(state.taken_bytes, 0);
  }
  peer(from)->send({credit.header()});
}

Status Exchange::onFrame(int from, const BufferPtr& message) {
  ASSIGN_OR_RETURN(const ExchangeFrame frame, ExchangeFrame::decode(message));
  switch (frame.kind) {
    case Kind::BATCH:
    case Kind::CONTROL: return onElement(from, frame, message);
    case Kind::CREDIT: return onCredit(from, frame);
    case Kind::SPLIT_REQUEST: return onSplitRequest(from, frame);
    case Kind::SPLIT_ANSWER:
    case Kind::SPLIT_FAILURE: return onSplitAnswer(from, frame, message);
    case Kind::HELLO: break;
  }
  return misplaced("a second greeting");
}

Status Exchange::onElement(int from, const ExchangeFrame& frame, const BufferPtr& message) {
  const auto found = receivers_.find(frame.receiver);
  if (found == receivers_.end()) return misplaced("its receiver is not here");
  Receiver& receiver = *found->second;
  const auto channel = static_cast<size_t>(frame.channel);
  if (channel >= receiver.origins.size() || processOf(receiver.origins[channel].sender) != from) return misplaced("its channel is not its sender's");
  ChannelElement element;
  if (frame.kind == Kind::BATCH) {
    const MemoryPool::Scope memory(options_.memory ? options_.memory : MemoryPool::current());
    ASSIGN_OR_RETURN(element.batch, decodeBatch(message, ExchangeFrame::kHeaderBytes, *receiver.origins[channel].types));
  } else {
    if (frame.first < static_cast<int64_t>(ChannelElement::Kind::BARRIER) || frame.first > static_cast<int64_t>(ChannelElement::Kind::END)) {
      return misplaced("no such element");
    }
    element.kind = static_cast<ChannelElement::Kind>(frame.first);
    element.checkpoint = frame.second;
  }
  {
    const MutexLock lock(receiver.mutex);
    Receiver::Channel& state = receiver.states[channel];
    if (state.ended) return misplaced("its channel has ended");
    state.ended = element.kind == ChannelElement::Kind::END;
    if (frame.kind == Kind::BATCH) {
      state.batches.push_back({static_cast<int64_t>(message->sizeBytes() - ExchangeFrame::kHeaderBytes), frame.first == ExchangeFrame::kFilledChannel});
    }
  }
  receiver.channels->push(frame.channel, std::move(element));
  return {};
}

Status Exchange::onCredit(int from, const ExchangeFrame& frame) {
  const auto found = senders_.find(frame.receiver);
  const bool fits = found != senders_.end() && processOf(frame.receiver) == from && found->second->onCredit(frame.channel, frame.first, frame.second);
  return fits ? Status() : misplaced("credit for what was not sent");
}

Status Exchange::onSplitRequest(int from, const ExchangeFrame& frame) {
  const auto found = dispensers_.find(frame.receiver.task);
  if (found == dispensers_.end()) return misplaced("its splits are not here");
  const std::vector<int>& readers = options_.placement[static_cast<size_t>(frame.receiver.task)];
  const auto reader = static_cast<size_t>(frame.receiver.index);
  if (reader >= readers.size() || readers[reader] != from || frame.first != static_cast<int64_t>(readers.size())) {
    return misplaced("a split for a reader that its sender does not have");
  }
  const Result<SplitEnumerator::Next> next = found->second->next(frame.receiver.index, static_cast<int>(frame.first), frame.second);
  ExchangeFrame answer{Kind::SPLIT_ANSWER, frame.receiver, 0, 0, 0};
  if (!next.isOk()) {
    answer.kind = Kind::SPLIT_FAILURE;
    answer.first = static_cast<int64_t>(next.status().code());
    peer(from)->send(answer.withBody(next.status().message()));
    return {};
  }
  answer.first = static_cast<int64_t>(next->availability);
  answer.second = next->retry_after_ms;
  peer(from)->send(answer.withBody(next->split));
  return {};
}

Status Exchange::onSplitAnswer(int from, const ExchangeFrame& frame, const BufferPtr& message) {
  const auto found = splits_.find(frame.receiver.task);
  if (found == splits_.end() || processOf({frame.receiver.task, 0}) != from) return misplaced("a split that nobody asked for");
  if (frame.kind == Kind::SPLIT_FAILURE) {
    const bool known = frame.first > 0 && frame.first <= static_cast<int64_t>(StatusCode::INTERNAL);
    found->second->onAnswer(frame.receiver.index, Status(known ? static_cast<StatusCode>(frame.first) : StatusCode::INTERNAL, std::string(bodyOf(message))));
    return {};
  }
  if (frame.first < 0 || frame.first > static_cast<int64_t>(SplitEnumerator::Availability::FINISHED)) return misplaced("no such availability");
  found->second->onAnswer(frame.receiver.index, SplitEnumerator::Next{static_cast<SplitEnumerator::Availability>(frame.first), std::string(bodyOf(message)),
                                                                      std::clamp<int64_t>(frame.second, 0, kRetryMaxMs)});
  return {};
}

}  // namespace thalweg::worker
