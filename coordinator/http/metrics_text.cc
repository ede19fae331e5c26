#include "coordinator/http/metrics_text.h"

#include <cstdint>
#include <map>

#include "thalweg/v1/client.pb.h"

namespace thalweg::coordinator {
namespace {

using Labels = std::vector<std::pair<std::string, std::string>>;

/// One metric after the other, each with all its samples, as the format wants it.
class Samples {
 public:
  void add(const std::string& name, const char* type, const char* help, const Labels& labels, double value) {
    Metric& metric = metrics_[name];
    metric.type = type;
    metric.help = help;
    std::string line = name;
    for (size_t i = 0; i < labels.size(); ++i) line += (i == 0 ? "{" : ",") + labels[i].first + "=\"" + escaped(labels[i].second) + "\"";
    if (!labels.empty()) line += "}";
    char text[40];
    std::snprintf(text, sizeof(text), " %.17g\n", value);
    metric.lines += line + text;
  }
  std::string text() const {
    std::string all;
    for (const auto& [name, metric] : metrics_) all += "# HELP " + name + " " + metric.help + "\n# TYPE " + name + " " + metric.type + "\n" + metric.lines;
    return all;
  }

 private:
  struct Metric {
    const char* type = "";
    const char* help = "";
    std::string lines;
  };
  static std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '\n') out += "\\n";
      else if (c == '\\' || c == '"') out += std::string("\\") + c;
      else out += c;
    }
    return out;
  }
  std::map<std::string, Metric> metrics_;
};

void addOperators(Samples& samples, const v1::JobInfo& job, const v1::VertexInfo& vertex, int64_t now_ms) {
  for (const v1::OperatorReport& each : vertex.operators()) {
    const Labels labels = {{"job_id", job.id()},           {"job_name", job.name()}, {"task_name", vertex.name()},
                           {"operator_name", each.name()}, {"subtask_index", std::to_string(each.subtask())}};
    const std::string prefix = "flink_taskmanager_job_task_operator_";
    samples.add(prefix + "numRecordsIn", "counter", "rows that came in", labels, static_cast<double>(each.rows_in()));
    samples.add(prefix + "numRecordsOut", "counter", "rows that went out", labels, static_cast<double>(each.rows_out()));
    samples.add(prefix + "numLateRecordsDropped", "counter", "rows that came too late", labels, static_cast<double>(each.late_rows_dropped()));
    samples.add(prefix + "numBadRecordsSkipped", "counter", "records that could not be decoded and were skipped", labels, static_cast<double>(each.bad_records_skipped()));
    if (each.watermark() == INT64_MIN || each.watermark() == INT64_MAX) continue;
    samples.add(prefix + "currentInputWatermark", "gauge", "the watermark, in milliseconds", labels, static_cast<double>(each.watermark()));
    samples.add(prefix + "watermarkLag", "gauge", "how far the watermark is behind the clock, in milliseconds", labels, static_cast<double>(now_ms - each.watermark()));
  }
}

void addSubtasks(Samples& samples, const v1::JobInfo& job, const v1::VertexInfo& vertex) {
  for (const v1::SubtaskReport& each : vertex.subtasks()) {
    const std::string worker = each.subtask() < vertex.workers_size() ? vertex.workers(each.subtask()) : "";
    const Labels labels = {{"job_id", job.id()}, {"job_name", job.name()}, {"task_name", vertex.name()}, {"subtask_index", std::to_string(each.subtask())}, {"tm_id", worker}};
    const std::string prefix = "flink_taskmanager_job_task_";
    samples.add(prefix + "busyTimeMsPerSecond", "gauge", "time spent working", labels, each.busy_ms_per_second());
    samples.add(prefix + "backPressuredTimeMsPerSecond", "gauge", "time spent waiting for room in an output", labels, each.back_pressured_ms_per_second());
    samples.add(prefix + "idleTimeMsPerSecond", "gauge", "time spent waiting for input", labels, each.idle_ms_per_second());
    samples.add(prefix + "accumulateBusyTimeMs", "counter", "time spent working since the attempt began", labels, static_cast<double>(each.busy_ms()));
    samples.add(prefix + "accumulateBackPressuredTimeMs", "counter", "time spent waiting for room since the attempt began", labels, static_cast<double>(each.back_pressured_ms()));
    samples.add(prefix + "accumulateIdleTimeMs", "counter", "time spent waiting for input since the attempt began", labels, static_cast<double>(each.idle_ms()));
    samples.add(prefix + "buffers_inputQueueLength", "gauge", "batches that wait in the input channels", labels, static_cast<double>(each.queued_batches()));
    samples.add(prefix + "buffers_inputQueueSize", "gauge", "bytes that wait in the input channels", labels, static_cast<double>(each.queued_bytes()));
  }
}

