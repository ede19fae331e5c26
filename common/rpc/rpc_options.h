// What both ends of a connection are told: limits, protocol version, and how they trust each other.
//
// Threads: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/base/status.h"

namespace thalweg {

/// The version of proto/thalweg/v1 and the exchange that this program speaks, and the oldest it still understands.
/// THALWEG_PROTOCOL_VERSION in the environment stands for another release in tests.
int protocolVersion();
constexpr int kProtocolVersion = 1;
constexpr int kOldestProtocolVersion = 1;
/// Ok if a peer of `version` can be worked with: the same, one newer, or one that is still understood.
Status checkProtocolVersion(std::string_view version, std::string_view peer);

struct RpcLimits {
  size_t message_bytes_max = size_t{64} << 20;
  int64_t connect_timeout_ms = 5000;
  size_t memory_bytes_max = size_t{256} << 20;   ///< of gRPC's own buffers, per server
  int threads_max = 64;                          ///< per server
};

/// Files in PEM; none: no TLS. A server with `ca_file` asks for client certificates, a client with `cert_file` shows
/// one.
struct RpcSecurity {
  std::string ca_file = {};
  std::string cert_file = {};
  std::string key_file = {};
  /// Asked for by servers, sent by clients; empty: none. Peers with a certificate of the same CA need none.
  std::string token = {};

  bool usesTls() const { return !ca_file.empty() || !cert_file.empty(); }
};

/// `host:port`, `[::1]:port`; INVALID_ARGUMENT says what is wrong.
struct HostPort {
  std::string host;
  int port = 0;
  static Result<HostPort> parse(std::string_view text);
  std::string toString() const;
  bool isLoopback() const;
};

}  // namespace thalweg
