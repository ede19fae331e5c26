// The `thalweg-coordinator` program.

#include <unistd.h>

#include <iostream>

#include "common/log/log.h"
#include "common/process/daemon.h"
#include "common/process/daemon_arguments.h"
#include "coordinator/http/rest_api.h"
#include "coordinator/service/coordinator.h"

namespace {

using namespace thalweg;  // NOLINT: a program

/// The read-only REST interface; null if it is turned off. A token, where there is one, is asked for here, too.
Result<std::unique_ptr<coordinator::HttpServer>> startRest(const DaemonStart& start, coordinator::Coordinator& jobs) {
  const DaemonSettings& settings = start.settings;
  if (settings.integer("rest.port") < 0) return std::unique_ptr<coordinator::HttpServer>();
  const std::string host = settings.text("rest.bind-address");
  RETURN_IF_ERROR(checkBind(host, start.security, settings.flag("thalweg.insecure")));
  coordinator::RestSource source;
  source.list_jobs = [&jobs](v1::ListJobsReply& reply) { jobs.listJobs(reply); };
  source.describe_job = [&jobs](const std::string& id, v1::JobInfo& info) { return jobs.describeJob(id, info); };
  source.overview = [&jobs](v1::OverviewReply& reply) { jobs.overview(reply); };
  coordinator::HttpServerOptions options;
  options.address = HostPort{host, static_cast<int>(settings.integer("rest.port"))}.toString();
  options.security = start.security;
  ASSIGN_OR_RETURN(auto server, coordinator::HttpServer::start(options, [api = coordinator::RestApi(source)](const coordinator::HttpRequest& request) { return api.answer(request); }));
  RETURN_IF_ERROR(writeWhole(start.folder + "/rest.address", HostPort{host, server->port()}.toString() + "\n"));
  LOG_INFO("coordinator.http", "listening", {"port", server->port()});
  return server;
}

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
  ASSIGN_OR_RETURN(const auto rest, startRest(start, *coordinator));
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
