// Positions and counts of the text functions. Flink's planner takes a BIGINT for them, and the job fails when it starts;
// so does ours, instead of cutting the number.
// Threads: pure functions. Errors: RUNTIME_ERROR from the kernel.
#pragma once

#include "common/functions/signatures.h"

namespace thalweg {

using KernelMaker = std::function<Result<std::unique_ptr<ScalarKernel>>(const FunctionCall&)>;

/// An integer that has to be an INT when the job runs.
Parameter positionParameter(std::string name);
/// `resolve`, but for a call of constants with a BIGINT, which is computed while planning and refused there.
Resolve refusingConstants(std::string function, Resolve resolve);
/// `make`; for a call with a BIGINT a kernel that fails.
KernelMaker withIntPositions(std::string function, KernelMaker make);

}  // namespace thalweg
