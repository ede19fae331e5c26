// CHECK and DCHECK: assertions for bugs. A failed CHECK prints the condition, its place and an optional
// value, then aborts, in every build; DCHECK only in builds without NDEBUG.
#pragma once

#include <string>

namespace thalweg {

/// Prints `file:line: check failed: condition (detail)` to standard error and aborts.
[[noreturn]] void checkFailed(const char* file, int line, const char* condition, const std::string& detail = {});

}  // namespace thalweg

#define CHECK(condition) \
  (__builtin_expect(!(condition), 0) ? ::thalweg::checkFailed(__FILE__, __LINE__, #condition) : void(0))
/// CHECK_MSG(size == 3, std::to_string(size))
#define CHECK_MSG(condition, detail) \
  (__builtin_expect(!(condition), 0) ? ::thalweg::checkFailed(__FILE__, __LINE__, #condition, (detail)) : void(0))

#ifdef NDEBUG
#define DCHECK(condition) void(0)
#else
#define DCHECK(condition) CHECK(condition)
#endif
