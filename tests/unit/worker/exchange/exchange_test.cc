// Frames, and channels between two exchanges joined by a real stream on a port that the system chose.
#include "worker/exchange/exchange.h"

#include <thread>

#include "common/base/random.h"
#include "common/columnar/builder.h"
#include "common/rpc/rpc_server.h"
#include "worker/exchange/exchange_frame.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {
namespace {

TEST_CASE("a frame's header comes out as it went in, and random bytes never crash") {
  const ExchangeFrame frame{ExchangeFrame::Kind::CREDIT, {3, 7}, 2, 11, -5};
  const auto decoded = ExchangeFrame::decode(frame.header());
  REQUIRE(decoded.isOk());
  CHECK(decoded->kind == frame.kind);
  CHECK(decoded->receiver == frame.receiver);
  CHECK(decoded->channel == 2);
  CHECK(decoded->first == 11);
  CHECK(decoded->second == -5);
  Random random(3);
  for (int round = 0; round < 2000; ++round) {
    std::vector<uint8_t> bytes(random.nextBelow(200));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.nextBits());
    CHECK_FALSE(ExchangeFrame::decode(Buffer::copyOf(bytes)).isOk());
  }
}

Batch numbers(int64_t first, size_t count) {
  std::vector<Value> values;
  for (size_t i = 0; i < count; ++i) values.push_back(Value::integer(first + static_cast<int64_t>(i)));
  return Batch(count, {makeVector(DataType::bigint(), values)});
}

/// Process 0 sends to subtask (1, 0), which is in process 1.
struct Pair {
  Pair() {
    for (int process = 0; process < 2; ++process) {
      ExchangeOptions options;
      options.attempt = "job/1/1/secret";
      options.process = process;
      options.processes = 2;
      options.placement = {{0}, {1}};
      options.on_failure = [this](const Status& status, int) {
        const MutexLock lock(mutex);
        failure = status;
        changed.notifyAll();
      };
      sides.push_back(std::make_unique<Exchange>(options));
    }
    receiver = std::make_shared<ChannelSet>(std::vector<ChannelSpec>{{0}}, 1, ChannelLimits{4, size_t{1} << 20});
    sides[1]->addReceiver({1, 0}, receiver, {{{0, 0}, &types}});
    sender = sides[0]->channelsTo({1, 0}, {{4, size_t{1} << 20}});
    server = std::move(*RpcServer::start({}, [this](const std::string&, const std::shared_ptr<RpcStream>& stream) { return sides[1]->accept(stream); }));
    REQUIRE(sides[0]->connect({"", "127.0.0.1:" + std::to_string(server->port())}).isOk());
  }
  ~Pair() {
    sides[0]->close();
    sides[1]->close();
    server->stop();
  }
  /// The next element, waited for.
  ChannelElement next() {
    for (;;) {
      if (auto popped = receiver->pop(0)) return std::move(popped->element);
      std::this_thread::yield();
    }
  }

  const std::vector<DataType> types{DataType::bigint()};
  Mutex mutex;
  Condition changed;
  Status failure;
  std::vector<std::unique_ptr<Exchange>> sides;
  std::shared_ptr<ChannelSet> receiver;
  std::shared_ptr<ChannelEnd> sender;
  std::unique_ptr<RpcServer> server;
};

TEST_CASE("elements arrive in order, and credit bounds what is on its way") {
  Pair pair;
  for (int64_t i = 0; i < 4; ++i) pair.sender->push(0, {.batch = numbers(i * 10, 10)});
  CHECK(pair.sender->isFull(0));
  for (int64_t i = 0; i < 4; ++i) {
    const ChannelElement element = pair.next();
    REQUIRE(element.kind == ChannelElement::Kind::BATCH);
    CHECK(element.batch.column(0)->valueAt(9).asInt() == i * 10 + 9);
  }
  while (pair.sender->isFull(0) || !pair.sender->isEmpty(0)) std::this_thread::yield();
  pair.sender->push(0, {.kind = ChannelElement::Kind::BARRIER, .checkpoint = 5});
  const ChannelElement barrier = pair.next();
  CHECK(barrier.kind == ChannelElement::Kind::BARRIER);
  CHECK(barrier.checkpoint == 5);
  pair.receiver->releaseBarrier();
  pair.sender->push(0, {.kind = ChannelElement::Kind::END});
  CHECK(pair.next().kind == ChannelElement::Kind::END);
  CHECK(pair.failure.isOk());
}

TEST_CASE("a sender whose channel one large batch filled gets room when that batch is taken") {
  Pair pair;
  for (int round = 0; round < 3; ++round) {
    pair.sender->push(0, {.batch = numbers(0, 200'000)});
    CHECK(pair.sender->isFull(0));
    CHECK(pair.next().batch.rows() == 200'000);
    while (pair.sender->isFull(0)) std::this_thread::yield();
  }
  CHECK(pair.failure.isOk());
}

TEST_CASE("rows of another type than the edge's end the attempt with an error that names the peer") {
  Pair pair;
  pair.sender->push(0, {.batch = Batch(1, {makeVector(DataType::string(), std::vector<Value>{Value::string("no number")})})});
  const MutexLock lock(pair.mutex);
  while (pair.failure.isOk()) pair.changed.wait(pair.mutex);
  CHECK(pair.failure.message().find("exchange with process 0") != std::string::npos);
}

}  // namespace
}  // namespace thalweg::worker
