// A stream of the server is a reactor that owns itself: it goes when gRPC says OnDone. gRPC allows Finish only while
// nothing is being written, so whoever wants to end the stream says so in the send queue, and the last write, or the
// caller if there is none, calls Finish.
#include "common/rpc/rpc_server.h"

#include <atomic>

#include "common/log/log.h"
#include "common/rpc/grpc_glue.h"

#include <grpcpp/generic/async_generic_service.h>  // after ours: it defines the thread annotations again
#include <grpcpp/resource_quota.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

namespace thalweg {
namespace {

class ServerStream final : public grpc::ServerGenericBidiReactor, public RpcStream, public std::enable_shared_from_this<ServerStream> {
 public:
  explicit ServerStream(grpc::GenericCallbackServerContext& context) : context_(context), peer_(context.peer()) {}

  /// `handler` null: the call is refused with `refusal`.
  void begin(std::shared_ptr<RpcHandler> handler, const Status& refusal) {
    self_ = shared_from_this();
    handler_ = std::move(handler);
    if (handler_ == nullptr) {
      closed_told_.store(true);
      return finish(refusal);
    }
    StartRead(&incoming_);
  }

  using RpcStream::send;
  void send(std::vector<BufferPtr> pieces) override {
    if (queue_.push(std::move(pieces))) StartWrite(&queue_.current());
  }
  size_t queuedBytes() const override { return queue_.bytes(); }
  void finish(const Status& status) override {
    {
      const MutexLock lock(mutex_);
      if (finishing_) return;
      finishing_ = true;
      final_ = status;
    }
    if (queue_.close()) callFinish();
  }
  void abort() override {
    {
      const MutexLock lock(context_mutex_);
      if (!done_) context_.TryCancel();
    }
    finish(Status::cancelled("ended by the server"));
  }
  std::string peer() const override { return peer_; }

  void OnReadDone(bool ok) override {
    if (!ok) {
      const bool in_order = !context_.IsCancelled();
      const bool answers = in_order && handler_->answersAfterEnd();
      tellClosed(in_order ? Status() : Status::io("the connection to " + peer_ + " broke"));
      return answers ? void() : finish(Status());
    }
    BufferPtr message = rpc::fromByteBuffer(incoming_);
    incoming_.Clear();
    handler_->onMessage(std::move(message));
    StartRead(&incoming_);
  }

  void OnWriteDone(bool ok) override {
    if (queue_.done(ok)) return StartWrite(&queue_.current());
    bool finishing = false;
    {
      const MutexLock lock(mutex_);
      finishing = finishing_;
    }
    if (finishing && queue_.isIdle()) callFinish();
  }

  void OnCancel() override {
    tellClosed(Status::io("the connection to " + peer_ + " broke"));
    finish(Status::cancelled("the client has gone"));
  }

  void OnDone() override {
    tellClosed(Status::io("the call was ended"));
    {
      const MutexLock lock(context_mutex_);
      done_ = true;
    }
    handler_.reset();
    self_.reset();
  }

 private:
  void callFinish() {
    if (finish_called_.exchange(true)) return;
    Status status;
    {
      const MutexLock lock(mutex_);
      status = final_;
    }
    Finish(rpc::toGrpc(status));
  }

  void tellClosed(const Status& status) {
    if (!closed_told_.exchange(true)) handler_->onClosed(status);
  }

