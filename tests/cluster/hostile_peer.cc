// Calls a port of a cluster as no honest peer does, and prints how each call ended. Not a test by itself: the port's owner
// must be as well afterwards as before (cluster_test.py).
//
//   cluster-hostile-peer HOST:PORT
#include <iostream>
#include <utility>

#include "common/base/random.h"
#include "common/rpc/rpc_channel.h"

using namespace thalweg;  // NOLINT: a program

namespace {

constexpr int64_t kTimeoutMs = 30000;
constexpr int kRandomMessages = 50;

std::string randomBytes(Random& random) {
  std::string bytes(random.nextBelow(300), '\0');
  for (char& byte : bytes) byte = static_cast<char>(random.nextBits());
  return bytes;
}

/// As a client without one of its requests: whatever comes, it must be an answer or an error, in time.
std::string outcome(RpcChannel& channel, const std::string& method, const std::string& message) {
  const auto answer = channel.call(method, message, kTimeoutMs);
  if (answer.isOk()) return "answered";
  return answer.status().message().starts_with("no answer") ? "still open" : answer.status().message();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto channel = RpcChannel::connect({.address = argv[1]});
  if (!channel.isOk()) return 1;
  Random random(5);
  std::string frame("THLG\x01\x02", 6);
  frame.resize(64);
  const std::string too_large((size_t{64} << 20) + 1, 'x');
  for (const char* service : {"/thalweg.v1.Control/Worker", "/thalweg.v1.Control/Task", "/thalweg.v1.Control/FetchProgram", "/thalweg.v1.Client/Run",
                              "/thalweg.v1.Client/ListJobs", "/thalweg.v1.Client/DescribeJob", "/thalweg.v1.Client/CancelJob", "/thalweg.v1.Client/ReadLogs",
                              "/thalweg.v1.Client/Savepoint", "/thalweg.v1.Client/PutProgram", "/thalweg.v1.Client/Overview", "/thalweg.v1.Exchange/Exchange", "/nobody/Knows"}) {
    const std::string method = service;
    for (int i = 0; i < kRandomMessages; ++i) (void)outcome(**channel, method, randomBytes(random));
    std::cout << method << ", a frame: " << outcome(**channel, method, frame) << '\n';
    std::cout << method << ", nothing: " << outcome(**channel, method, {}) << '\n';
    if (method.ends_with("/FetchProgram") || method.starts_with("/thalweg.v1.Client/")) continue;
    const std::string refused = outcome(**channel, method, too_large);
    std::cout << method << ", 64 MiB and more: " << (refused == "answered" ? "taken" : refused) << '\n';
  }
}
