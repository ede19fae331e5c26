#include "common/rpc/grpc_glue.h"

#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/status.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "common/columnar/batch_wire.h"

namespace thalweg {

void RpcStream::send(std::string_view message) {
  send(std::vector<BufferPtr>{Buffer::copyOf({reinterpret_cast<const uint8_t*>(message.data()), message.size()})});
}

namespace rpc {
namespace {

constexpr size_t kLentBytesMin = 2048;

grpc::Slice lend(BufferPtr piece) {
  auto* const kept = new BufferPtr(std::move(piece));
  return {const_cast<uint8_t*>((*kept)->data()), (*kept)->sizeBytes(), [](void* owner) { delete static_cast<BufferPtr*>(owner); }, kept};
}

Result<std::string> readPem(const std::string& path) {
  if (path.empty()) return std::string();
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream || text.str().empty()) return Status::io("cannot read the certificate or key file " + path);
  return text.str();
}

grpc::StatusCode grpcCode(StatusCode code) {
  switch (code) {
    case StatusCode::OK: return grpc::StatusCode::OK;
    case StatusCode::INVALID_ARGUMENT:
    case StatusCode::PARSE_ERROR:
    case StatusCode::PLAN_ERROR: return grpc::StatusCode::INVALID_ARGUMENT;
    case StatusCode::NOT_SUPPORTED: return grpc::StatusCode::UNIMPLEMENTED;
    case StatusCode::NOT_FOUND: return grpc::StatusCode::NOT_FOUND;
    case StatusCode::ALREADY_EXISTS: return grpc::StatusCode::ALREADY_EXISTS;
    case StatusCode::RESOURCE_EXHAUSTED: return grpc::StatusCode::RESOURCE_EXHAUSTED;
    case StatusCode::CANCELLED: return grpc::StatusCode::CANCELLED;
    case StatusCode::RUNTIME_ERROR: return grpc::StatusCode::ABORTED;
    case StatusCode::IO_ERROR: return grpc::StatusCode::UNAVAILABLE;
    case StatusCode::INTERNAL: return grpc::StatusCode::INTERNAL;
  }
  return grpc::StatusCode::UNKNOWN;
}

constexpr std::string_view kCodeTag = "thalweg-status:";

}  // namespace

grpc::ByteBuffer toByteBuffer(std::vector<BufferPtr> pieces) {
  std::vector<grpc::Slice> slices;
  std::string small;
  const auto flush = [&] {
    if (!small.empty()) slices.emplace_back(small);
    small.clear();
  };
  for (BufferPtr& piece : pieces) {
    if (piece->sizeBytes() < kLentBytesMin) {
      small.append(reinterpret_cast<const char*>(piece->data()), piece->sizeBytes());
      continue;
    }
    flush();
    slices.push_back(lend(std::move(piece)));
  }
  flush();
  return {slices.data(), slices.size()};
}

BufferPtr fromByteBuffer(const grpc::ByteBuffer& bytes) {
  std::vector<grpc::Slice> slices;
  (void)bytes.Dump(&slices);     // fails for compressed messages only, which we never ask for
  size_t size = 0;
  for (const grpc::Slice& slice : slices) size += slice.size();
  MutableBufferPtr buffer = Buffer::allocate(size);
  size_t at = 0;
  for (const grpc::Slice& slice : slices) {
    if (slice.size() > 0) std::memcpy(buffer->mutableData() + at, slice.begin(), slice.size());
    at += slice.size();
  }
  return buffer;
}

grpc::Status toGrpc(const Status& status) {
  if (status.isOk()) return grpc::Status::OK;
  return {grpcCode(status.code()), status.message(), std::string(kCodeTag) + std::to_string(static_cast<int>(status.code()))};
}

Status fromGrpc(const grpc::Status& status, const std::string& peer) {
  if (status.ok()) return {};
  const std::string details = status.error_details();
  if (details.starts_with(kCodeTag)) {
    const int code = std::atoi(details.c_str() + kCodeTag.size());
    if (code > 0 && code <= static_cast<int>(StatusCode::INTERNAL)) return {static_cast<StatusCode>(code), status.error_message()};
  }
  switch (status.error_code()) {
    case grpc::StatusCode::CANCELLED: return Status::cancelled("the call to " + peer + " was ended");
    case grpc::StatusCode::DEADLINE_EXCEEDED: return Status::io("no answer from " + peer + " in time");
    case grpc::StatusCode::UNIMPLEMENTED: return Status::notSupported(peer + " does not know this call: " + status.error_message());
    case grpc::StatusCode::RESOURCE_EXHAUSTED: return Status::exhausted(peer + ": " + status.error_message());
    default: return Status::io("the connection to " + peer + " failed: " + status.error_message());
  }
}

Result<std::shared_ptr<grpc::ServerCredentials>> serverCredentials(const RpcSecurity& security) {
  if (!security.usesTls()) return grpc::InsecureServerCredentials();
  ASSIGN_OR_RETURN(const std::string ca, readPem(security.ca_file));
  ASSIGN_OR_RETURN(const std::string cert, readPem(security.cert_file));
  ASSIGN_OR_RETURN(const std::string key, readPem(security.key_file));
  if (cert.empty() || key.empty()) return Status::invalid("a server with TLS needs a certificate and a key");
  grpc::SslServerCredentialsOptions options(ca.empty() ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                                       : GRPC_SSL_REQUEST_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = ca;
  options.pem_key_cert_pairs.push_back({key, cert});
  return grpc::SslServerCredentials(options);
}

Result<std::shared_ptr<grpc::ChannelCredentials>> channelCredentials(const RpcSecurity& security) {
  if (!security.usesTls()) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions options;
  ASSIGN_OR_RETURN(options.pem_root_certs, readPem(security.ca_file));
  ASSIGN_OR_RETURN(options.pem_cert_chain, readPem(security.cert_file));
  ASSIGN_OR_RETURN(options.pem_private_key, readPem(security.key_file));
  return grpc::SslCredentials(options);
}

SendQueue::SendQueue() : current_(std::make_unique<grpc::ByteBuffer>()) {}
SendQueue::~SendQueue() = default;

bool SendQueue::startNext() {
  std::vector<BufferPtr> pieces = std::move(waiting_.front());
  waiting_.pop_front();
  current_bytes_ = piecesBytes(pieces);
  *current_ = toByteBuffer(std::move(pieces));
  writing_ = true;
  return true;
}

bool SendQueue::push(std::vector<BufferPtr> pieces) {
  const MutexLock lock(mutex_);
  if (closed_) return false;
  bytes_ += piecesBytes(pieces);
  waiting_.push_back(std::move(pieces));
  return !writing_ && startNext();
}

bool SendQueue::done(bool ok) {
  const MutexLock lock(mutex_);
  writing_ = false;
  bytes_ -= current_bytes_;
  current_bytes_ = 0;
  if (!ok) {
    closed_ = true;
    waiting_.clear();
    bytes_ = 0;
  }
  return !waiting_.empty() && startNext();
}

bool SendQueue::close() {
  const MutexLock lock(mutex_);
  closed_ = true;
  return !writing_;
}

bool SendQueue::isIdle() const {
  const MutexLock lock(mutex_);
  return !writing_;
}

bool SendQueue::isClosed() const {
  const MutexLock lock(mutex_);
  return closed_;
}

size_t SendQueue::bytes() const {
  const MutexLock lock(mutex_);
  return bytes_;
}

grpc::ByteBuffer& SendQueue::current() { return *current_; }

}  // namespace rpc
}  // namespace thalweg
