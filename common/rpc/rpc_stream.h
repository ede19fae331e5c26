// RpcStream and RpcHandler: one call between two processes, a stream of messages in each direction.
//
// Threads: RpcStream any; a handler's methods come one at a time on gRPC's threads and must not block for long.
// Lifetime: a stream keeps its handler until onClosed() has returned; whoever holds the stream may go on calling it,
// without effect once it is closed.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/buffer.h"
#include "common/base/status.h"

namespace thalweg {

/// What is told of a stream's other end.
class RpcHandler {
 public:
  virtual ~RpcHandler() = default;
  virtual void onMessage(BufferPtr message) = 0;
  /// The last call: ok when the peer ended the stream in order, else why it broke.
  virtual void onClosed(const Status& status) = 0;
  /// Of a server: the answer may still come when the client has said all; the handler then ends the stream itself.
  virtual bool answersAfterEnd() const { return false; }
};

class RpcStream {
 public:
  virtual ~RpcStream() = default;
  /// One message, from pieces that are written one after the other and kept until they are.
  virtual void send(std::vector<BufferPtr> pieces) = 0;
  void send(std::string_view message);
  /// Bytes that were given to send() and not yet to the network.
  virtual size_t queuedBytes() const = 0;
  /// Nothing more will be sent. A server says with it how the call ended; what was sent before still arrives if that
  /// is ok.
  virtual void finish(const Status& status) = 0;
  void finish() { finish(Status()); }
  /// Ends the stream now, whatever is on its way.
  virtual void abort() = 0;
  /// Where the other end is, for messages.
  virtual std::string peer() const = 0;
};

inline std::string_view textOf(const BufferPtr& message) {
  return {reinterpret_cast<const char*>(message->data()), message->sizeBytes()};
}

}  // namespace thalweg
