// Frames that no honest peer sends: each ends the attempt, once, with an error that names the peer, and none reaches an
// operator.
#include <cstring>

#include "common/base/random.h"
#include "common/columnar/batch_wire.h"
#include "common/columnar/builder.h"
#include "worker/exchange/exchange.h"
#include "worker/exchange/exchange_frame.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {
namespace {

using Kind = ExchangeFrame::Kind;

/// Nobody at the other end.
class SilentStream final : public RpcStream {
 public:
  void send(std::vector<BufferPtr>) override {}
  size_t queuedBytes() const override { return 0; }
  void finish(const Status& status) override { ended = status; }
  void abort() override {}
  std::string peer() const override { return "tester"; }
  Status ended;
};

class TwoSplits final : public SplitEnumerator {
 public:
  Result<Next> next(int, int parallelism) override {
    CHECK(parallelism == 2);
    return Next{Availability::FINISHED, {}, 0};
  }
  Status snapshot(std::string&) override { return {}; }
  Status restore(const std::string&) override { return {}; }
  void giveBack(std::string) override {}
};

/// Process 1 of two: tasks 0 (a source) and 1, a subtask of each here and in process 0.
struct Victim {
  Victim() {
    ExchangeOptions options;
    options.attempt = "job/1/1/secret";
    options.process = 1;
    options.processes = 2;
    options.placement = {{0, 1}, {1, 0}};
    options.on_failure = [this](const Status& status, int peer) {
      failures.push_back(status);
      failed_peer = peer;
    };
    exchange = std::make_unique<Exchange>(options);
    receiver = std::make_shared<ChannelSet>(std::vector<ChannelSpec>{{0}, {0}}, 1, ChannelLimits{4, size_t{1} << 20});
    exchange->addReceiver({1, 0}, receiver, {{{0, 0}, &types}, {{0, 1}, &types}});
    exchange->addDispenser(0, std::make_shared<SplitDispenser>(std::make_unique<TwoSplits>()));
    sender = exchange->channelsTo({1, 1}, {{4, size_t{1} << 20}, {4, size_t{1} << 20}});
    handler = exchange->accept(stream);
  }
  void hear(const BufferPtr& message) { handler->onMessage(message); }
  void hear(const ExchangeFrame& frame, std::string_view body = {}) {
    const std::vector<BufferPtr> pieces = body.empty() ? std::vector<BufferPtr>{frame.header()} : frame.withBody(body);
    hear(joinPieces(pieces));
  }
  void greet() { hear(ExchangeFrame{Kind::HELLO, {}, 0, 0, 0}, "job/1/1/secret"); }

