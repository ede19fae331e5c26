#include "client/remote/cluster_client.h"

#include <cstdio>
#include <ctime>
#include <filesystem>

#include "thalweg/v1/client.pb.h"

namespace thalweg::client {
namespace {

constexpr int64_t kTimeoutMs = 10000;
constexpr int64_t kSavepointTimeoutMs = 3600000;

template <typename Reply, typename Request>
Result<Reply> call(RpcChannel& channel, const std::string& name, const Request& request, int64_t timeout_ms = kTimeoutMs) {
  ASSIGN_OR_RETURN(const BufferPtr bytes, channel.call("/thalweg.v1.Client/" + name, request.SerializeAsString(), timeout_ms));
  Reply reply;
  if (!reply.ParseFromArray(bytes->data(), static_cast<int>(bytes->sizeBytes()))) return Status::io("the coordinator's answer could not be read");
  return reply;
}

std::string timeText(int64_t time_ms) {
  if (time_ms == 0) return "-";
  const time_t seconds = time_ms / 1000;
  std::tm parts{};
  localtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &parts);
  return text;
}

std::string padded(std::string text, size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

v1::JobRequest requestOf(const std::string& job) {
  v1::JobRequest request;
  request.set_job_id(job);
  return request;
}

}  // namespace

std::string pathFromHere(const std::string& path) {
  if (path.empty() || path.find("://") != std::string::npos || path.starts_with("file:")) return path;
  std::error_code error;
  return std::filesystem::absolute(path, error).lexically_normal().string();
}

Result<std::unique_ptr<ClusterClient>> ClusterClient::connect(const std::string& address, const RpcSecurity& security) {
  ASSIGN_OR_RETURN(auto channel, RpcChannel::connect({.address = address, .security = security}));
  return std::unique_ptr<ClusterClient>(new ClusterClient(std::move(channel)));
}

Result<std::string> ClusterClient::list(bool all) {
  ASSIGN_OR_RETURN(const auto reply, call<v1::ListJobsReply>(*channel_, "ListJobs", v1::ListJobsRequest()));
  std::string text = padded("job", 34) + padded("state", 13) + padded("started", 21) + "name\n";
  for (const v1::JobInfo& job : reply.jobs()) {
    if (!all && job.end_time_ms() != 0) continue;
    text += padded(job.id(), 34) + padded(job.state(), 13) + padded(timeText(job.start_time_ms()), 21) + job.name() + "\n";
  }
  return text;
}

Result<std::string> ClusterClient::info(const std::string& job) {
  ASSIGN_OR_RETURN(const auto info, call<v1::JobInfo>(*channel_, "DescribeJob", requestOf(job)));
  std::string text = "job       " + info.id() + "\nname      " + info.name() + "\nstate     " + info.state() + "\nstarted   " + timeText(info.start_time_ms()) +
                     "\nended     " + timeText(info.end_time_ms()) + "\nattempt   " + std::to_string(info.attempt()) + "\n";
  if (!info.waiting_for().empty()) text += "waits for " + info.waiting_for() + "\n";
  const v1::CheckpointStatistics& checkpoints = info.checkpoints();
  if (checkpoints.triggered() > 0) {
    text += "checkpoints " + std::to_string(checkpoints.completed()) + " complete, " + std::to_string(checkpoints.failed()) + " failed\n";
  }
  if (!checkpoints.restored_from().empty()) text += "restarts from " + checkpoints.restored_from() + "\n";
  for (const v1::VertexInfo& vertex : info.vertices()) {
    text += "task      " + vertex.name() + " (parallelism " + std::to_string(vertex.parallelism()) + ")\n";
    for (const v1::OperatorReport& each : vertex.operators()) {
      text += "            " + each.name() + " [" + std::to_string(each.subtask() + 1) + "]: " + std::to_string(each.rows_in()) + " rows in, " +
              std::to_string(each.rows_out()) + " out\n";
    }
  }
  for (const v1::StuckReport& stuck : info.stuck()) {
    text += "stuck     in " + (stuck.operator_name().empty() ? std::string() : "operator '" + stuck.operator_name() + "' of ") + "task '" + stuck.task_name() + "' [" +
            std::to_string(stuck.subtask() + 1) + "] for " + std::to_string(stuck.seconds()) + " s, worker " + stuck.worker() + "\n" + stuck.stack();
  }
  for (const v1::JobException& exception : info.exceptions()) {
    text += "failure   " + timeText(exception.time_ms()) + ", attempt " + std::to_string(exception.attempt()) + ", " + exception.worker() + ": " +
            exception.failure().message() + "\n";
  }
  return text;
}

Result<std::string> ClusterClient::cancel(const std::string& job) {
  ASSIGN_OR_RETURN(const auto reply, call<v1::CancelReply>(*channel_, "CancelJob", requestOf(job)));
  return reply.state() + "\n";
}

Result<std::string> ClusterClient::savepoint(const std::string& job, const std::string& folder, bool stop) {
  v1::SavepointRequest request;
  request.set_job_id(job);
  request.set_folder(folder);
  request.set_stop(stop);
  ASSIGN_OR_RETURN(const auto reply, call<v1::SavepointReply>(*channel_, "Savepoint", request, kSavepointTimeoutMs));
  return reply.path() + "\n";
}

Result<std::string> ClusterClient::logs(const std::string& job, int lines) {
  v1::ReadLogsRequest request;
  request.set_job_id(job);
  request.set_lines(lines);
  ASSIGN_OR_RETURN(const auto reply, call<v1::ReadLogsReply>(*channel_, "ReadLogs", request));
  std::string text;
  for (const auto& log : reply.logs()) text += "==> " + log.worker() + "\n" + log.text();
  return text;
}

Result<std::string> ClusterClient::overview() {
  ASSIGN_OR_RETURN(const auto reply, call<v1::OverviewReply>(*channel_, "Overview", v1::OverviewRequest()));
  std::string text = std::to_string(reply.workers_size()) + " workers, " + std::to_string(reply.slots()) + " slots, " +
                     std::to_string(reply.free_slots()) + " free; version " + reply.version() + ", epoch " + std::to_string(reply.epoch()) + "\n";
  for (const v1::WorkerInfo& worker : reply.workers()) {
    text += "  " + padded(worker.id(), 30) + padded(worker.state(), 9) + std::to_string(worker.free_slots()) + " of " + std::to_string(worker.slots()) +
            " slots free, process " + std::to_string(worker.pid()) + " at " + worker.host() + ", " + std::to_string(worker.resident_bytes() >> 20) + " MB\n";
  }
  return text;
}

Result<int> ClusterClient::workers() {
  ASSIGN_OR_RETURN(const auto reply, call<v1::OverviewReply>(*channel_, "Overview", v1::OverviewRequest()));
  return reply.workers_size();
}

}  // namespace thalweg::client
