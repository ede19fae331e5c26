// The text forms of configuration values, as Flink writes them.
//
//   duration     10 s, 1min, 100 ms, 500 (milliseconds), PT1H30M
//   memory size  64mb, 1 gb, 512 (bytes); units are powers of 1024
//   boolean      true, false, in any case
//
// Errors: INVALID_ARGUMENT naming the expected form and the text found. Threads: pure functions.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "common/base/status.h"

namespace thalweg {

Result<bool> parseConfigBool(std::string_view text);
Result<int64_t> parseConfigInt(std::string_view text);
Result<double> parseConfigDouble(std::string_view text);
/// Never negative; at most some 292 years.
Result<std::chrono::nanoseconds> parseConfigDuration(std::string_view text);
/// Bytes; never negative.
Result<int64_t> parseConfigMemorySize(std::string_view text);

}  // namespace thalweg
