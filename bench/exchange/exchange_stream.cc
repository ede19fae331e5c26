#include "bench/exchange/exchange_stream.h"

#include <cstdlib>
#include <future>
#include <iostream>

#include "common/columnar/builder.h"
#include "common/rpc/rpc_server.h"
#include "common/time/clock.h"
#include "worker/exchange/exchange.h"
#include "worker/task/asio_executor.h"
#include "worker/task/channel_set.h"

namespace thalweg::bench {
namespace {

using worker::Actor;
using worker::ChannelElement;

constexpr int kElementsOfSlice = 64;
const worker::SubtaskId kReceiver{1, 0};

/// A stream that breaks leaves nothing to measure.
void giveUp(const Status& status, int) {
  std::cerr << "thalweg-bench: " << status.message() << '\n';
  std::_Exit(1);
}

worker::ExchangeOptions optionsOf(int process, const std::string& certificates) {
  worker::ExchangeOptions options;
  options.attempt = "bench/1/1/secret";
  options.process = process;
  options.processes = 2;
  options.placement = {{0}, {1}};
  options.security = securityOf(certificates);
  options.on_failure = giveUp;
  return options;
}

class Pusher final : public Actor {
 public:
  Pusher(Executor& executor, worker::ChannelEnd& channel, Batch batch, int64_t count) : Actor(executor), channel_(channel), batch_(std::move(batch)), left_(count) {}

 private:
  SliceEnd runSlice() override {
    for (int i = 0; i < kElementsOfSlice; ++i) {
      if (left_ == 0) {
        channel_.push(0, {.kind = ChannelElement::Kind::END});
        return SliceEnd::END;
      }
      if (channel_.isFull(0) && channel_.waitForRoom(0, *this)) return SliceEnd::PARK;
      channel_.push(0, {.batch = batch_});
      --left_;
    }
    return SliceEnd::AGAIN;
  }
  worker::ChannelEnd& channel_;
  const Batch batch_;
  int64_t left_;
};

class Taker final : public Actor {
 public:
  Taker(Executor& executor, worker::ChannelSet& channels, std::promise<void>& ended) : Actor(executor), channels_(channels), ended_(ended) {}

 private:
  SliceEnd runSlice() override {
    for (int i = 0; i < kElementsOfSlice; ++i) {
      auto popped = channels_.pop(0);
      if (!popped) return SliceEnd::PARK;
      if (popped->element.kind == ChannelElement::Kind::END) {
        ended_.set_value();
        return SliceEnd::END;
      }
    }
    return SliceEnd::AGAIN;
  }
  worker::ChannelSet& channels_;
  std::promise<void>& ended_;
};

struct Sender {
  explicit Sender(const std::string& certificates) : exchange(optionsOf(0, certificates)) {}
  worker::Exchange exchange;
  std::shared_ptr<worker::ChannelEnd> channel;
  std::shared_ptr<Pusher> pusher;
};

}  // namespace

RpcSecurity securityOf(const std::string& certificates) {
  if (certificates.empty()) return {};
  return {.ca_file = certificates + "/ca.pem", .cert_file = certificates + "/daemon.pem", .key_file = certificates + "/daemon.key"};
}

Batch rowsToSend(int64_t rows) {
  std::vector<Value> values;
  for (int64_t i = 0; i < rows; ++i) values.push_back(Value::integer(i * 7919));
  return Batch(static_cast<size_t>(rows), {makeVector(DataType::bigint(), values), makeVector(DataType::bigint(), values)});
}

Status takeExchange(const std::string& certificates, const std::function<void(int port)>& listening, const std::function<void()>& taken) {
  const SystemClock clock;
  worker::AsioExecutor executor(clock, {.compute_threads = 1, .io_threads = 1});
  const std::vector<DataType> types{DataType::bigint(), DataType::bigint()};
  std::promise<void> ended;
  worker::Exchange exchange(optionsOf(1, certificates));
  const auto channels = std::make_shared<worker::ChannelSet>(std::vector<worker::ChannelSpec>{{0}}, 1, worker::ChannelLimits());
  const auto taker = std::make_shared<Taker>(executor, *channels, ended);
  channels->setReceiver(taker.get());
  exchange.addReceiver(kReceiver, channels, {{{0, 0}, &types}});
  const auto accept = [&](const std::string&, const std::shared_ptr<RpcStream>& stream) { return exchange.accept(stream); };
  ASSIGN_OR_RETURN(const auto server, RpcServer::start({.security = securityOf(certificates)}, accept));
  listening(server->port());
  ended.get_future().wait();
  exchange.quiesce();
  taken();
  return {};
}

Status sendExchange(const std::string& certificates, int port, const Batch& batch, int64_t count, const std::function<Status()>& wait) {
  // Never torn down, as in a task process: late credit may still come.
  static auto* const clock = new SystemClock;
  static auto* const executor = new worker::AsioExecutor(*clock, {.compute_threads = 1, .io_threads = 1});
  static auto* const senders = new std::vector<std::unique_ptr<Sender>>;
  senders->push_back(std::make_unique<Sender>(certificates));
  Sender& sender = *senders->back();
  const worker::ChannelLimits limits;
  sender.channel = sender.exchange.channelsTo(kReceiver, {{limits.batches_max, limits.bytes_max}});
  RETURN_IF_ERROR(sender.exchange.connect({"", "127.0.0.1:" + std::to_string(port)}));
  sender.pusher = std::make_shared<Pusher>(*executor, *sender.channel, batch, count);
  sender.pusher->schedule();
  Status status = wait();
  sender.exchange.close();
  return status;
}

}  // namespace thalweg::bench
