// The `thalweg-worker` program.

#include <unistd.h>

#include <iostream>

#include "common/process/child_process.h"
#include "common/process/daemon.h"
#include "common/process/daemon_arguments.h"
#include "worker/host/worker_daemon.h"

using namespace thalweg;  // NOLINT: a program

int main(int argc, char** argv) {
  blockTermination();
  const DaemonStart start = startDaemon(argc, argv, "thalweg-worker", THALWEG_VERSION);
  if (start.exit) return *start.exit;
  const DaemonSettings& settings = start.settings;
  worker::WorkerOptions options;
  options.host = settings.text("taskmanager.host");
  if (const Status status = checkBind(options.host, start.security, settings.flag("thalweg.insecure")); !status.isOk()) {
    std::cerr << "thalweg-worker: " << status.message() << '\n';
    return 2;
  }
  options.coordinator = HostPort{settings.text("jobmanager.rpc.address"), static_cast<int>(settings.integer("jobmanager.rpc.port"))}.toString();
  options.id = settings.text("taskmanager.resource-id");
  options.slots = static_cast<int>(settings.integer("taskmanager.numberOfTaskSlots"));
  options.folder = start.folder;
  options.task_program = programBeside("thalweg-task");
  options.stop_grace_ms = settings.millis("task.cancellation.timeout");
  options.memory_bytes_total = static_cast<size_t>(settings.bytes("taskmanager.memory.process.size"));
  options.security = start.security;
  const int code = worker::runWorker(options);
  std::cerr.flush();
  _exit(code);
}