  grpc::GenericCallbackServerContext& context_;
  const std::string peer_;
  std::shared_ptr<ServerStream> self_;
  std::shared_ptr<RpcHandler> handler_;
  grpc::ByteBuffer incoming_;
  rpc::SendQueue queue_;
  std::atomic<bool> closed_told_{false};
  std::atomic<bool> finish_called_{false};
  Mutex context_mutex_;
  bool done_ GUARDED_BY(context_mutex_) = false;       // the context is gone
  Mutex mutex_;
  bool finishing_ GUARDED_BY(mutex_) = false;
  Status final_ GUARDED_BY(mutex_);
};

std::string metadataOf(const grpc::GenericCallbackServerContext& context, const char* key) {
  const auto found = context.client_metadata().find(key);
  return found == context.client_metadata().end() ? std::string() : std::string(found->second.data(), found->second.size());
}

/// Equal in a time that does not depend on where they differ.
bool sameSecret(const std::string& a, const std::string& b) {
  unsigned different = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) different |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return different == 0;
}

/// What a token does not open: registering as a worker, speaking for a task, sending rows.
bool isBetweenDaemons(const std::string& method) {
  return method.starts_with("/thalweg.v1.Control/") || method.starts_with("/thalweg.v1.Exchange/");
}

}  // namespace

struct RpcServer::Impl : grpc::CallbackGenericService {
  Impl(RpcServerOptions given, Accept accept_calls) : options(std::move(given)), accept(std::move(accept_calls)) {}

  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext* context) override {
    auto stream = std::make_shared<ServerStream>(*context);
    Status refusal = admission(*context);
    std::shared_ptr<RpcHandler> handler;
    if (refusal.isOk()) {
      handler = accept(context->method(), stream);
      if (handler == nullptr) refusal = Status::notSupported("there is no call " + context->method());
    }
    if (!refusal.isOk()) LOG_WARN("common.rpc", "a call was refused", {"peer", context->peer()}, {"error", refusal});
    stream->begin(std::move(handler), refusal);
    return stream.get();
  }

  Status admission(const grpc::GenericCallbackServerContext& context) const {
    RETURN_IF_ERROR(checkProtocolVersion(metadataOf(context, rpc::kVersionKey), context.peer()));
    const auto auth = context.auth_context();
    const bool certified = options.security.usesTls() && auth != nullptr && auth->IsPeerAuthenticated();
    if (!options.security.ca_file.empty() && isBetweenDaemons(context.method()) && !certified) {
      return Status::invalid("this call is for daemons: a certificate of the cluster's authority is asked for, and none was shown");
    }
    if (certified || options.security.token.empty()) return {};
    if (sameSecret(metadataOf(context, rpc::kTokenKey), "Bearer " + options.security.token)) return {};
    return Status::invalid("a token is asked for, and none or another was given; set it with --token-file");
  }

  const RpcServerOptions options;
  const Accept accept;
  std::unique_ptr<grpc::Server> server;
  int port = 0;
};

RpcServer::RpcServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RpcServer::~RpcServer() { stop(); }

Result<std::unique_ptr<RpcServer>> RpcServer::start(const RpcServerOptions& options, Accept accept) {
  auto impl = std::make_unique<Impl>(options, std::move(accept));
  ASSIGN_OR_RETURN(auto credentials, rpc::serverCredentials(options.security));
  grpc::ServerBuilder builder;
  builder.AddListeningPort(options.address, credentials, &impl->port);
  builder.RegisterCallbackGenericService(impl.get());
  builder.SetMaxReceiveMessageSize(static_cast<int>(options.limits.message_bytes_max));
  builder.SetMaxSendMessageSize(-1);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 1000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  grpc::ResourceQuota quota("thalweg");
  quota.Resize(options.limits.memory_bytes_max).SetMaxThreads(options.limits.threads_max);
  builder.SetResourceQuota(quota);
  impl->server = builder.BuildAndStart();
  if (impl->server == nullptr || impl->port == 0) {
    return Status::io("cannot listen on " + options.address + ": the address is taken or not this machine's");
  }
  return std::unique_ptr<RpcServer>(new RpcServer(std::move(impl)));
}

int RpcServer::port() const { return impl_->port; }

void RpcServer::stop() {
  if (impl_->server == nullptr) return;
  impl_->server->Shutdown(std::chrono::system_clock::now());
  impl_->server->Wait();
  impl_->server.reset();
}

}  // namespace thalweg
