// CurrentWork: what a thread is doing for which part of which job — for whoever has to say so when the thread crashes or
// does not come back.
//
// Threads: a thread writes its own; others may read it while they know the thread to be within (names outlive that).
#pragma once

#include <atomic>

namespace thalweg {

struct CurrentWork {
  std::atomic<const char*> task{nullptr};       ///< `Source: orders -> Map`; null: nothing
  std::atomic<const char*> op{nullptr};         ///< the operator, if one is known
  std::atomic<int> thread{0};                   ///< its number for the system; 0: not asked for yet
};

/// This thread's own.
CurrentWork& currentWork();

/// Names the operator at work while it lives.
class OperatorMark {
 public:
  explicit OperatorMark(const char* name) : work_(currentWork()), before_(work_.op.load(std::memory_order_relaxed)) {
    work_.op.store(name, std::memory_order_relaxed);
  }
  ~OperatorMark() { work_.op.store(before_, std::memory_order_relaxed); }
  OperatorMark(const OperatorMark&) = delete;
  OperatorMark& operator=(const OperatorMark&) = delete;

 private:
  CurrentWork& work_;
  const char* const before_;
};

}  // namespace thalweg
