// Between messages of proto/thalweg/v1 and plain values, for the .cc files of this room. Threads: pure.
#pragma once

#include <string>

#include "common/base/status.h"
#include "common/plan/frozen_script.h"

namespace thalweg::v1 {
class AttemptId;
class Failure;
class FrozenScript;
}  // namespace thalweg::v1

namespace thalweg::coordinator {

FrozenScript scriptOf(const v1::FrozenScript& message);
void setScript(v1::FrozenScript& message, const FrozenScript& script);
Status statusOf(const v1::Failure& message);
void setFailure(v1::Failure& message, const Status& status);
void setAttempt(v1::AttemptId& message, const std::string& job, int attempt, uint64_t epoch);
std::string firstDifferenceText(const std::string& expected, const std::string& found);

}  // namespace thalweg::coordinator
