// HttpServer: takes small HTTP requests and gives each to a handler.
//
//   ASSIGN_OR_RETURN(auto server, HttpServer::start({.address = "127.0.0.1:8081"}, handler));
//
// Bounded: bytes of a request, open connections, seconds that a peer may take for its request and for taking the answer.
// What exceeds a bound is answered or cut off, and harms nobody. With certificates it speaks TLS; with a token it answers
// only those who show it (`Authorization: Bearer …`), but for `/healthz`.
// Threads: one of its own, on which the handler is called, one request at a time. Lifetime: the destructor ends everything.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "common/rpc/rpc_options.h"

namespace thalweg::coordinator {

struct HttpRequest {
  std::string method;
  std::string path;                            ///< decoded, without the query
  std::map<std::string, std::string> query;    ///< decoded
};

struct HttpAnswer {
  int status = 200;
  std::string body;
  std::string content_type = "application/json;charset=UTF-8";
};

struct HttpServerOptions {
  std::string address = "127.0.0.1:0";         ///< port 0: one that is free
  RpcSecurity security = {};
  size_t connections_max = 256;
  size_t header_bytes_max = size_t{8} << 10;
  size_t body_bytes_max = size_t{64} << 10;
  int64_t timeout_ms = 10'000;
};

class HttpServer {
 public:
  using Handler = std::function<HttpAnswer(const HttpRequest& request)>;
  static Result<std::unique_ptr<HttpServer>> start(const HttpServerOptions& options, Handler handler);
  ~HttpServer();
  int port() const;

 private:
  struct Impl;
  explicit HttpServer(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

/// `/a%20b?x=1` in parts; INVALID_ARGUMENT for what is no target.
Result<HttpRequest> parseTarget(const std::string& method, const std::string& target);

}  // namespace thalweg::coordinator
