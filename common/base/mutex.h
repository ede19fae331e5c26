// Mutex, MutexLock and Condition: the standard ones with clang's thread-safety annotations.
//
//   Mutex mutex_;
//   int64_t rows_ GUARDED_BY(mutex_) = 0;
//   void flushLocked() REQUIRES(mutex_);
//
// Built with clang and -Wthread-safety, an access without the lock does not compile; gcc ignores the
// annotations. Prefer passing messages to sharing (docs: STYLE, ownership and threads).
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define THALWEG_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define THALWEG_THREAD_ANNOTATION(x)
#endif

/// A field that may be touched only while `mutex` is held.
#define GUARDED_BY(mutex) THALWEG_THREAD_ANNOTATION(guarded_by(mutex))
/// A pointer whose target may be touched only while `mutex` is held.
#define PT_GUARDED_BY(mutex) THALWEG_THREAD_ANNOTATION(pt_guarded_by(mutex))
/// A function to be called with the mutex held, or not held.
#define REQUIRES(...) THALWEG_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) THALWEG_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) THALWEG_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) THALWEG_THREAD_ANNOTATION(try_acquire_capability(__VA_ARGS__))
#define RELEASE(...) THALWEG_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define CAPABILITY(name) THALWEG_THREAD_ANNOTATION(capability(name))
#define SCOPED_CAPABILITY THALWEG_THREAD_ANNOTATION(scoped_lockable)
#define NO_THREAD_SAFETY_ANALYSIS THALWEG_THREAD_ANNOTATION(no_thread_safety_analysis)

namespace thalweg {

class CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() ACQUIRE() { mutex_.lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }
  bool tryLock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }

 private:
  friend class Condition;
  std::mutex mutex_;
};

/// Holds a Mutex for a scope.
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() RELEASE() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

/// A condition variable over Mutex. Waits return spuriously: re-test the condition in a loop, or give a predicate.
class Condition {
 public:
  void notifyOne() { condition_.notify_one(); }
  void notifyAll() { condition_.notify_all(); }

  void wait(Mutex& mutex) REQUIRES(mutex) {
    std::unique_lock<std::mutex> adopted(mutex.mutex_, std::adopt_lock);
    condition_.wait(adopted);
    adopted.release();
  }

  template <typename Predicate>
  void wait(Mutex& mutex, Predicate predicate) REQUIRES(mutex) {
    while (!predicate()) wait(mutex);
  }

  /// Whether it was notified before `timeout` had passed.
  template <typename Rep, typename Period>
  bool waitFor(Mutex& mutex, std::chrono::duration<Rep, Period> timeout) REQUIRES(mutex) {
    std::unique_lock<std::mutex> adopted(mutex.mutex_, std::adopt_lock);
    const std::cv_status status = condition_.wait_for(adopted, timeout);
    adopted.release();
    return status == std::cv_status::no_timeout;
  }

 private:
  std::condition_variable condition_;
};

}  // namespace thalweg
