// What a server refuses: messages that are too large, other versions, callers without the token.
#include "common/rpc/rpc_channel.h"
#include "common/rpc/rpc_server.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

constexpr int64_t kTimeoutMs = 60000;

/// Sends back how many bytes it got.
class Counting final : public RpcHandler {
 public:
  explicit Counting(std::shared_ptr<RpcStream> stream) : stream_(std::move(stream)) {}
  void onMessage(BufferPtr message) override { stream_->send(std::to_string(message->sizeBytes())); }
  void onClosed(const Status&) override { stream_.reset(); }

 private:
  std::shared_ptr<RpcStream> stream_;
};

std::unique_ptr<RpcServer> serverWith(RpcServerOptions options) {
  auto server = RpcServer::start(options, [](const std::string& method, const std::shared_ptr<RpcStream>& stream) -> std::shared_ptr<RpcHandler> {
    return method == "/test/Count" ? std::make_shared<Counting>(stream) : nullptr;
  });
  REQUIRE(server.isOk());
  return *std::move(server);
}

Result<std::string> callWith(const RpcServer& server, const std::string& method, size_t bytes, const std::string& token = {}) {
  ASSIGN_OR_RETURN(const auto channel, RpcChannel::connect({.address = "127.0.0.1:" + std::to_string(server.port()), .security = {.token = token}}));
  ASSIGN_OR_RETURN(const BufferPtr answer, channel->call(method, std::string(bytes, 'x'), kTimeoutMs));
  return std::string(textOf(answer));
}

TEST_CASE("a message above the limit is refused with both sizes, and the next one is taken") {
  const auto server = serverWith({.limits = {.message_bytes_max = size_t{1} << 20}});
  const auto refused = callWith(*server, "/test/Count", (size_t{1} << 20) + 1);
  REQUIRE_FALSE(refused.isOk());
  CHECK(refused.status().message().find("1048577") != std::string::npos);
  CHECK(refused.status().message().find("1048576") != std::string::npos);
  CHECK(*callWith(*server, "/test/Count", size_t{1} << 20) == "1048576");
}

TEST_CASE("channels come and go, the last of them with its call's end") {
  const auto server = serverWith({});
  for (int i = 0; i < 100; ++i) CHECK(*callWith(*server, "/test/Count", 10) == "10");      // the stream outlives the channel by a moment
}

TEST_CASE("a call that does not exist is refused by its name") {
  const auto server = serverWith({});
  const auto refused = callWith(*server, "/test/Unheard", 1);
  CHECK(refused.status().message().find("there is no call /test/Unheard") != std::string::npos);
}

TEST_CASE("a caller without the token is refused") {
  const auto server = serverWith({.security = {.token = "secret"}});
  CHECK_FALSE(callWith(*server, "/test/Count", 1).isOk());
  CHECK_FALSE(callWith(*server, "/test/Count", 1, "guess!").isOk());
  CHECK(*callWith(*server, "/test/Count", 1, "secret") == "1");
}

TEST_CASE("versions that lie at most one apart work together, others are named") {
  CHECK(checkProtocolVersion(std::to_string(kProtocolVersion), "peer").isOk());
  CHECK(checkProtocolVersion(std::to_string(kProtocolVersion + 1), "peer").isOk());
  for (const std::string version : {"", "0", "-1", "1x", "99999999999999999999", std::to_string(kProtocolVersion + 2).c_str()}) {
    const Status refused = checkProtocolVersion(version, "peer:1");
    CHECK(refused.message().find(version.empty() ? "found none" : "found " + version.substr(0, 20)) != std::string::npos);
    CHECK(refused.message().find("at peer:1") != std::string::npos);
  }
}

}  // namespace
}  // namespace thalweg
