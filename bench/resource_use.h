// What a piece of work cost: wall and CPU seconds of the whole process, and its peak memory.
#pragma once

#include <cstdint>

namespace thalweg::bench {

struct ResourceUse {
  double wall_seconds = 0;
  double cpu_seconds = 0;     ///< user and system, all threads
  double peak_rss_mb = 0;     ///< of the process so far

  static ResourceUse now();
  /// Of all child processes that have ended and been waited for, theirs included; the peak is the largest one's.
  static ResourceUse ofChildren();
  /// From `start` to this; the peak stays absolute.
  ResourceUse since(const ResourceUse& start) const {
    return {wall_seconds - start.wall_seconds, cpu_seconds - start.cpu_seconds, peak_rss_mb};
  }
};

}  // namespace thalweg::bench
