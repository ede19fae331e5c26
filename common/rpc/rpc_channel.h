// RpcChannel: a connection to a server, made when it is first used and made again when it broke.
//
// Threads: all methods any. Lifetime: streams outlive the channel.
#pragma once

#include <memory>
#include <string>

#include "common/rpc/rpc_options.h"
#include "common/rpc/rpc_stream.h"

namespace thalweg {

struct RpcChannelOptions {
  std::string address;
  RpcSecurity security = {};
  RpcLimits limits = {};
};

class RpcChannel {
 public:
  static Result<std::unique_ptr<RpcChannel>> connect(const RpcChannelOptions& options);
  ~RpcChannel();

  /// A stream to `method`; the handler hears of everything that comes of it, also that nobody is there.
  std::shared_ptr<RpcStream> openStream(const std::string& method, std::shared_ptr<RpcHandler> handler);
  /// One message there, one back, within `timeout_ms`. Waits, so not on a handler's thread.
  Result<BufferPtr> call(const std::string& method, std::string_view request, int64_t timeout_ms);

 private:
  struct Impl;
  explicit RpcChannel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg
