#include "common/rpc/rpc_options.h"

#include <charconv>
#include <cstdlib>

namespace thalweg {

int protocolVersion() {
  static const int version = [] {
    const char* given = std::getenv("THALWEG_PROTOCOL_VERSION");
    return given != nullptr ? std::atoi(given) : kProtocolVersion;
  }();
  return version;
}

Status checkProtocolVersion(std::string_view version, std::string_view peer) {
  int number = 0;
  const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), number);
  const bool is_number = error == std::errc() && end == version.data() + version.size();
  const int mine = protocolVersion();
  if (is_number && number >= kOldestProtocolVersion && number <= mine + 1) return {};
  const std::string found = version.empty() ? "none" : std::string(version.substr(0, 20));
  return Status::invalid("expected a peer of protocol version " + std::to_string(kOldestProtocolVersion) + " to " +
                         std::to_string(mine + 1) + ", found " + found + " at " + std::string(peer) +
                         "; run releases that lie no more than one apart");
}

Result<HostPort> HostPort::parse(std::string_view text) {
  const size_t colon = text.rfind(':');
  HostPort result;
  if (colon != std::string_view::npos && colon > 0) {
    result.host = std::string(text.substr(0, colon));
    const std::string_view port = text.substr(colon + 1);
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), result.port);
    const bool whole = error == std::errc() && end == port.data() + port.size() && !port.empty();
    if (whole && result.port >= 0 && result.port <= 65535) {
      if (result.host.size() > 2 && result.host.front() == '[' && result.host.back() == ']') result.host = result.host.substr(1, result.host.size() - 2);
      return result;
    }
  }
  return Status::invalid("expected an address HOST:PORT, found '" + std::string(text) + "'");
}

std::string HostPort::toString() const {
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

bool HostPort::isLoopback() const { return host == "localhost" || host == "::1" || host.starts_with("127."); }

}  // namespace thalweg
