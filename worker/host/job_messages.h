// Between messages of proto/thalweg/v1/job.proto and plain values, for the .cc files of this room. Threads: pure.
#pragma once

#include <string>

#include "common/plan/frozen_script.h"
#include "common/base/status.h"

namespace thalweg::v1 {
class FrozenScript;
class Failure;
class AttemptId;
}  // namespace thalweg::v1

namespace thalweg::worker {

FrozenScript scriptOf(const v1::FrozenScript& message);
void setFailure(v1::Failure& message, const Status& status);
/// `job-3`, attempt 2.
std::string attemptText(const v1::AttemptId& attempt);

}  // namespace thalweg::worker
