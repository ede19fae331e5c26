// The `thalweg-coordinator` program.

#include <unistd.h>

#include <iostream>

#include "common/log/log.h"
#include "common/process/daemon.h"
#include "common/process/daemon_arguments.h"
#include "coordinator/service/coordinator.h"

namespace {

using namespace thalweg;  // NOLINT: a program

Status run(const DaemonStart& start) {
  const DaemonSettings& settings = start.settings;
  const std::string host = settings.text("jobmanager.bind-host");
  RETURN_IF_ERROR(checkBind(host, start.security, settings.flag("thalweg.insecure")));
  coordinator::CoordinatorOptions options;
  options.address = HostPort{host, static_cast<int>(settings.integer("jobmanager.rpc.port"))}.toString();
  options.folder = start.folder;
  options.heartbeat_interval_ms = static_cast<int>(settings.millis("heartbeat.interval"));
  options.suspect_after_ms = settings.millis("thalweg.heartbeat.suspect");
  options.dead_after_ms = settings.millis("heartbeat.timeout");
  options.jobs_retained = static_cast<size_t>(settings.integer("jobstore.max-capacity"));
  options.defaults = settings.jobDefaults();
  options.security = start.security;
  ASSIGN_OR_RETURN(const auto coordinator, coordinator::Coordinator::start(options));
  RETURN_IF_ERROR(writeWhole(start.folder + "/coordinator.address", HostPort{host, coordinator->port()}.toString() + "\n"));
  const int signal = waitForTermination();
  LOG_INFO("coordinator.service", "stopping", {"signal", signal});
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  blockTermination();
  const DaemonStart start = startDaemon(argc, argv, "thalweg-coordinator", THALWEG_VERSION);
  if (start.exit) return *start.exit;
  const Status status = run(start);
  if (!status.isOk()) std::cerr << "thalweg-coordinator: " << status.message() << '\n';
  std::cerr.flush();
  _exit(status.isOk() ? 0 : 2);   // threads of streams may still run; nothing is left to be saved
}
