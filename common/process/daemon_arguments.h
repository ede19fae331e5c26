// The command line of our daemons, and the rule of who may listen where.
//
//   thalweg-worker --config FILE -D key=value … | --describe | --version
//
// Threads: at start only.
#pragma once

#include <optional>
#include <string>

#include "common/config/daemon_settings.h"
#include "common/rpc/rpc_options.h"

namespace thalweg {

struct DaemonStart {
  DaemonSettings settings;
  RpcSecurity security;
  std::string folder;          ///< made, if it did not exist
  std::optional<int> exit;     ///< everything was said: end with this code
};

/// Reads arguments and files; prints what is wrong or was asked for. `name` is the program's, `version` its release.
DaemonStart startDaemon(int argc, char** argv, const std::string& name, const std::string& version);

/// Loopback always; another address with TLS and a token, or if `insecure`, which is shown loudly.
Status checkBind(const std::string& host, const RpcSecurity& security, bool insecure);

}  // namespace thalweg
