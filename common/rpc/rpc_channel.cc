// A stream of the client holds its call open (AddHold) because it writes from any thread; the hold goes when the
// server has ended the stream and nothing is being written, and OnDone follows.
#include "common/rpc/rpc_channel.h"

#include <atomic>
#include <utility>

#include "common/rpc/grpc_glue.h"

#include <grpcpp/create_channel.h>  // after ours: it defines the thread annotations again
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/client_callback.h>

namespace thalweg {
namespace {

class ClientStream final : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>, public RpcStream,
                           public std::enable_shared_from_this<ClientStream> {
 public:
  ClientStream(std::string peer, std::shared_ptr<RpcHandler> handler) : peer_(std::move(peer)), handler_(std::move(handler)) {}

  void begin(grpc::GenericStub& stub, const std::string& method, const std::string& token) {
    self_ = shared_from_this();
    context_.AddMetadata(rpc::kVersionKey, std::to_string(protocolVersion()));
    if (!token.empty()) context_.AddMetadata(rpc::kTokenKey, "Bearer " + token);
    stub.PrepareBidiStreamingCall(&context_, method, grpc::StubOptions(), this);
    AddHold();
    StartRead(&incoming_);
    StartCall();
  }

  using RpcStream::send;
  void send(std::vector<BufferPtr> pieces) override {
    if (queue_.push(std::move(pieces))) StartWrite(&queue_.current());
  }
  size_t queuedBytes() const override { return queue_.bytes(); }
  void finish(const Status&) override {
    if (finishing_.exchange(true)) return;
    if (queue_.close()) endWrites();
  }
  void abort() override { context_.TryCancel(); }
  std::string peer() const override { return peer_; }

  void OnReadDone(bool ok) override {
    if (!ok) {
      ended_.store(true);
      finishing_.store(true);
      if (queue_.close()) releaseHold();
      return;
    }
    BufferPtr message = rpc::fromByteBuffer(incoming_);
    incoming_.Clear();
    handler_->onMessage(std::move(message));
    StartRead(&incoming_);
  }

  void OnWriteDone(bool ok) override {
    if (queue_.done(ok)) return StartWrite(&queue_.current());
    if (!queue_.isClosed() || !queue_.isIdle()) return;
    if (ended_.load()) releaseHold();
    else if (finishing_.load()) endWrites();
  }

  void OnDone(const grpc::Status& status) override {
    handler_->onClosed(rpc::fromGrpc(status, peer_));
    handler_.reset();
    self_.reset();
  }

 private:
  void endWrites() {
    const MutexLock lock(hold_mutex_);      // without the hold the call may be gone
    if (!released_ && !std::exchange(writes_ended_, true)) StartWritesDone();
  }
  void releaseHold() {
    {
      const MutexLock lock(hold_mutex_);
      if (std::exchange(released_, true)) return;
    }
    RemoveHold();
  }

  const std::string peer_;
  std::shared_ptr<ClientStream> self_;
  std::shared_ptr<RpcHandler> handler_;
  grpc::ClientContext context_;
  grpc::ByteBuffer incoming_;
  rpc::SendQueue queue_;
  std::atomic<bool> finishing_{false};
  std::atomic<bool> ended_{false};
  Mutex hold_mutex_;
  bool writes_ended_ GUARDED_BY(hold_mutex_) = false;
  bool released_ GUARDED_BY(hold_mutex_) = false;
};

/// Waits for the one answer of a call.
class CallHandler final : public RpcHandler {
 public:
  void onMessage(BufferPtr message) override {
    const MutexLock lock(mutex_);
    answer_ = std::move(message);
  }
  void onClosed(const Status& status) override {
    const MutexLock lock(mutex_);
    status_ = status;
    closed_ = true;
    changed_.notifyAll();
  }
  /// False: not yet closed.
  bool waitFor(int64_t timeout_ms) {
    const MutexLock lock(mutex_);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
    while (!closed_) {
      if (!changed_.waitFor(mutex_, deadline - std::chrono::steady_clock::now()) && std::chrono::steady_clock::now() >= deadline) return closed_;
    }
    return true;
  }
  Result<BufferPtr> result() {
    const MutexLock lock(mutex_);
    if (!status_.isOk()) return status_;
    if (answer_ == nullptr) return Status::io("the call ended without an answer");
    return answer_;
  }

 private:
  Mutex mutex_;
  Condition changed_;
  BufferPtr answer_ GUARDED_BY(mutex_);
  Status status_ GUARDED_BY(mutex_);
  bool closed_ GUARDED_BY(mutex_) = false;
};

/// gRPC has one queue for the callbacks of all channels of a process, and frees it with the last of them: when that goes in a
/// callback, on a thread that then reads the freed queue. A channel that is never connected and never goes keeps the queue.
void keepCallbackQueue() {
  struct Keeper final : grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
    Keeper() : stub(grpc::CreateChannel("localhost:1", grpc::InsecureChannelCredentials())) {
      stub.PrepareBidiStreamingCall(&context, "/none", grpc::StubOptions(), this);      // takes the queue; it is never started
    }
    grpc::GenericStub stub;
    grpc::ClientContext context;
  };
  [[maybe_unused]] static const std::atomic<const Keeper*> kept{new Keeper()};      // atomic: kept in memory, where leak checkers look
}

}  // namespace

struct RpcChannel::Impl {
  RpcChannelOptions options;
  std::unique_ptr<grpc::GenericStub> stub;
};

RpcChannel::RpcChannel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RpcChannel::~RpcChannel() = default;

Result<std::unique_ptr<RpcChannel>> RpcChannel::connect(const RpcChannelOptions& options) {
  keepCallbackQueue();
  RETURN_IF_ERROR(HostPort::parse(options.address).status());
  ASSIGN_OR_RETURN(auto credentials, rpc::channelCredentials(options.security));
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(static_cast<int>(options.limits.message_bytes_max));
  arguments.SetMaxSendMessageSize(-1);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 5000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 5000);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, static_cast<int>(options.limits.connect_timeout_ms));   // how long one attempt may take
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  impl->stub = std::make_unique<grpc::GenericStub>(grpc::CreateCustomChannel(options.address, credentials, arguments));
  return std::unique_ptr<RpcChannel>(new RpcChannel(std::move(impl)));
}

std::shared_ptr<RpcStream> RpcChannel::openStream(const std::string& method, std::shared_ptr<RpcHandler> handler) {
  auto stream = std::make_shared<ClientStream>(impl_->options.address, std::move(handler));
  stream->begin(*impl_->stub, method, impl_->options.security.token);
  return stream;
}

Result<BufferPtr> RpcChannel::call(const std::string& method, std::string_view request, int64_t timeout_ms) {
  auto handler = std::make_shared<CallHandler>();
  const auto stream = openStream(method, handler);
  stream->send(request);
  stream->finish();
  if (!handler->waitFor(timeout_ms)) {
    stream->abort();
    return Status::io("no answer from " + impl_->options.address + " within " + std::to_string(timeout_ms) + " ms");
  }
  return handler->result();
}

}  // namespace thalweg
