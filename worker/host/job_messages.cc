#include "worker/host/job_messages.h"

#include "thalweg/v1/control.pb.h"
#include "thalweg/v1/job.pb.h"

namespace thalweg::worker {

FrozenScript scriptOf(const v1::FrozenScript& message) {
  FrozenScript script;
  for (const auto& [key, value] : message.configuration()) script.configuration[key] = value;
  for (const std::string& definition : message.definitions()) script.definitions.push_back(definition);
  script.statement = message.statement();
  script.plan_time_ms = message.plan_time_ms();
  script.random_seed = message.random_seed();
  script.working_directory = message.working_directory();
  script.name = message.name();
  return script;
}

void setFailure(v1::Failure& message, const Status& status) {
  message.set_code(static_cast<int>(status.code()));
  message.set_message(status.message());
}

std::string attemptText(const v1::AttemptId& attempt) {
  return attempt.job_id() + "-" + std::to_string(attempt.attempt()) + "-" + std::to_string(attempt.epoch());
}

}  // namespace thalweg::worker
