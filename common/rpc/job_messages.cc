#include "common/rpc/job_messages.h"

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

Status statusOf(const v1::Failure& message) {
  if (message.code() == 0) return {};
  const bool known = message.code() > 0 && message.code() <= static_cast<int>(StatusCode::INTERNAL);
  return {known ? static_cast<StatusCode>(message.code()) : StatusCode::INTERNAL, message.message()};
}

void setFailure(v1::Failure& message, const Status& status) {
  message.set_code(static_cast<int>(status.code()));
  message.set_message(status.message());
}

void setAttempt(v1::AttemptId& message, const std::string& job, int attempt, uint64_t epoch) {
  message.set_job_id(job);
  message.set_attempt(attempt);
  message.set_epoch(epoch);
}

}  // namespace thalweg::rpc
