#include "coordinator/http/rest_api.h"

#include <algorithm>
#include <optional>

#include "common/process/daemon.h"
#include "common/time/clock.h"
#include "coordinator/http/job_json.h"
#include "coordinator/http/metrics_text.h"
#include "thalweg/v1/client.pb.h"

namespace thalweg::coordinator {
namespace {

constexpr size_t kPartsMax = 16;
constexpr size_t kExceptionsShown = 20;

HttpAnswer notFound(const std::string& what) { return {404, "{\"errors\":[\"" + what + "\"]}"}; }

int64_t nowMillis() { return SystemClock().nowMillis(); }

/// Between slashes, without the `v1` at the beginning; empty parts fall away.
std::vector<std::string> partsOf(const std::string& path) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (begin < path.size() && parts.size() <= kPartsMax) {
    const size_t end = std::min(path.find('/', begin), path.size());
    if (end > begin) parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  if (!parts.empty() && parts[0] == "v1") parts.erase(parts.begin());
  return parts;
}

std::optional<int> numberOf(const std::string& text) {
  if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::stoi(text);
}

}  // namespace

HttpAnswer RestApi::answer(const HttpRequest& request) const {
  if (request.method != "GET" && request.method != "HEAD") return {405, "{\"errors\":[\"this interface only reads: expected GET\"]}"};
  const std::vector<std::string> parts = partsOf(request.path);
  const std::string first = parts.empty() ? "overview" : parts[0];
  if (parts.size() <= 1) {
    if (first == "healthz") return {200, "ok\n", "text/plain"};
    if (first == "metrics") {
      v1::OverviewReply overview;
      v1::ListJobsReply all;
      source_.overview(overview);
      source_.list_jobs(all);
      std::vector<v1::JobInfo> jobs;
      for (const v1::JobInfo& job : all.jobs()) {
        jobs.push_back(job);
        if (job.end_time_ms() == 0) (void)source_.describe_job(job.id(), jobs.back());
      }
      return {200, metricsText(overview, jobs, residentBytes(), nowMillis()), kMetricsContentType};
    }
    if (first == "overview" || first == "config") {
      v1::OverviewReply overview;
      source_.overview(overview);
      if (first == "config") return {200, clusterConfigJson(overview)};
      v1::ListJobsReply jobs;
      source_.list_jobs(jobs);
      return {200, overviewJson(overview, jobs)};
    }
  }
  if (first == "jobs") return answerJob(parts, request);
  if (first == "taskmanagers") return answerWorkers(parts);
  return notFound("there is no such path");
}

HttpAnswer RestApi::answerJob(const std::vector<std::string>& parts, const HttpRequest& request) const {
  if (parts.size() == 1 || (parts.size() == 2 && parts[1] == "overview")) {
    v1::ListJobsReply jobs;
    source_.list_jobs(jobs);
    if (parts.size() == 1) return {200, jobIdsJson(jobs)};
    v1::ListJobsReply with_vertices;
    for (const v1::JobInfo& job : jobs.jobs()) {
      if (!source_.describe_job(job.id(), *with_vertices.add_jobs()).isOk()) with_vertices.mutable_jobs()->RemoveLast();
    }
    return {200, jobsOverviewJson(with_vertices, nowMillis())};
  }
  v1::JobInfo job;
  if (!source_.describe_job(parts[1], job).isOk() || job.id() != parts[1]) return notFound("there is no such job");
  if (parts.size() == 2) return {200, jobJson(job, nowMillis())};
  const std::string& what = parts[2];
  if (parts.size() == 3) {
    if (what == "status") return {200, jobStatusJson(job)};
    if (what == "plan") return {200, jobPlanJson(job)};
    if (what == "checkpoints") return {200, checkpointsJson(job)};
    if (what == "exceptions") {
      const auto wanted = request.query.find("maxExceptions");
      if (wanted == request.query.end()) return {200, exceptionsJson(job, kExceptionsShown)};
      const std::optional<int> count = numberOf(wanted->second);
      if (!count) return {400, "{\"errors\":[\"maxExceptions: expected a number\"]}"};
      return {200, exceptionsJson(job, static_cast<size_t>(*count))};
    }
  }
  if (what == "vertices" && parts.size() >= 4) return answerVertex(job, parts);
  return notFound("there is no such path");
}

HttpAnswer RestApi::answerVertex(const v1::JobInfo& job, const std::vector<std::string>& parts) const {
  const int vertex = findVertex(job, parts[3]);
  if (vertex < 0) return notFound("the job has no such vertex");
  if (parts.size() == 4) return {200, vertexJson(job, vertex, nowMillis())};
  const std::string& what = parts[4];
  if (parts.size() == 5) {
    if (what == "watermarks") return {200, vertexWatermarksJson(job, vertex)};
    if (what == "backpressure") return {200, vertexBackPressureJson(job, vertex, nowMillis())};
    if (what == "taskmanagers") return {200, vertexWorkersJson(job, vertex, nowMillis())};
  }
  if (what == "subtasks" && parts.size() == 6) {
    const std::optional<int> subtask = numberOf(parts[5]);
    if (!subtask || *subtask >= job.vertices(vertex).parallelism()) return notFound("the vertex has no such subtask");
    return {200, subtaskJson(job, vertex, *subtask, nowMillis())};
  }
  return notFound("there is no such path");
}

HttpAnswer RestApi::answerWorkers(const std::vector<std::string>& parts) const {
  v1::OverviewReply overview;
  source_.overview(overview);
  if (parts.size() == 1) return {200, workersJson(overview, nowMillis())};
  for (const v1::WorkerInfo& worker : overview.workers()) {
    if (parts.size() == 2 && worker.id() == parts[1]) return {200, workerJson(worker, nowMillis())};
  }
  return notFound("there is no such worker");
}

}  // namespace thalweg::coordinator
