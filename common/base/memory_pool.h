// MemoryPool: accounting of the bytes that batches and state hold, per task.
//
// Buffers name the pool they were taken from and give their bytes back when freed. The pool only counts;
// memory itself comes from the process allocator (jemalloc). A limit of 0 means unbounded; crossing a limit
// never fails an allocation, it is asked for with overLimit() by whoever can spill or slow down.
// Threads: all methods from any thread. Lifetime: a pool outlives its buffers (shared ownership).
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

namespace thalweg {

class MemoryPool {
 public:
  explicit MemoryPool(std::string name, size_t limit_bytes = 0) : name_(std::move(name)), limit_bytes_(limit_bytes) {}

  void add(size_t bytes);
  void release(size_t bytes) { used_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }
  size_t usedBytes() const { return used_bytes_.load(std::memory_order_relaxed); }
  size_t peakBytes() const { return peak_bytes_.load(std::memory_order_relaxed); }
  size_t limitBytes() const { return limit_bytes_; }
  bool overLimit() const { return limit_bytes_ != 0 && usedBytes() > limit_bytes_; }
  const std::string& name() const { return name_; }

  /// The pool of the task that runs on this thread; the process-wide pool where no task runs.
  static const std::shared_ptr<MemoryPool>& current();
  static const std::shared_ptr<MemoryPool>& process();

  /// Makes `pool` current on this thread until destroyed. The run loop holds one around each slice.
  class Scope {
   public:
    explicit Scope(std::shared_ptr<MemoryPool> pool);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    std::shared_ptr<MemoryPool> previous_;
  };

 private:
  std::string name_;
  size_t limit_bytes_;
  std::atomic<size_t> used_bytes_{0};
  std::atomic<size_t> peak_bytes_{0};
};

}  // namespace thalweg
