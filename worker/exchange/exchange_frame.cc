#include "worker/exchange/exchange_frame.h"

#include <cstring>

namespace thalweg::worker {
namespace {

constexpr uint32_t kMagic = 0x474c4854;    // "THLG"
constexpr uint8_t kFrameVersion = 1;

struct WireHeader {
  uint32_t magic;
  uint8_t version;
  uint8_t kind;
  uint16_t reserved;
  int32_t task;
  int32_t index;
  int32_t channel;
  int32_t reserved_too;
  int64_t first;
  int64_t second;
};
static_assert(sizeof(WireHeader) <= ExchangeFrame::kHeaderBytes);

}  // namespace

BufferPtr ExchangeFrame::header() const {
  const WireHeader wire{kMagic, kFrameVersion, static_cast<uint8_t>(kind), 0, receiver.task, receiver.index, channel, 0, first, second};
  MutableBufferPtr buffer = Buffer::allocateZeroed(kHeaderBytes);
  std::memcpy(buffer->mutableData(), &wire, sizeof(wire));
  return buffer;
}

std::vector<BufferPtr> ExchangeFrame::withBody(std::string_view body) const {
  return {header(), Buffer::copyOf({reinterpret_cast<const uint8_t*>(body.data()), body.size()})};
}

Result<ExchangeFrame> ExchangeFrame::decode(const BufferPtr& message) {
  if (message->sizeBytes() < kHeaderBytes) {
    return Status::io("malformed frame: expected " + std::to_string(kHeaderBytes) + " bytes of header, found " + std::to_string(message->sizeBytes()));
  }
  WireHeader wire{};
  std::memcpy(&wire, message->data(), sizeof(wire));
  if (wire.magic != kMagic) return Status::io("malformed frame: it does not begin as frames do");
  if (wire.version != kFrameVersion) {
    return Status::io("malformed frame: expected version " + std::to_string(kFrameVersion) + ", found " + std::to_string(wire.version));
  }
  if (wire.kind < static_cast<uint8_t>(Kind::HELLO) || wire.kind > static_cast<uint8_t>(Kind::SPLIT_FAILURE)) {
    return Status::io("malformed frame: no kind " + std::to_string(wire.kind));
  }
  const auto in_range = [](int32_t number) { return number >= 0 && number < kTasksMax; };
  if (!in_range(wire.task) || !in_range(wire.index) || !in_range(wire.channel)) return Status::io("malformed frame: its address is out of range");
  return ExchangeFrame{static_cast<Kind>(wire.kind), {wire.task, wire.index}, wire.channel, wire.first, wire.second};
}

std::string_view bodyOf(const BufferPtr& message) {
  return {reinterpret_cast<const char*>(message->data()) + ExchangeFrame::kHeaderBytes, message->sizeBytes() - ExchangeFrame::kHeaderBytes};
}

}  // namespace thalweg::worker
