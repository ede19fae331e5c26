// The clock as a function, for the functions that read it only when called without arguments.
#pragma once

#include <memory>

#include "common/functions/scalar_function.h"

namespace thalweg {

/// UNIX_TIMESTAMP(): the present second since 1970.
Result<std::unique_ptr<ScalarKernel>> makeUnixTimestampNow(const FunctionCall& call);

}  // namespace thalweg
