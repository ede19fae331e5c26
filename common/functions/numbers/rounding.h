// FLOOR and CEIL are two functions each: of a number, and of a date, time or timestamp TO a unit.
#pragma once

#include <memory>

#include "common/functions/scalar_function.h"

namespace thalweg {

/// FLOOR(x TO unit), or CEIL: the second argument is the unit.
Result<std::unique_ptr<ScalarKernel>> makeTemporalRounding(bool up, const FunctionCall& call);

}  // namespace thalweg
