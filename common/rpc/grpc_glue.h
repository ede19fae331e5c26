// The borders between our bytes and statuses and gRPC's, for the .cc files of this room only.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "common/base/mutex.h"
#include "common/rpc/rpc_options.h"
#include "common/rpc/rpc_stream.h"

namespace grpc {
class ByteBuffer;
class Status;
class ChannelCredentials;
class ServerCredentials;
}  // namespace grpc

namespace thalweg::rpc {

constexpr const char* kVersionKey = "thalweg-protocol";
constexpr const char* kTokenKey = "authorization";

/// Small pieces are copied together, large ones are lent to gRPC.
grpc::ByteBuffer toByteBuffer(std::vector<BufferPtr> pieces);
/// One aligned buffer.
BufferPtr fromByteBuffer(const grpc::ByteBuffer& bytes);

grpc::Status toGrpc(const Status& status);
Status fromGrpc(const grpc::Status& status, const std::string& peer);

Result<std::shared_ptr<grpc::ServerCredentials>> serverCredentials(const RpcSecurity& security);
Result<std::shared_ptr<grpc::ChannelCredentials>> channelCredentials(const RpcSecurity& security);

/// Messages on their way out: one is being written, the others wait.
/// Threads: any; the caller of next() or done() that gets a message starts its write.
class SendQueue {
 public:
  /// True if the caller must start writing `current()`.
  bool push(std::vector<BufferPtr> pieces);
  /// The write is over; true if another is to be started. `ok` false: all that waits is dropped.
  bool done(bool ok);
  /// Nothing more is taken. True if nothing is being written, so that the stream may be ended at once.
  bool close();
  bool isIdle() const;
  bool isClosed() const;
  size_t bytes() const;
  grpc::ByteBuffer& current();
  SendQueue();
  ~SendQueue();

 private:
  bool startNext() REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::deque<std::vector<BufferPtr>> waiting_ GUARDED_BY(mutex_);
  size_t bytes_ GUARDED_BY(mutex_) = 0;
  size_t current_bytes_ GUARDED_BY(mutex_) = 0;
  bool writing_ GUARDED_BY(mutex_) = false;
  bool closed_ GUARDED_BY(mutex_) = false;
  std::unique_ptr<grpc::ByteBuffer> current_;
};

}  // namespace thalweg::rpc
