#include "client/shell/background_jobs.h"

namespace thalweg::shell {
namespace {

std::string statusOf(client::JobHandle& job, std::string& failure) {
  if (!job.isDone()) return "RUNNING";
  const Status status = job.wait();
  if (status.isOk()) return "FINISHED";
  if (status.code() == StatusCode::CANCELLED) return "CANCELED";
  failure = status.message();
  return "FAILED";
}

client::StatementOutcome outcomeOf(TableResult table) {
  client::StatementOutcome outcome;
  outcome.schema = table.schema;
  outcome.table = std::move(table);
  return outcome;
}

}  // namespace

Result<size_t> BackgroundJobs::find(const std::string& name) const {
  std::vector<size_t> found;
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].id == name || std::to_string(entries_[i].number) == name) return i;
    if (!name.empty() && entries_[i].id.starts_with(name)) found.push_back(i);
  }
  if (found.size() == 1) return found.front();
  if (found.empty()) return Status::notFound("there is no job '" + name + "'; SHOW JOBS lists those of this session");
  return Status::invalid("'" + name + "' begins the ids of " + std::to_string(found.size()) + " jobs; write more of it");
}

Result<client::StatementOutcome> BackgroundJobs::list(const std::string& name) const {
  TableResult table;
  table.schema = Schema({{"job id", DataType::string()}, {"job name", DataType::string()}, {"status", DataType::string()},
                         {"start time", DataType::timestampLtz(3)}});
  size_t only = SIZE_MAX;
  std::vector<std::string> failures;
  bool any_failed = false;
  if (!name.empty()) {
    ASSIGN_OR_RETURN(only, find(name));
  }
  for (size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (only != SIZE_MAX && only != i) continue;
    std::string& failure = failures.emplace_back();
    table.rows.push_back({Value::string(entry.id.empty() ? std::to_string(entry.number) : entry.id), Value::string(entry.name),
                          Value::string(statusOf(*entry.job, failure)), Value::timestamp({entry.start_ms, 0})});
    any_failed = any_failed || !failure.empty();
  }
  if (any_failed) {
    std::vector<Column> columns = table.schema.columns();
    columns.push_back({"failure", DataType::string()});
    table.schema = Schema(std::move(columns));
    for (size_t i = 0; i < table.rows.size(); ++i) table.rows[i].push_back(Value::string(failures[i]));
  }
  return outcomeOf(std::move(table));
}

Result<client::StatementOutcome> BackgroundJobs::stop(const sql::StopJobStatement& stop) {
  ASSIGN_OR_RETURN(const size_t at, find(stop.id));
  Entry& entry = entries_[at];
  if (stop.with_drain) return Status::notSupported("STOP JOB … WITH DRAIN: a job stops where it is, without ending its input");
  if (!stop.with_savepoint) {
    entry.stopped = true;
    entry.job->cancel();
    const Status end = entry.job->wait();
    if (!end.isOk() && end.code() != StatusCode::CANCELLED) return end.withContext("job " + std::to_string(entry.number));
    return outcomeOf(okResult());
  }
  if (!entry.embedded) return Status::notSupported("STOP JOB … WITH SAVEPOINT for a job on a cluster");
  ASSIGN_OR_RETURN(const std::string path, entry.embedded->stopWithSavepoint(""));
  entry.stopped = true;
  RETURN_IF_ERROR(entry.job->wait());
  return outcomeOf(textResult("savepoint path", {path}));
}

}  // namespace thalweg::shell