  const std::vector<DataType> types{DataType::bigint()};
  std::vector<Status> failures;
  int failed_peer = -2;
  std::shared_ptr<SilentStream> stream = std::make_shared<SilentStream>();
  std::unique_ptr<Exchange> exchange;
  std::shared_ptr<ChannelSet> receiver;
  std::shared_ptr<ChannelEnd> sender;
  std::shared_ptr<RpcHandler> handler;
};

std::string bytesOf(const Batch& batch) {
  const BufferPtr joined = joinPieces(encodeBatch(batch));
  return std::string(textOf(joined));
}

std::string goodBatch() { return bytesOf(Batch(1, {makeVector(DataType::bigint(), std::vector<Value>{Value::integer(7)})})); }

BufferPtr withByte(const ExchangeFrame& frame, size_t at, std::vector<uint8_t> bytes) {
  const BufferPtr header = frame.header();
  std::vector<uint8_t> copy(header->data(), header->data() + header->sizeBytes());
  std::copy(bytes.begin(), bytes.end(), copy.begin() + static_cast<std::ptrdiff_t>(at));
  return Buffer::copyOf(copy);
}

void expectFailure(Victim& victim, const std::string& problem) {
  INFO(problem);
  REQUIRE(victim.failures.size() == 1);
  CHECK(victim.failures[0].message().find("exchange with process 0") != std::string::npos);
  CHECK(victim.failures[0].message().find(problem) != std::string::npos);
  CHECK(victim.failed_peer == 0);
  CHECK(victim.receiver->isEmpty(0));
  victim.hear(ExchangeFrame{Kind::BATCH, {1, 0}, 0}, goodBatch());
  CHECK(victim.failures.size() == 1);
  CHECK(victim.receiver->isEmpty(0));      // nothing is taken from a peer that lied once
}

TEST_CASE("a well-formed conversation passes") {
  Victim victim;
  victim.greet();
  victim.hear(ExchangeFrame{Kind::BATCH, {1, 0}, 0}, goodBatch());
  victim.hear(ExchangeFrame{Kind::SPLIT_REQUEST, {0, 0}, 0, 2, 0});
  CHECK(victim.failures.empty());
  CHECK(victim.receiver->pop(0)->element.batch.rows() == 1);
}

TEST_CASE("bytes that are no frame are refused with what is wrong") {
  const ExchangeFrame batch{Kind::BATCH, {1, 0}, 0};
  const std::vector<std::pair<BufferPtr, std::string>> cases = {
      {Buffer::copyOf(std::vector<uint8_t>{}), "found 0"},
      {Buffer::copyOf(std::vector<uint8_t>(63)), "expected 64 bytes of header, found 63"},
      {Buffer::copyOf(std::vector<uint8_t>(64)), "does not begin as frames do"},
      {withByte(batch, 4, {2}), "expected version 1, found 2"},
      {withByte(batch, 5, {0}), "no kind 0"},
      {withByte(batch, 5, {8}), "no kind 8"},
      {withByte(batch, 8, {255, 255, 255, 255}), "out of range"},
      {withByte(batch, 12, {0, 0, 16, 0}), "out of range"},
      {withByte(batch, 16, {255, 255, 255, 127}), "out of range"},
      {batch.header(), "malformed batch"},
  };
  for (const auto& [message, problem] : cases) {
    Victim victim;
    victim.greet();
    victim.hear(message);
    expectFailure(victim, problem);
  }
}

TEST_CASE("frames that are not their sender's to send are refused") {
  const std::string text_rows = bytesOf(Batch(1, {makeVector(DataType::string(), std::vector<Value>{Value::string("no number")})}));
  const std::vector<std::tuple<ExchangeFrame, std::string, std::string>> cases = {
      {{Kind::HELLO, {}, 0, 0, 0}, "job/1/1/secret", "a second greeting"},
      {{Kind::BATCH, {1, 1}, 0}, goodBatch(), "its receiver is not here"},
      {{Kind::BATCH, {9, 0}, 0}, goodBatch(), "its receiver is not here"},
      {{Kind::BATCH, {1, 0}, 1}, goodBatch(), "its channel is not its sender's"},
      {{Kind::BATCH, {1, 0}, 2}, goodBatch(), "its channel is not its sender's"},
      {{Kind::BATCH, {1, 0}, 0}, goodBatch().substr(0, 64), "malformed batch"},
      {{Kind::BATCH, {1, 0}, 0}, text_rows, "a column of another type"},
      {{Kind::CONTROL, {1, 0}, 0, 0, 0}, "", "no such element"},
      {{Kind::CONTROL, {1, 0}, 0, 5, 0}, "", "no such element"},
      {{Kind::CREDIT, {1, 1}, 0, 1, 1}, "", "credit for what was not sent"},
      {{Kind::CREDIT, {1, 1}, 7, 0, 0}, "", "credit for what was not sent"},
      {{Kind::CREDIT, {1, 1}, 0, -1, -1}, "", "credit for what was not sent"},
      {{Kind::CREDIT, {5, 1}, 0, 0, 0}, "", "credit for what was not sent"},
      {{Kind::SPLIT_REQUEST, {1, 0}, 0, 2, 0}, "", "its splits are not here"},
      {{Kind::SPLIT_REQUEST, {0, 0}, 0, 0, 0}, "", "a reader that its sender does not have"},
      {{Kind::SPLIT_REQUEST, {0, 1}, 0, 2, 0}, "", "a reader that its sender does not have"},
      {{Kind::SPLIT_REQUEST, {0, 9}, 0, 2, 0}, "", "a reader that its sender does not have"},
      {{Kind::SPLIT_ANSWER, {0, 0}, 0, 0, 0}, "split", "a split that nobody asked for"},
      {{Kind::SPLIT_FAILURE, {0, 0}, 0, 1, 0}, "failed", "a split that nobody asked for"},
  };
  for (const auto& [frame, body, problem] : cases) {
    Victim victim;
    victim.greet();
    victim.hear(frame, body);
    expectFailure(victim, problem);
  }
}

TEST_CASE("nothing comes after the end of a channel") {
  Victim victim;
  victim.greet();
  victim.hear(ExchangeFrame{Kind::CONTROL, {1, 0}, 0, static_cast<int64_t>(ChannelElement::Kind::END), 0});
  REQUIRE(victim.receiver->pop(0)->element.kind == ChannelElement::Kind::END);
  victim.hear(ExchangeFrame{Kind::BATCH, {1, 0}, 0}, goodBatch());
  expectFailure(victim, "its channel has ended");
}

TEST_CASE("a stranger's stream is ended with why, and the job goes on") {
  const std::vector<std::tuple<ExchangeFrame, std::string, std::string>> cases = {
      {{Kind::BATCH, {1, 0}, 0}, goodBatch(), "expected one that says who it is from"},
      {{Kind::HELLO, {}, 0, 0, 0}, "job/1/2/secret", "another attempt or job"},
      {{Kind::HELLO, {}, 0, 0, 0}, "", "another attempt or job"},
      {{Kind::HELLO, {}, 0, 1, 0}, "job/1/1/secret", "no such process opens a connection here"},
      {{Kind::HELLO, {}, 0, -1, 0}, "job/1/1/secret", "no such process opens a connection here"},
  };
  for (const auto& [frame, body, problem] : cases) {
    INFO(problem);
    Victim victim;
    victim.hear(frame, body);
    CHECK(victim.stream->ended.message().find(problem) != std::string::npos);
    CHECK(victim.failures.empty());
  }
}

TEST_CASE("any change of a byte is refused or harmless") {
  Random random(11);
  const BufferPtr whole = joinPieces(ExchangeFrame{Kind::BATCH, {1, 0}, 0}.withBody(goodBatch()));
  for (int round = 0; round < 5000; ++round) {
    Victim victim;
    victim.greet();
    std::vector<uint8_t> bytes(whole->data(), whole->data() + whole->sizeBytes());
    for (uint64_t i = 0; i <= random.nextBelow(3); ++i) bytes[random.nextBelow(bytes.size())] = static_cast<uint8_t>(random.nextBits());
    victim.hear(Buffer::copyOf(bytes));
    while (const auto popped = victim.receiver->pop(0)) {
      for (size_t row = 0; row < popped->element.batch.rows(); ++row) (void)popped->element.batch.column(0)->valueAt(row);
    }
    CHECK(victim.failures.size() <= 1);
  }
}

}  // namespace
}  // namespace thalweg::worker
