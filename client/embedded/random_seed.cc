#include "client/embedded/random_seed.h"

#include <unistd.h>

#include <atomic>
#include <string>

#include "common/base/hash.h"
#include "common/time/clock.h"

namespace thalweg::client {

uint64_t randomSeedOf(const Configuration& configuration) {
  const int64_t given = configuration.getInt("thalweg.exec.random-seed");
  if (given >= 0) return static_cast<uint64_t>(given);
  static std::atomic<uint64_t> jobs{0};     // two jobs may start within one tick of the clock
  return hashBytes(std::to_string(SystemClock().nanoTime()) + ' ' + std::to_string(getpid()) + ' ' + std::to_string(jobs.fetch_add(1)));
}

}  // namespace thalweg::client
