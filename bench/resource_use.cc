#include "bench/resource_use.h"

#include <sys/resource.h>
#include <time.h>

namespace thalweg::bench {
namespace {

ResourceUse of(int who) {
  rusage usage = {};
  getrusage(who, &usage);
  timespec wall = {};
  clock_gettime(CLOCK_MONOTONIC, &wall);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
  return {static_cast<double>(wall.tv_sec) + static_cast<double>(wall.tv_nsec) / 1e9, seconds(usage.ru_utime) + seconds(usage.ru_stime),
          static_cast<double>(usage.ru_maxrss) / 1024.0};
}

}  // namespace

ResourceUse ResourceUse::now() { return of(RUSAGE_SELF); }
ResourceUse ResourceUse::ofChildren() { return of(RUSAGE_CHILDREN); }

}  // namespace thalweg::bench
