// RpcServer: takes calls of other processes and hands each to a handler.
//
//   ASSIGN_OR_RETURN(auto server, RpcServer::start({.address = "127.0.0.1:0"}, accept));
//   server->port();
//
// Threads: `accept` any, several at once. Lifetime: stop() ends all calls and waits for their onClosed().
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/rpc/rpc_options.h"
#include "common/rpc/rpc_stream.h"

namespace thalweg {

struct RpcServerOptions {
  std::string address = "127.0.0.1:0";       ///< port 0: one that is free
  RpcSecurity security = {};
  RpcLimits limits = {};
};

class RpcServer {
 public:
  /// The handler of a call of `method` ("/thalweg.v1.Control/Worker"); null: there is no such method.
  using Accept = std::function<std::shared_ptr<RpcHandler>(const std::string& method, const std::shared_ptr<RpcStream>& stream)>;

  static Result<std::unique_ptr<RpcServer>> start(const RpcServerOptions& options, Accept accept);
  ~RpcServer();
  int port() const;
  void stop();

 private:
  struct Impl;
  explicit RpcServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg
