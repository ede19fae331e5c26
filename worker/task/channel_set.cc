#include "worker/task/channel_set.h"

#include "common/base/check.h"
#include "common/base/failpoint.h"

namespace thalweg::worker {

namespace {

/// What a queued element keeps alive; control elements and bare marks count as nothing.
size_t bytesOf(const ChannelElement& element) { return element.batch.rows() == 0 ? 0 : element.batch.retainedBytes(); }

}  // namespace

ChannelSet::ChannelSet(std::vector<ChannelSpec> channels, int inputs, ChannelLimits limits, std::shared_ptr<SpillSpace> spill)
    : specs_(std::move(channels)), limits_(limits), spill_(std::move(spill)), states_(std::make_unique<SharedState[]>(specs_.size())),
      channels_(specs_.size()), ready_(static_cast<size_t>(inputs)) {}

bool ChannelSet::isOver(const Channel& channel, const ChannelSpec& spec, size_t share) const {
  return !spec.unbounded && (channel.batches * share >= limits_.batches_max || channel.bytes * share >= limits_.bytes_max);
}

void ChannelSet::push(int channel_number, ChannelElement element) {
  const auto number = static_cast<size_t>(channel_number);
  const size_t bytes = bytesOf(element);
  const size_t rows = element.batch.rows();
  bool was_empty = false;
  {
    const MutexLock lock(mutex_);
    Channel& channel = channels_[number];
    was_empty = channel.queue.empty() && !channel.blocked;
    channel.batches += element.kind == ChannelElement::Kind::BATCH ? 1 : 0;
    channel.bytes += bytes;
    Queued queued{std::move(element), bytes, rows};
    if (specs_[number].unbounded && spill_ != nullptr && rows > 0) spillIfShort(channel, queued);
    if (queued.spilled == kInMemory) channel.held_bytes += bytes;
    channel.queue.push_back(std::move(queued));
    if (was_empty) ready_[static_cast<size_t>(specs_[number].input)].push_back(channel_number);
    states_[number].empty.store(false, std::memory_order_release);
    if (isOver(channel, specs_[number], 1)) states_[number].full.store(true, std::memory_order_release);
  }
  if (was_empty && receiver_ != nullptr) receiver_->schedule();
}

/// What cannot be written stays in memory.
void ChannelSet::spillIfShort(Channel& channel, Queued& queued) {
  if (!spill_->isShort(channel.held_bytes + queued.bytes)) return;
  if (channel.file == nullptr) {
    Result<std::unique_ptr<SpillFile>> file = spill_->createFile();
    if (!file.isOk()) return;
    channel.file = *std::move(file);
  }
  if (!channel.file->append(queued.element.batch).isOk()) return;
  queued.spilled = channel.file->batches() - 1;
  queued.element.batch = Batch();
}

Status ChannelSet::takeFront(Channel& channel, ChannelElement& element, size_t& bytes) {
  Queued& front = channel.queue.front();
  if (front.spilled != kInMemory) {
    ASSIGN_OR_RETURN(front.element.batch, channel.file->read(front.spilled));
  } else {
    channel.held_bytes -= front.bytes;
  }
  element = std::move(front.element);
  bytes = front.bytes;
  channel.bytes -= bytes;
  channel.queue.pop_front();
  channel.batches -= element.kind == ChannelElement::Kind::BATCH ? 1 : 0;
  if (element.kind == ChannelElement::Kind::END) channel.file.reset();
  return {};
}

Status ChannelSet::failure() const {
  const MutexLock lock(mutex_);
  return failure_;
}

bool ChannelSet::waitForRoom(int channel_number, Actor& sender) {
  const auto number = static_cast<size_t>(channel_number);
  const MutexLock lock(mutex_);
  if (!states_[number].full.load(std::memory_order_relaxed)) return false;
  channels_[number].waiting = &sender;
  return true;
}

std::optional<ChannelSet::Popped> ChannelSet::pop(int input) {
  Actor* woken = nullptr;
  Popped popped;
  size_t bytes = 0;
  bool empty = false;
  {
    const MutexLock lock(mutex_);
    std::deque<int>& ready = ready_[static_cast<size_t>(input)];
    if (ready.empty() || !failure_.isOk()) return std::nullopt;
    popped.channel = ready.front();
    ready.pop_front();
    const auto number = static_cast<size_t>(popped.channel);
    Channel& channel = channels_[number];
    failure_ = takeFront(channel, popped.element, bytes);
    if (!failure_.isOk()) return std::nullopt;
    channel.blocked = popped.element.kind == ChannelElement::Kind::BARRIER && !THALWEG_MUTANT("no_alignment");
    empty = channel.queue.empty();
    if (empty) states_[number].empty.store(true, std::memory_order_release);
    else if (!channel.blocked) ready.push_back(popped.channel);
    if (states_[number].full.load(std::memory_order_relaxed) && !isOver(channel, specs_[number], 2)) {
      states_[number].full.store(false, std::memory_order_release);
      woken = std::exchange(channel.waiting, nullptr);
    }
  }
  if (woken != nullptr) woken->schedule();
  if (taken_) taken_(popped.channel, popped.element, bytes, empty);
  return popped;
}

std::optional<size_t> ChannelSet::nextRows(int input) {
  const MutexLock lock(mutex_);
  const std::deque<int>& ready = ready_[static_cast<size_t>(input)];
  if (ready.empty()) return std::nullopt;
  const Queued& next = channels_[static_cast<size_t>(ready.front())].queue.front();
  if (next.element.kind != ChannelElement::Kind::BATCH) return std::nullopt;
  return next.rows;
}

void ChannelSet::releaseBarrier() {
  const MutexLock lock(mutex_);
  for (size_t number = 0; number < channels_.size(); ++number) {
    Channel& channel = channels_[number];
    if (!channel.blocked) continue;
    channel.blocked = false;
    if (!channel.queue.empty()) ready_[static_cast<size_t>(specs_[number].input)].push_back(static_cast<int>(number));
  }
}

void ChannelSet::countQueued(size_t& batches, size_t& bytes) const {
  const MutexLock lock(mutex_);
  for (const Channel& channel : channels_) {
    batches += channel.batches;
    bytes += channel.bytes;
  }
}

size_t ChannelSet::queuedBytes() const {
  const MutexLock lock(mutex_);
  size_t total = 0;
  for (const Channel& channel : channels_) total += channel.bytes;
  return total;
}

}  // namespace thalweg::worker
