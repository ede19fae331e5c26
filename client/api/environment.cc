#include "client/api/thalweg/environment.h"

#include "client/api/thalweg/file_source.h"
#include "client/program/program_jobs.h"

namespace thalweg::api {

StreamExecutionEnvironment StreamExecutionEnvironment::getExecutionEnvironment(const Configuration& configuration) {
  auto graph = std::make_shared<StreamGraph>();
  graph->configuration = valueOrThrow(client::programSettings());
  for (const auto& [key, value] : configuration.entries()) throwIfFailed(graph->configuration.set(key, value));
  return StreamExecutionEnvironment(std::move(graph));
}

StreamExecutionEnvironment& StreamExecutionEnvironment::setParallelism(int parallelism) {
  if (parallelism < 1) throw ValidationException("the parallelism of an environment must be at least 1, not " + std::to_string(parallelism));
  throwIfFailed(graph_->configuration.set("parallelism.default", std::to_string(parallelism)));
  return *this;
}

StreamExecutionEnvironment& StreamExecutionEnvironment::setMaxParallelism(int parallelism) {
  if (parallelism < 1 || parallelism > 32768) {
    throw ValidationException("the maximum parallelism must be within 1 and 32768, not " + std::to_string(parallelism));
  }
  graph_->max_parallelism = parallelism;
  return *this;
}

StreamExecutionEnvironment& StreamExecutionEnvironment::setRuntimeMode(RuntimeExecutionMode mode) {
  static constexpr const char* kNames[] = {"STREAMING", "BATCH", "AUTOMATIC"};
  return configure("execution.runtime-mode", kNames[static_cast<size_t>(mode)]);
}

StreamExecutionEnvironment& StreamExecutionEnvironment::disableOperatorChaining() {
  graph_->chaining = false;
  return *this;
}

StreamExecutionEnvironment& StreamExecutionEnvironment::configure(const std::string& key, const std::string& value) {
  throwIfFailed(graph_->configuration.set(key, value));
  return *this;
}

StreamExecutionEnvironment& StreamExecutionEnvironment::enableCheckpointing(int64_t interval_ms) {
  getCheckpointConfig().setCheckpointInterval(interval_ms);
  return *this;
}

StreamExecutionEnvironment& StreamExecutionEnvironment::setRestartStrategy(const RestartStrategy& strategy) {
  for (const auto& [key, value] : strategy) configure(key, value);
  return *this;
}

SingleOutputStreamOperator<int64_t> StreamExecutionEnvironment::fromSequence(int64_t from, int64_t to) const {
  if (from > to) {
    throw ValidationException("fromSequence() needs a first number that is not above the last, found " + std::to_string(from) + " and " + std::to_string(to));
  }
  StreamNode node;
  node.name = "Sequence Source";
  node.splits = sequenceSplits(from, to, std::max(1, graph_->defaultParallelism()));
  node.make_stage = [] { return std::make_unique<SequenceStage>(); };
  node.types = {RecordType<int64_t>::of()};
  return SingleOutputStreamOperator<int64_t>(graph_, graph_->add(std::move(node)));
}

SingleOutputStreamOperator<std::string> StreamExecutionEnvironment::readTextFile(const std::string& path) const {
  return fromSource(FileSource::forRecordStreamFormat(TextLineInputFormat(), path).build(), WatermarkStrategy<std::string>::noWatermarks(), "Read Text File");
}

SingleOutputStreamOperator<std::string> StreamExecutionEnvironment::socketTextStream(const std::string& host, int port, const std::string& delimiter,
                                                                                     int64_t max_retry_seconds) const {
  return addSource(SocketTextStreamFunction(host, port, delimiter, max_retry_seconds), "Socket Stream");
}

void StreamExecutionEnvironment::execute(const std::string& job_name) const { startJob(*graph_, job_name).getJobExecutionResult(); }

JobClient StreamExecutionEnvironment::executeAsync(const std::string& job_name) const {
  JobClient job = startJob(*graph_, job_name);
  static auto* const kept = new std::vector<JobClient>();     // a job outlives its handles
  kept->push_back(job);
  return job;
}

}  // namespace thalweg::api
