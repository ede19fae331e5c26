// What a stream job is, for other processes: its outline for the coordinator, and the text by which a process that built
// the job anew finds out whether it is the same.
#include "client/embedded/stream_job.h"
#include "coordinator/compiler/graph_fingerprint.h"

namespace thalweg::client {
namespace {

const char* exchangeName(StreamExchange exchange) {
  switch (exchange) {
    case StreamExchange::FORWARD: return "FORWARD";
    case StreamExchange::HASH: return "HASH";
    case StreamExchange::REBALANCE: return "REBALANCE";
    case StreamExchange::BROADCAST: return "BROADCAST";
    case StreamExchange::SINGLETON: return "GLOBAL";
    case StreamExchange::ROUTED: return "CUSTOM";
  }
  return "";
}

std::string inputText(const StreamTaskInput& input) {
  std::string text = "  input " + std::to_string(input.operator_input) + " from task " + std::to_string(input.from_task) + " output " +
                     std::to_string(input.from_output) + " by " + exchangeName(input.exchange);
  for (const int key : input.keys) text += " " + std::to_string(key);
  text += ":";
  for (const DataType& type : input.types) text += " " + type.toString();
  return text + "\n";
}

std::string operatorText(const StreamOperator& op) {
  std::string text = "  operator " + op.uid + ": " + op.name + "\n";
  if (const auto* node = std::get_if<PlanNodePtr>(&op.make)) text += coordinator::canonicalNodeText(**node);
  if (op.details) {
    for (const std::string& line : op.details()) text += "    " + line + "\n";
  }
  return text;
}

}  // namespace

std::string streamJobText(const StreamJob& job) {
  std::string text = "max parallelism " + std::to_string(job.max_parallelism) + (job.batch_mode ? ", batch\n" : ", streaming\n");
  for (const auto& [key, value] : job.configuration.entries()) text += "set " + key + " = " + value + "\n";
  for (size_t i = 0; i < job.tasks.size(); ++i) {
    const StreamTask& task = job.tasks[i];
    text += "task " + std::to_string(i) + " x " + std::to_string(task.parallelism) + ": " + task.name + "\n";
    for (const StreamTaskInput& input : task.inputs) text += inputText(input);
    if (task.source) {
      text += "  source " + task.source->uid + "\n";
      for (const std::string& split : task.source->splits) text += "    split " + split + "\n";
    }
    if (task.plan_source) text += coordinator::canonicalNodeText(*task.plan_source);
    for (const StreamOperator& op : task.operators) text += operatorText(op);
  }
  return text;
}

JobOutline outlineOf(const StreamJob& job) {
  JobOutline outline;
  outline.max_parallelism = job.max_parallelism;
  outline.batch_mode = job.batch_mode;
  outline.is_query = job.collected_types.has_value();
  for (const StreamTask& task : job.tasks) {
    JobOutline::Task& made = outline.tasks.emplace_back();
    made.name = task.name;
    made.parallelism = task.parallelism;
    for (const StreamTaskInput& input : task.inputs) made.inputs.push_back({input.from_task, exchangeName(input.exchange)});
    if (task.source) made.operators.push_back({task.source->uid, task.source->name});
    if (task.plan_source) made.operators.push_back({task.plan_source->uid, task.plan_source->description});
    for (const StreamOperator& op : task.operators) made.operators.push_back({op.uid, op.name});
  }
  outline.text = streamJobText(job);
  outline.fingerprint = coordinator::fingerprintOf(outline.text);
  return outline;
}

}  // namespace thalweg::client