void addJob(Samples& samples, const v1::JobInfo& job, int64_t now_ms) {
  const Labels labels = {{"job_id", job.id()}, {"job_name", job.name()}};
  const std::string prefix = "flink_jobmanager_job_";
  const int64_t end_ms = job.end_time_ms() == 0 ? now_ms : job.end_time_ms();
  samples.add(prefix + "uptime", "gauge", "milliseconds since the job was submitted, until its end", labels, static_cast<double>(end_ms - job.start_time_ms()));
  samples.add(prefix + "numRestarts", "gauge", "how often it started again", labels, std::max(0, job.attempt() - 1));
  const v1::CheckpointStatistics& checkpoints = job.checkpoints();
  samples.add(prefix + "totalNumberOfCheckpoints", "gauge", "checkpoints triggered", labels, static_cast<double>(checkpoints.triggered()));
  samples.add(prefix + "numberOfCompletedCheckpoints", "gauge", "checkpoints completed", labels, static_cast<double>(checkpoints.completed()));
  samples.add(prefix + "numberOfFailedCheckpoints", "gauge", "checkpoints failed", labels, static_cast<double>(checkpoints.failed()));
  for (const v1::CheckpointInfo& each : checkpoints.history()) {
    if (each.status() != "COMPLETED") continue;
    samples.add(prefix + "lastCheckpointDuration", "gauge", "milliseconds that the last checkpoint took", labels, static_cast<double>(each.duration_ms()));
    samples.add(prefix + "lastCheckpointSize", "gauge", "bytes of the last checkpoint", labels, static_cast<double>(each.size_bytes()));
    break;
  }
  if (job.end_time_ms() != 0) return;
  for (const v1::VertexInfo& vertex : job.vertices()) {
    addOperators(samples, job, vertex, now_ms);
    addSubtasks(samples, job, vertex);
  }
}

}  // namespace

std::string metricsText(const v1::OverviewReply& overview, const std::vector<v1::JobInfo>& jobs, size_t resident_bytes, int64_t now_ms) {
  Samples samples;
  int running = 0;
  for (const v1::JobInfo& job : jobs) running += job.end_time_ms() == 0 ? 1 : 0;
  samples.add("flink_jobmanager_numRunningJobs", "gauge", "jobs that are not over", {}, running);
  samples.add("flink_jobmanager_numRegisteredTaskManagers", "gauge", "workers", {}, overview.workers_size());
  samples.add("flink_jobmanager_taskSlotsTotal", "gauge", "slots of all workers", {}, overview.slots());
  samples.add("flink_jobmanager_taskSlotsAvailable", "gauge", "slots that are free", {}, overview.free_slots());
  samples.add("thalweg_coordinator_resident_bytes", "gauge", "memory of the coordinator", {}, static_cast<double>(resident_bytes));
  samples.add("thalweg_coordinator_epoch", "gauge", "grows with every start of a coordinator", {}, static_cast<double>(overview.epoch()));
  for (const v1::WorkerInfo& worker : overview.workers()) {
    const Labels labels = {{"tm_id", worker.id()}, {"host", worker.host()}};
    samples.add("thalweg_worker_resident_bytes", "gauge", "memory of a worker, without its task processes", labels, static_cast<double>(worker.resident_bytes()));
    samples.add("thalweg_worker_silent_ms", "gauge", "time since the worker was heard of", labels, static_cast<double>(worker.silent_ms()));
    samples.add("thalweg_worker_slots_free", "gauge", "free slots of a worker", labels, worker.free_slots());
  }
  for (const v1::JobInfo& job : jobs) addJob(samples, job, now_ms);
  return samples.text();
}

}  // namespace thalweg::coordinator
