#include "common/time/clock.h"

#include <chrono>

namespace thalweg {

int64_t SystemClock::nowMillis() const {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

int64_t SystemClock::nanoTime() const {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

const Clock& systemClock() {
  static const SystemClock instance;
  return instance;
}

}  // namespace thalweg
