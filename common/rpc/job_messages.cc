#include "common/rpc/job_messages.h"

#include "common/base/printable_text.h"
#include "thalweg/v1/control.pb.h"
#include "thalweg/v1/job.pb.h"

namespace thalweg::rpc {

FrozenScript scriptOf(const v1::FrozenScript& message) {
  FrozenScript script;
  for (const auto& [key, value] : message.configuration()) script.configuration[key] = value;
  script.definitions.assign(message.definitions().begin(), message.definitions().end());
  script.statement = message.statement();
  script.plan_time_ms = message.plan_time_ms();
  script.random_seed = message.random_seed();
  script.working_directory = message.working_directory();
  script.name = message.name();
  return script;
}

void setScript(v1::FrozenScript& message, const FrozenScript& script) {
  for (const auto& [key, value] : script.configuration) (*message.mutable_configuration())[key] = value;
  for (const std::string& definition : script.definitions) message.add_definitions(definition);
  message.set_statement(script.statement);
  message.set_plan_time_ms(script.plan_time_ms);
  message.set_random_seed(script.random_seed);
  message.set_working_directory(script.working_directory);
  message.set_name(script.name);
}

ShippedProgram programOf(const v1::Program& message) {
  ShippedProgram program;
  program.digest = message.digest();
  program.size_bytes = message.size_bytes();
  program.name = message.name();
  program.arguments.assign(message.arguments().begin(), message.arguments().end());
  for (const auto& [key, value] : message.environment()) program.environment[key] = value;
  for (const auto& [key, value] : message.settings()) program.settings[key] = value;
  program.execution = message.execution();
  return program;
}

void setProgram(v1::Program& message, const ShippedProgram& program) {
  message.set_digest(program.digest);
  message.set_size_bytes(program.size_bytes);
  message.set_name(program.name);
  for (const std::string& argument : program.arguments) message.add_arguments(argument);
  for (const auto& [key, value] : program.environment) (*message.mutable_environment())[key] = value;
  for (const auto& [key, value] : program.settings) (*message.mutable_settings())[key] = value;
  message.set_execution(program.execution);
}

JobOutline outlineOf(const v1::JobOutline& message) {
  JobOutline outline;
  for (const v1::JobOutline::Task& task : message.tasks()) {
    JobOutline::Task& made = outline.tasks.emplace_back();
    made.name = task.name();
    made.parallelism = task.parallelism();
    for (const auto& input : task.inputs()) made.inputs.push_back({input.from(), input.exchange()});
    for (const auto& each : task.operators()) made.operators.push_back({each.uid(), each.name()});
  }
  outline.max_parallelism = message.max_parallelism();
  outline.batch_mode = message.batch_mode();
  outline.is_query = message.is_query();
  return outline;
}

void setOutline(v1::JobOutline& message, const JobOutline& outline) {
  for (const JobOutline::Task& task : outline.tasks) {
    v1::JobOutline::Task& made = *message.add_tasks();
    made.set_name(task.name);
    made.set_parallelism(task.parallelism);
    for (const JobOutline::Input& input : task.inputs) {
      v1::JobOutline::Input& each = *made.add_inputs();
      each.set_from(input.from);
      each.set_exchange(input.exchange);
    }
    for (const JobOutline::Operator& op : task.operators) {
      v1::JobOutline::Operator& each = *made.add_operators();
      each.set_uid(op.uid);
      each.set_name(op.name);
    }
  }
  message.set_max_parallelism(outline.max_parallelism);
  message.set_batch_mode(outline.batch_mode);
  message.set_is_query(outline.is_query);
}

Status statusOf(const v1::Failure& message) {
  if (message.code() == 0) return {};
  const bool known = message.code() > 0 && message.code() <= static_cast<int>(StatusCode::INTERNAL);
  return {known ? static_cast<StatusCode>(message.code()) : StatusCode::INTERNAL, message.message()};
}

void setFailure(v1::Failure& message, const Status& status) {
  message.set_code(static_cast<int>(status.code()));
  message.set_message(printableText(status.message()));
}

void setAttempt(v1::AttemptId& message, const std::string& job, int attempt, uint64_t epoch) {
  message.set_job_id(job);
  message.set_attempt(attempt);
  message.set_epoch(epoch);
}

}  // namespace thalweg::rpc
