#include "bench/exchange/bare_stream.h"

#include <atomic>
#include <chrono>
#include <fstream>
#include <future>
#include <sstream>

#include <grpcpp/create_channel.h>  // after ours: it defines the thread annotations again
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/support/client_callback.h>

namespace thalweg::bench {
namespace {

constexpr const char* kMethod = "/bench/Stream";

int64_t nowNanos() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

std::string readPem(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::shared_ptr<grpc::ServerCredentials> serverCredentials(const std::string& folder) {
  if (folder.empty()) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions options(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = readPem(folder + "/ca.pem");
  options.pem_key_cert_pairs.push_back({readPem(folder + "/daemon.key"), readPem(folder + "/daemon.pem")});
  return grpc::SslServerCredentials(options);
}

std::shared_ptr<grpc::ChannelCredentials> channelCredentials(const std::string& folder) {
  if (folder.empty()) return grpc::InsecureChannelCredentials();
  return grpc::SslCredentials({readPem(folder + "/ca.pem"), readPem(folder + "/daemon.key"), readPem(folder + "/daemon.pem")});
}

class Reader final : public grpc::ServerGenericBidiReactor {
 public:
  Reader(bool echo, std::promise<void>& ended) : echo_(echo), ended_(ended) { StartRead(&incoming_); }
  void OnReadDone(bool ok) override {
    if (!ok) return Finish(grpc::Status::OK);
    if (echo_) StartWrite(&incoming_);
    else StartRead(&incoming_);
  }
  void OnWriteDone(bool ok) override {
    if (ok) StartRead(&incoming_);
  }
  void OnDone() override {
    ended_.set_value();
    delete this;
  }

 private:
  const bool echo_;
  std::promise<void>& ended_;
  grpc::ByteBuffer incoming_;
};

class Service final : public grpc::CallbackGenericService {
 public:
  Service(bool echo, std::promise<void>& ended) : echo_(echo), ended_(ended) {}
  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext*) override { return new Reader(echo_, ended_); }

 private:
  const bool echo_;
  std::promise<void>& ended_;
};

grpc::ByteBuffer frameOf(const std::vector<BufferPtr>& pieces) {
  std::vector<grpc::Slice> slices;
  for (const BufferPtr& piece : pieces) slices.emplace_back(piece->data(), piece->sizeBytes(), grpc::Slice::STATIC_SLICE);
  return {slices.data(), slices.size()};
}

/// One call to the other process, which ends when `count` messages have been sent (and have come back).
class Call : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  explicit Call(int64_t count) : left_(count) {}

  Status run(const std::string& certificates, int port) {
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(-1);
    grpc::GenericStub stub(grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(port), channelCredentials(certificates), arguments));
    stub.PrepareBidiStreamingCall(&context_, kMethod, grpc::StubOptions(), this);
    begin();
    StartCall();
    const grpc::Status status = ended_->get_future().get();
    return status.ok() ? Status() : Status::io("the bare stream broke: " + status.error_message());
  }
  void OnDone(const grpc::Status& status) override {
    const auto ended = ended_;            // this call may be gone before set_value() comes back
    ended->set_value(status);
  }

 protected:
  virtual void begin() = 0;
  /// False: it was the last one, and the stream ends.
  bool another() {
    if (--left_ > 0) return true;
    StartWritesDone();
    return false;
  }

 private:
  int64_t left_;
  grpc::ClientContext context_;
  std::shared_ptr<std::promise<grpc::Status>> ended_ = std::make_shared<std::promise<grpc::Status>>();
};

class Writer final : public Call {
 public:
  Writer(const std::vector<BufferPtr>& pieces, int64_t count) : Call(count), pieces_(pieces) {}
  void begin() override { write(); }
  void OnWriteDone(bool ok) override {
    if (ok && another()) write();
  }

 private:
  void write() {
    outgoing_ = frameOf(pieces_);
    StartWrite(&outgoing_);
  }
  const std::vector<BufferPtr>& pieces_;
  grpc::ByteBuffer outgoing_;
};

class Pinger final : public Call {
 public:
  Pinger(const std::vector<BufferPtr>& message, int64_t count) : Call(count), outgoing_(frameOf(message)) {}
  void begin() override { ping(); }
  void OnReadDone(bool ok) override {
    if (!ok) return;
    nanos_.push_back(nowNanos() - sent_ns_);
    onHalf();
  }
  void OnWriteDone(bool ok) override {
    if (ok) onHalf();
  }
  std::vector<int64_t> take() { return std::move(nanos_); }

 private:
  /// The answer may be here before its own message counts as written.
  void onHalf() {
    if (halves_missing_.fetch_sub(1) == 1 && another()) ping();
  }
  void ping() {
    halves_missing_ = 2;
    sent_ns_ = nowNanos();
    StartRead(&incoming_);
    StartWrite(&outgoing_);
  }
  grpc::ByteBuffer outgoing_;
  grpc::ByteBuffer incoming_;
  std::atomic<int> halves_missing_{2};
  int64_t sent_ns_ = 0;
  std::vector<int64_t> nanos_;
};

}  // namespace

Status takeBareStream(const std::string& certificates, bool echo, const std::function<void(int port)>& listening, const std::function<void()>& taken) {
  std::promise<void> ended;
  Service service(echo, ended);
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", serverCredentials(certificates), &port);
  builder.RegisterCallbackGenericService(&service);
  builder.SetMaxReceiveMessageSize(-1);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) return Status::io("the bare stream's server did not start");
  listening(port);
  ended.get_future().wait();
  taken();
  server->Shutdown();
  return {};
}

Status sendBareStream(const std::string& certificates, int port, const std::vector<BufferPtr>& frame, int64_t count) {
  Writer writer(frame, count);
  return writer.run(certificates, port);
}

Result<std::vector<int64_t>> bareRoundTrips(const std::string& certificates, int port, size_t bytes, int64_t count) {
  const std::vector<BufferPtr> message{Buffer::allocateZeroed(bytes)};
  Pinger pinger(message, count);
  RETURN_IF_ERROR(pinger.run(certificates, port));
  return pinger.take();
}

}  // namespace thalweg::bench
