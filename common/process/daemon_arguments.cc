#include "common/process/daemon_arguments.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "common/log/log.h"
#include "common/process/daemon.h"

namespace thalweg {
namespace {

Status readArguments(int argc, char** argv, DaemonStart& start, const std::string& name, const std::string& version) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--version") {
      std::cout << name << ' ' << version << " (protocol " << protocolVersion() << ")\n";
      start.exit = 0;
    } else if (argument == "--describe") {
      std::cout << describeDaemonSettings();
      start.exit = 0;
    } else if (argument == "--insecure") {
      RETURN_IF_ERROR(start.settings.set("thalweg.insecure", "true"));
    } else if ((argument == "--config" || argument == "-D") && i + 1 < argc) {
      const std::string value = argv[++i];
      RETURN_IF_ERROR(argument == "-D" ? start.settings.setPair(value) : start.settings.loadFile(value));
    } else if (argument.starts_with("-D") && argument.size() > 2) {
      RETURN_IF_ERROR(start.settings.setPair(argument.substr(2)));
    } else {
      return Status::invalid("unknown argument '" + argument + "'; usage: " + name + " [--config FILE] [-D key=value …] [--insecure] [--describe] [--version]");
    }
  }
  return {};
}

Status prepare(DaemonStart& start, const std::string& name) {
  const DaemonSettings& settings = start.settings;
  start.security.ca_file = settings.text("thalweg.security.ca");
  start.security.cert_file = settings.text("thalweg.security.certificate");
  start.security.key_file = settings.text("thalweg.security.key");
  if (const std::string file = settings.text("thalweg.security.token-file"); !file.empty()) {
    ASSIGN_OR_RETURN(start.security.token, readWhole(file));
    while (!start.security.token.empty() && start.security.token.back() == '\n') start.security.token.pop_back();
    if (start.security.token.size() < 16) return Status::invalid("the token in " + file + " has fewer than 16 characters");
  }
  start.folder = settings.text("thalweg.folder");
  std::error_code error;
  if (start.folder.empty()) start.folder = (std::filesystem::temp_directory_path(error) / (name + "-" + std::to_string(getuid()))).string();
  std::filesystem::create_directories(start.folder, error);
  if (error) return Status::io("cannot make the folder " + start.folder + ": " + error.message());
  start.folder = std::filesystem::absolute(start.folder, error).string();
  return {};
}

}  // namespace

DaemonStart startDaemon(int argc, char** argv, const std::string& name, const std::string& version) {
  if (std::getenv("THALWEG_LOG") == nullptr) (void)setLogLevels("info");
  DaemonStart start;
  Status status = readArguments(argc, argv, start, name, version);
  if (status.isOk() && !start.exit) status = prepare(start, name);
  if (!status.isOk()) {
    std::cerr << name << ": " << status.message() << '\n';
    start.exit = 2;
  }
  return start;
}

Status checkBind(const std::string& host, const RpcSecurity& security, bool insecure) {
  if (HostPort{host, 0}.isLoopback()) return {};
  if (security.usesTls() && !security.token.empty()) return {};
  if (!insecure) {
    return Status::invalid("listening on " + host + " needs TLS (thalweg.security.ca, .certificate, .key) and a token (thalweg.security.token-file), or --insecure");
  }
  std::cerr << "\n  *** INSECURE: everybody who reaches " << host << " can run jobs on this machine as this user ***\n\n";
  LOG_WARN("common.process", "listening without TLS and token", {"host", host});
  return {};
}

}  // namespace thalweg
