// Runs one query of a `.test` file in a fresh engine and gives its answer.
#pragma once

#include "client/testing/test_runner.h"

namespace thalweg::testing {

/// What the engine answers to `test` of `file`, in the mode of `options`; the case's folder is made and removed here.
Answer runCase(const TestFile& file, const TestCase& test, const TestOptions& options);

}  // namespace thalweg::testing
