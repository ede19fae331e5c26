// One function an answer. What this engine has no number for is -1 or 0, as Flink answers before it knows.
#include "coordinator/http/job_json.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "common/base/hash.h"
#include "thalweg/v1/client.pb.h"

namespace thalweg::coordinator {
namespace {

using Json = nlohmann::ordered_json;

/// User text may hold anything.
std::string textOf(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

constexpr const char* kTaskStates[] = {"created",     "scheduled", "deploying", "running",      "finished",
                                       "canceling",   "canceled",  "failed",    "reconciling",  "initializing"};

/// The state of a job's subtasks, which start and end together.
std::string taskState(const std::string& job_state) {
  if (job_state == "RUNNING" || job_state == "FINISHED" || job_state == "CANCELED" || job_state == "FAILED") return job_state;
  if (job_state == "CANCELLING" || job_state == "FAILING") return "CANCELING";
  return "CREATED";
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

/// How many subtasks are in which state.
Json stateCounts(const std::string& state, int count, bool upper_case) {
  Json counts;
  for (const char* each : kTaskStates) {
    std::string name = each;
    if (upper_case) {
      for (char& c : name) c = static_cast<char>(c - 'a' + 'A');
    }
    counts[name] = lower(state) == each ? count : 0;
  }
  return counts;
}



int64_t timeOf(const v1::JobInfo& job, const std::string& state) {
  const auto found = job.state_times_ms().find(state);
  return found == job.state_times_ms().end() ? -1 : found->second;
}

int64_t endOf(const v1::JobInfo& job) { return job.end_time_ms() == 0 ? -1 : job.end_time_ms(); }

int64_t durationOf(const v1::JobInfo& job, int64_t now_ms) { return (job.end_time_ms() == 0 ? now_ms : job.end_time_ms()) - job.start_time_ms(); }

int subtasksOf(const v1::JobInfo& job) {
  int count = 0;
  for (const v1::VertexInfo& vertex : job.vertices()) count += vertex.parallelism();
  return count;
}

/// The head's input and the last operator's output, and where the time went; of one subtask or, with -1, of all.
Json ioMetrics(const v1::VertexInfo& vertex, int subtask) {
  uint64_t read = 0;
  uint64_t written = 0;
  std::map<int, std::pair<const v1::OperatorReport*, const v1::OperatorReport*>> ends;      // by subtask: first and last
  for (const v1::OperatorReport& each : vertex.operators()) {
    auto& [first, last] = ends[each.subtask()];
    if (first == nullptr) first = &each;
    last = &each;
  }
  for (const auto& [number, end] : ends) {
    if (subtask >= 0 && number != subtask) continue;
    read += end.first->rows_in();
    written += end.second->rows_out();
  }
  int64_t busy = 0;
  int64_t back_pressured = 0;
  int64_t idle = 0;
  for (const v1::SubtaskReport& each : vertex.subtasks()) {
    if (subtask >= 0 && each.subtask() != subtask) continue;
    busy += each.busy_ms();
    back_pressured += each.back_pressured_ms();
    idle += each.idle_ms();
  }
  const bool known = !ends.empty();
  return {{"read-bytes", 0},
          {"read-bytes-complete", false},
          {"write-bytes", 0},
          {"write-bytes-complete", false},
          {"read-records", read},
          {"read-records-complete", known},
          {"write-records", written},
          {"write-records-complete", known},
          {"accumulated-backpressured-time", back_pressured},
          {"accumulated-idle-time", idle},
          {"accumulated-busy-time", busy}};
}

std::string workerOf(const v1::VertexInfo& vertex, int subtask) { return subtask < vertex.workers_size() ? vertex.workers(subtask) : "(unassigned)"; }

Json subtaskOf(const v1::JobInfo& job, int vertex, int subtask, int64_t now_ms) {
  const v1::VertexInfo& info = job.vertices(vertex);
  const int64_t start = timeOf(job, "RUNNING");
  const int64_t end = endOf(job);
  const std::string state = taskState(job.state());
  return {{"subtask", subtask},
          {"status", state},
          {"attempt", std::max(0, job.attempt() - 1)},
          {"endpoint", workerOf(info, subtask)},
          {"start-time", start},
          {"end-time", end},
          {"duration", start < 0 ? -1 : (end < 0 ? now_ms : end) - start},
          {"metrics", ioMetrics(info, subtask)},
          {"taskmanager-id", workerOf(info, subtask)},
          {"status-duration", Json::object()},
          {"other-concurrent-attempts", Json::array()},
          {"start_time", start}};
}

Json planOf(const v1::JobInfo& job) {
  Json nodes = Json::array();
  for (int i = 0; i < job.vertices_size(); ++i) {
    Json inputs = Json::array();
    for (int k = 0; k < job.vertices(i).inputs_size(); ++k) {
      const v1::VertexInput& input = job.vertices(i).inputs(k);
      inputs.push_back({{"num", k}, {"id", vertexId(job, input.from())}, {"ship_strategy", input.exchange()}, {"exchange", "pipelined_bounded"}});
    }
    Json node = {{"id", vertexId(job, i)}, {"parallelism", job.vertices(i).parallelism()}, {"operator", ""}, {"operator_strategy", ""},
                 {"description", job.vertices(i).name()}};
    if (!inputs.empty()) node["inputs"] = inputs;
    node["optimizer_properties"] = Json::object();
    nodes.push_back(node);
  }
  return {{"jid", job.id()}, {"name", job.name()}, {"type", "STREAMING"}, {"nodes", nodes}};
}

Json checkpointOf(const v1::CheckpointInfo& checkpoint) {
  Json json = {{"className", lower(checkpoint.status())},
               {"id", checkpoint.id()},
               {"status", checkpoint.status()},
               {"is_savepoint", checkpoint.is_savepoint()},
               {"checkpoint_type", checkpoint.is_savepoint() ? "SAVEPOINT" : "CHECKPOINT"},
               {"trigger_timestamp", checkpoint.trigger_ms()},
               {"latest_ack_timestamp", checkpoint.trigger_ms() + checkpoint.duration_ms()},
               {"checkpointed_size", checkpoint.size_bytes()},
               {"state_size", checkpoint.size_bytes()},
               {"end_to_end_duration", checkpoint.duration_ms()}};
  if (checkpoint.status() == "COMPLETED") json["external_path"] = checkpoint.path();
  if (checkpoint.status() == "FAILED") json["failure_message"] = checkpoint.failure();
  return json;
}

Json workerOf(const v1::WorkerInfo& worker, int64_t now_ms) {
  const auto megabytes = static_cast<int64_t>(worker.resident_bytes() >> 20);
  return {{"id", worker.id()},
          {"path", worker.host()},
          {"dataPort", 0},
          {"jmxPort", -1},
          {"timeSinceLastHeartbeat", now_ms - worker.silent_ms()},
          {"slotsNumber", worker.slots()},
          {"freeSlots", worker.free_slots()},
          {"blocked", worker.state() != "ALIVE"},
          {"totalResource", {{"cpuCores", worker.slots()}, {"taskHeapMemory", 0}, {"managedMemory", 0}, {"networkMemory", 0}}},
          {"hardware", {{"cpuCores", worker.slots()}, {"physicalMemory", 0}, {"freeMemory", 0}, {"managedMemory", 0}}},
          {"residentMemoryMegabytes", megabytes},
          {"pid", worker.pid()}};
}

}  // namespace

std::string overviewJson(const v1::OverviewReply& overview, const v1::ListJobsReply& jobs) {
  std::map<std::string, int> by_state;
  for (const v1::JobInfo& job : jobs.jobs()) ++by_state[job.end_time_ms() == 0 ? "RUNNING" : job.state()];
  return textOf({{"taskmanagers", overview.workers_size()},
                 {"slots-total", overview.slots()},
                 {"slots-available", overview.free_slots()},
                 {"jobs-running", by_state["RUNNING"]},
                 {"jobs-finished", by_state["FINISHED"]},
                 {"jobs-cancelled", by_state["CANCELED"]},
                 {"jobs-failed", by_state["FAILED"]},
                 {"flink-version", "thalweg " + overview.version()},
                 {"flink-commit", ""}});
}

std::string clusterConfigJson(const v1::OverviewReply& overview) {
  return textOf({{"refresh-interval", 3000},
                 {"timezone-name", "Coordinated Universal Time"},
                 {"timezone-offset", 0},
                 {"flink-version", "thalweg " + overview.version()},
                 {"flink-revision", ""},
                 {"features", {{"web-submit", false}, {"web-cancel", false}, {"web-rescale", false}, {"web-history", false}}}});
}

std::string jobIdsJson(const v1::ListJobsReply& jobs) {
  Json list = Json::array();
  for (const v1::JobInfo& job : jobs.jobs()) list.push_back({{"id", job.id()}, {"status", job.state()}});
  return textOf({{"jobs", list}});
}

std::string jobsOverviewJson(const v1::ListJobsReply& jobs, int64_t now_ms) {
  Json list = Json::array();
  for (const v1::JobInfo& job : jobs.jobs()) {
    Json tasks = {{"total", subtasksOf(job)}};
    const Json counts = stateCounts(taskState(job.state()), subtasksOf(job), false);
    for (const char* state : kTaskStates) tasks[state] = counts[state];
    list.push_back({{"jid", job.id()},
                    {"name", job.name()},
                    {"start-time", job.start_time_ms()},
                    {"end-time", endOf(job)},
                    {"duration", durationOf(job, now_ms)},
                    {"state", job.state()},
                    {"last-modification", std::max(job.start_time_ms(), timeOf(job, job.state()))},
                    {"tasks", tasks},
                    {"pending-operators", 0}});
  }
  return textOf({{"jobs", list}});
}

std::string jobJson(const v1::JobInfo& job, int64_t now_ms) {
  Json timestamps;
  for (const char* state : {"INITIALIZING", "CREATED", "RUNNING", "FAILING", "FAILED", "CANCELLING", "CANCELED", "FINISHED", "RESTARTING", "SUSPENDED", "RECONCILING"}) {
    timestamps[state] = std::max<int64_t>(0, timeOf(job, state));
  }
  const std::string state = taskState(job.state());
  const int64_t start = timeOf(job, "RUNNING");
  Json vertices = Json::array();
  for (int i = 0; i < job.vertices_size(); ++i) {
    const v1::VertexInfo& vertex = job.vertices(i);
    vertices.push_back({{"id", vertexId(job, i)},
                        {"slotSharingGroupId", std::string(32, '0')},
                        {"name", vertex.name()},
                        {"maxParallelism", job.max_parallelism()},
                        {"parallelism", vertex.parallelism()},
                        {"status", state},
                        {"start-time", start},
                        {"end-time", endOf(job)},
                        {"duration", start < 0 ? -1 : (job.end_time_ms() == 0 ? now_ms : job.end_time_ms()) - start},
                        {"tasks", stateCounts(state, vertex.parallelism(), true)},
                        {"metrics", ioMetrics(vertex, -1)}});
  }
  Json json = {{"jid", job.id()},
               {"name", job.name()},
               {"isStoppable", false},
               {"state", job.state()},
               {"job-type", "STREAMING"},
               {"start-time", job.start_time_ms()},
               {"end-time", endOf(job)},
               {"duration", durationOf(job, now_ms)},
               {"maxParallelism", job.max_parallelism()},
               {"now", now_ms},
               {"timestamps", timestamps},
               {"vertices", vertices},
               {"status-counts", stateCounts(state, job.vertices_size(), true)},
               {"plan", planOf(job)},
               {"pending-operators", 0}};
  if (!job.waiting_for().empty()) json["waiting-for"] = job.waiting_for();
  return textOf(json);
}

std::string jobPlanJson(const v1::JobInfo& job) { return textOf({{"plan", planOf(job)}}); }
std::string jobStatusJson(const v1::JobInfo& job) { return textOf({{"status", job.state()}}); }

std::string exceptionsJson(const v1::JobInfo& job, size_t count) {
  Json entries = Json::array();
  for (const v1::JobException& each : job.exceptions()) {
    if (entries.size() == count) break;
    Json entry = {{"exceptionName", "thalweg.StatusCode." + std::to_string(each.failure().code())},
                  {"stacktrace", each.failure().message()},
                  {"timestamp", each.time_ms()},
                  {"failureLabels", {{"attempt", std::to_string(each.attempt())}}}};
    if (!each.task().empty()) entry["taskName"] = each.task();
    if (!each.worker().empty()) {
      entry["endpoint"] = each.worker();
      entry["taskManagerId"] = each.worker();
    }
    entry["concurrentExceptions"] = Json::array();
    entries.push_back(entry);
  }
  Json json;
  if (!entries.empty()) json["root-exception"] = entries[0]["stacktrace"];
  if (!entries.empty()) json["timestamp"] = entries[0]["timestamp"];
  json["all-exceptions"] = Json::array();
  json["truncated"] = entries.size() < static_cast<size_t>(job.exceptions_size());
  json["exceptionHistory"] = {{"entries", entries}, {"truncated", json["truncated"]}};
  return textOf(json);
}

std::string checkpointsJson(const v1::JobInfo& job) {
  const v1::CheckpointStatistics& statistics = job.checkpoints();
  Json history = Json::array();
  Json latest = {{"completed", nullptr}, {"savepoint", nullptr}, {"failed", nullptr}, {"restored", nullptr}};
  int64_t in_progress = 0;
  for (const v1::CheckpointInfo& each : statistics.history()) {
    const Json checkpoint = checkpointOf(each);
    history.push_back(checkpoint);
    in_progress += each.status() == "IN_PROGRESS" ? 1 : 0;
    const std::string kind = each.status() == "FAILED" ? "failed" : each.status() != "COMPLETED" ? "" : each.is_savepoint() ? "savepoint" : "completed";
    if (!kind.empty() && latest[kind].is_null()) latest[kind] = checkpoint;
  }
  if (!statistics.restored_from().empty() && statistics.restored() > 0) latest["restored"] = {{"external_path", statistics.restored_from()}};
  return textOf({{"counts",
                  {{"restored", statistics.restored()},
                   {"total", statistics.triggered()},
                   {"in_progress", in_progress},
                   {"completed", statistics.completed()},
                   {"failed", statistics.failed()}}},
                 {"latest", latest},
                 {"history", history}});
}

std::string workersJson(const v1::OverviewReply& overview, int64_t now_ms) {
  Json list = Json::array();
  for (const v1::WorkerInfo& worker : overview.workers()) list.push_back(workerOf(worker, now_ms));
  return textOf({{"taskmanagers", list}});
}

std::string workerJson(const v1::WorkerInfo& worker, int64_t now_ms) { return textOf(workerOf(worker, now_ms)); }

std::string vertexId(const v1::JobInfo& job, int vertex) {
  const std::string text = job.vertices(vertex).name() + "/" + std::to_string(vertex);
  char id[33];
  std::snprintf(id, sizeof(id), "%016llx%016llx", static_cast<unsigned long long>(hashBytes(text)), static_cast<unsigned long long>(hashBytes(text + "|")));
  return id;
}

int findVertex(const v1::JobInfo& job, const std::string& id) {
  for (int i = 0; i < job.vertices_size(); ++i) {
    if (vertexId(job, i) == id) return i;
  }
  return -1;
}

std::string vertexJson(const v1::JobInfo& job, int vertex, int64_t now_ms) {
  const v1::VertexInfo& info = job.vertices(vertex);
  Json subtasks = Json::array();
  for (int i = 0; i < info.parallelism(); ++i) subtasks.push_back(subtaskOf(job, vertex, i, now_ms));
  return textOf({{"id", vertexId(job, vertex)},
                 {"name", info.name()},
                 {"parallelism", info.parallelism()},
                 {"maxParallelism", job.max_parallelism()},
                 {"now", now_ms},
                 {"subtasks", subtasks}});
}

std::string vertexWatermarksJson(const v1::JobInfo& job, int vertex) {
  Json list = Json::array();
  std::set<int> told;
  for (const v1::OperatorReport& each : job.vertices(vertex).operators()) {      // the head's
    if (each.watermark() == INT64_MIN || !told.insert(each.subtask()).second) continue;
    list.push_back({{"id", std::to_string(each.subtask()) + ".currentInputWatermark"}, {"value", std::to_string(each.watermark())}});
  }
  return textOf(list);
}

std::string vertexBackPressureJson(const v1::JobInfo& job, int vertex, int64_t now_ms) {
  const auto levelOf = [](double ratio) { return ratio <= 0.1 ? "ok" : ratio <= 0.5 ? "low" : "high"; };
  Json subtasks = Json::array();
  double most = 0;
  for (const v1::SubtaskReport& each : job.vertices(vertex).subtasks()) {
    const double ratio = each.back_pressured_ms_per_second() / 1000.0;
    most = std::max(most, ratio);
    subtasks.push_back({{"subtask", each.subtask()},
                        {"attempt-number", std::max(0, job.attempt() - 1)},
                        {"backpressureLevel", levelOf(ratio)},
                        {"ratio", ratio},
                        {"idleRatio", each.idle_ms_per_second() / 1000.0},
                        {"busyRatio", each.busy_ms_per_second() / 1000.0},
                        {"backpressure-level", levelOf(ratio)}});
  }
  return textOf({{"status", subtasks.empty() ? "deprecated" : "ok"},
                 {"backpressureLevel", levelOf(most)},
                 {"end-timestamp", now_ms},
                 {"subtasks", subtasks},
                 {"backpressure-level", levelOf(most)}});
}

std::string vertexWorkersJson(const v1::JobInfo& job, int vertex, int64_t now_ms) {
  const v1::VertexInfo& info = job.vertices(vertex);
  std::map<std::string, int> subtasks;
  for (int i = 0; i < info.parallelism(); ++i) ++subtasks[workerOf(info, i)];
  const std::string state = taskState(job.state());
  const int64_t start = timeOf(job, "RUNNING");
  Json list = Json::array();
  for (const auto& [worker, count] : subtasks) {
    list.push_back({{"endpoint", worker},
                    {"status", state},
                    {"start-time", start},
                    {"end-time", endOf(job)},
                    {"duration", start < 0 ? -1 : (job.end_time_ms() == 0 ? now_ms : job.end_time_ms()) - start},
                    {"status-counts", stateCounts(state, count, true)},
                    {"taskmanager-id", worker}});
  }
  return textOf({{"id", vertexId(job, vertex)}, {"name", info.name()}, {"now", now_ms}, {"taskmanagers", list}});
}

std::string subtaskJson(const v1::JobInfo& job, int vertex, int subtask, int64_t now_ms) { return textOf(subtaskOf(job, vertex, subtask, now_ms)); }

}  // namespace thalweg::coordinator
