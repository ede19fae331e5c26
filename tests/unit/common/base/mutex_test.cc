#include "common/base/mutex.h"

#include <thread>

#include <catch2/catch.hpp>

using namespace thalweg;

TEST_CASE("a condition wakes the waiter once its predicate holds") {
  Mutex mutex;
  Condition changed;
  int step = 0;
  std::thread other([&] {
    MutexLock lock(mutex);
    step = 1;
    changed.notifyAll();
    changed.wait(mutex, [&] { return step == 2; });
    step = 3;
    changed.notifyAll();
  });
  {
    MutexLock lock(mutex);
    changed.wait(mutex, [&] { return step == 1; });
    step = 2;
    changed.notifyAll();
    changed.wait(mutex, [&] { return step == 3; });
  }
  other.join();
  CHECK(step == 3);
}

TEST_CASE("a wait with a time limit ends without a notification, the lock held") {
  Mutex mutex;
  Condition never;
  MutexLock lock(mutex);
  while (never.waitFor(mutex, std::chrono::milliseconds(1))) {
  }
  std::thread([&] { CHECK_FALSE(mutex.tryLock()); }).join();
}
