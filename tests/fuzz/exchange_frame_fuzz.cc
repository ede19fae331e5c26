// Any frames from a peer of a job: refused, or what they bring is safe to take and to read. The input is a row of frames,
// two bytes of length before each; magic and version are filled in where the length's lowest bit is set.
#include <cstring>

#include "worker/exchange/exchange.h"
#include "worker/exchange/exchange_frame.h"

using namespace thalweg;          // NOLINT: a program of one function
using namespace thalweg::worker;  // NOLINT

namespace {

class SilentStream final : public RpcStream {
 public:
  void send(std::vector<BufferPtr>) override {}
  size_t queuedBytes() const override { return 0; }
  void finish(const Status&) override {}
  void abort() override {}
  std::string peer() const override { return "fuzzer"; }
};

class NoSplits final : public SplitEnumerator {
 public:
  Result<Next> next(int, int) override { return Next{Availability::LATER, {}, 1}; }
  Status snapshot(std::string&) override { return {}; }
  Status restore(const std::string&) override { return {}; }
  void giveBack(std::string) override {}
};

BufferPtr joined(const std::vector<BufferPtr>& pieces) {
  std::vector<uint8_t> bytes;
  for (const BufferPtr& piece : pieces) bytes.insert(bytes.end(), piece->data(), piece->data() + piece->sizeBytes());
  return Buffer::copyOf(bytes);
}

BufferPtr frameOf(const uint8_t* data, size_t size, bool begun) {
  std::vector<uint8_t> bytes(data, data + size);
  const BufferPtr header = ExchangeFrame().header();
  if (begun && size >= 5) std::memcpy(bytes.data(), header->data(), 5);
  return Buffer::copyOf(bytes);
}

void readAll(ChannelSet& channels) {
  while (const auto popped = channels.pop(0)) {
    if (popped->element.kind == ChannelElement::Kind::BARRIER) channels.releaseBarrier();
    if (popped->element.batch.rows() > 4096) continue;
    for (const VectorPtr& column : popped->element.batch.columns()) {
      for (size_t row = 0; row < column->size(); ++row) (void)column->valueAt(row);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::vector<DataType> types = {DataType::bigint(), DataType::string(), DataType::array(DataType::integer())};
  ExchangeOptions options;
  options.attempt = "job/1/1/secret";
  options.process = 1;
  options.processes = 2;
  options.placement = {{0, 1}, {1, 0}, {0, 0}};
  options.on_failure = [](const Status&, int) {};
  Exchange exchange(options);
  const auto channels = std::make_shared<ChannelSet>(std::vector<ChannelSpec>{{0}, {0}}, 1, ChannelLimits());
  exchange.addReceiver({1, 0}, channels, {{{0, 0}, &types}, {{0, 1}, &types}});
  exchange.addDispenser(0, std::make_shared<SplitDispenser>(std::make_unique<NoSplits>()));
  const auto sender = exchange.channelsTo({1, 1}, {{4, size_t{1} << 20}});
  const auto splits = exchange.splitsFrom({2, 0});
  (void)splits->next(0, 2, 0);
  const auto handler = exchange.accept(std::make_shared<SilentStream>());
  handler->onMessage(joined(ExchangeFrame{}.withBody(options.attempt)));
  while (size >= 2) {
    const size_t wanted = static_cast<size_t>(data[0]) | static_cast<size_t>(data[1]) << 8;
    const size_t length = std::min(wanted, size - 2);
    handler->onMessage(frameOf(data + 2, length, (wanted & 1) != 0));
    readAll(*channels);
    data += 2 + length;
    size -= 2 + length;
  }
  (void)splits->next(0, 2, 0);
  return 0;
}
