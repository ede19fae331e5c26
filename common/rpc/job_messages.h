// Between messages of proto/thalweg/v1 and plain values, for the .cc files of whoever speaks them: coordinator, worker
// and client. Threads: pure.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/status.h"
#include "common/plan/shipped_program.h"
#include "common/plan/statements/frozen_script.h"

namespace thalweg::v1 {
class AttemptId;
class Failure;
class FrozenScript;
class JobOutline;
class Program;
}  // namespace thalweg::v1

namespace thalweg::rpc {

FrozenScript scriptOf(const v1::FrozenScript& message);
void setScript(v1::FrozenScript& message, const FrozenScript& script);
ShippedProgram programOf(const v1::Program& message);
void setProgram(v1::Program& message, const ShippedProgram& program);
/// Without text and fingerprint, which travel beside it.
JobOutline outlineOf(const v1::JobOutline& message);
void setOutline(v1::JobOutline& message, const JobOutline& outline);
/// Ok for code 0; a code that this version does not know becomes INTERNAL.
Status statusOf(const v1::Failure& message);
void setFailure(v1::Failure& message, const Status& status);
void setAttempt(v1::AttemptId& message, const std::string& job, int attempt, uint64_t epoch);

}  // namespace thalweg::rpc
