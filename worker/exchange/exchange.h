// Exchange: one process's part of a job's data ways — which subtasks are here, and the streams to the others.
//
//   Exchange exchange(options);
//   LocalJob::start(graph, …, {.share = &exchange, …});       // channels are made
//   exchange.connect(addresses);                              // opens the streams that are this process's to open
//   (server) accept → exchange.accept(stream)                 // takes those that others open
//   job->begin();
//
// Of two processes the one with the lower number opens the stream. Threads: as JobShare while the job is built; then
// any. Lifetime: outlives the job; close() first, which waits for no peer.
// Errors: a broken stream or a bad frame is told to `on_failure`, once; after quiesce() streams may end.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/base/memory_pool.h"
#include "common/rpc/rpc_channel.h"
#include "worker/exchange/remote_channels.h"
#include "worker/exchange/remote_splits.h"

namespace thalweg::worker {

struct ExchangeOptions {
  std::string attempt;                         ///< job, attempt, epoch: what both ends must agree on
  int process = 0;
  int processes = 1;
  std::vector<std::vector<int>> placement;     ///< by task and subtask: the process
  RpcSecurity security = {};
  std::shared_ptr<MemoryPool> memory = nullptr;
  /// `peer`: the process whose stream it was; -1: the failure is this process's own.
  std::function<void(const Status&, int peer)> on_failure;
};

class Exchange final : public JobShare {
 public:
  static constexpr const char* kMethod = "/thalweg.v1.Exchange/Exchange";

  explicit Exchange(ExchangeOptions options);
  ~Exchange() override;

  bool isHere(SubtaskId subtask) const override { return processOf(subtask) == options_.process; }
  std::shared_ptr<ChannelEnd> channelsTo(SubtaskId receiver, std::vector<ChannelBounds> bounds) override;
  void addReceiver(SubtaskId receiver, std::shared_ptr<ChannelSet> channels, std::vector<ChannelOrigin> origins) override;
  void addDispenser(int task, std::shared_ptr<SplitDispenser> dispenser) override { dispensers_[task] = std::move(dispenser); }
  std::shared_ptr<SplitSupply> splitsFrom(SubtaskId owner) override;

  /// `addresses` by process.
  Status connect(const std::vector<std::string>& addresses);
  /// The handler of a stream that a peer opened.
  std::shared_ptr<RpcHandler> accept(std::shared_ptr<RpcStream> stream);
  /// Everything here has been sent and received: streams may end.
  void quiesce() { phase_->quiet.store(true); }
  void close();

 private:
  /// What a stream's handler looks at that may outlive the exchange.
  struct Phase {
    std::atomic<bool> quiet{false};
    std::atomic<bool> closed{false};
  };
  class Link;
  struct Receiver;
  int processOf(SubtaskId subtask) const;
  std::shared_ptr<ExchangePeer> peer(int process) const { return peers_[static_cast<size_t>(process)]; }
  void fail(const Status& status, int process);
  void onTaken(SubtaskId receiver, int channel, const ChannelElement& element, bool empty);
  Status onFrame(int from, const BufferPtr& message);
  Status onElement(int from, const struct ExchangeFrame& frame, const BufferPtr& message);
  Status onCredit(int from, const struct ExchangeFrame& frame);
  Status onSplitRequest(int from, const struct ExchangeFrame& frame);
  Status onSplitAnswer(int from, const struct ExchangeFrame& frame, const BufferPtr& message);

  const ExchangeOptions options_;
  std::vector<std::shared_ptr<ExchangePeer>> peers_;
  std::vector<std::unique_ptr<RpcChannel>> connections_;
  std::map<SubtaskId, std::unique_ptr<Receiver>> receivers_;        // none is added once the job runs
  std::map<SubtaskId, std::shared_ptr<RemoteChannels>> senders_;
  std::map<int, std::shared_ptr<SplitDispenser>> dispensers_;
  std::map<int, std::shared_ptr<RemoteSplits>> splits_;
  std::shared_ptr<Phase> phase_ = std::make_shared<Phase>();
  std::atomic<bool> failed_{false};
};

}  // namespace thalweg::worker
