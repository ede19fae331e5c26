// Failpoints: named places where a test can make the engine fail.
//
//   RETURN_IF_ERROR(THALWEG_FAILPOINT("checkpoint.before_manifest"));
//
// Set by the environment, THALWEG_FAILPOINTS="checkpoint.before_manifest=crash@2;sink.write=error", or with
// ScopedFailpoint. A rule is `name=action[@n]`: the action happens on the n-th hit only, without `@n` on every
// hit. Actions: `error` (the macro yields RUNTIME_ERROR), `crash` (the process ends at once, like kill -9),
// `sleep(ms)` or `sleep(ms..ms)` (this thread waits, in the latter form differently long at each hit; the only sleep
// in the engine).
// While no rule is set a failpoint costs one relaxed load. Builds without the CMake option THALWEG_FAILPOINTS
// contain none. Threads: any.
//
// Mutants are faults planted on purpose, so that the tests of recovery can prove that they would notice them:
//
//   if (THALWEG_MUTANT("offset_off_by_one")) ++next;
//
// One is on while a rule `mutant.offset_off_by_one=error` is set, and never in builds without failpoints.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/status.h"

namespace thalweg {

/// Replaces all rules by those of `rules` (form: above; empty clears) and zeroes the hit counts.
/// A rule that cannot be read leaves everything as it was.
Status setFailpoints(std::string_view rules);

/// How often the failpoint was passed since the rules were set; counted only while any rule is set.
int64_t failpointHits(std::string_view name);

/// Sets rules for a scope, then clears all rules. For tests; CHECKs that the rules can be read.
class ScopedFailpoint {
 public:
  explicit ScopedFailpoint(std::string_view rules);
  ~ScopedFailpoint();
  ScopedFailpoint(const ScopedFailpoint&) = delete;
  ScopedFailpoint& operator=(const ScopedFailpoint&) = delete;
};

namespace failpoint_internal {

/// True while rules may be set; starts true so that the first hit reads the environment.
extern std::atomic<bool> armed;
Status hit(std::string_view name);

inline Status passThrough(std::string_view name) {
  return armed.load(std::memory_order_relaxed) ? hit(name) : Status();
}

}  // namespace failpoint_internal
}  // namespace thalweg

#ifdef THALWEG_FAILPOINTS
#define THALWEG_FAILPOINT(name) (::thalweg::failpoint_internal::passThrough(name))
#define THALWEG_MUTANT(name) (!::thalweg::failpoint_internal::passThrough("mutant." name).isOk())
#else
#define THALWEG_FAILPOINT(name) (::thalweg::Status())
#define THALWEG_MUTANT(name) false
#endif
