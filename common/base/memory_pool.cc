#include "common/base/memory_pool.h"

#include <utility>

namespace thalweg {
namespace {

std::shared_ptr<MemoryPool>& currentSlot() {
  thread_local std::shared_ptr<MemoryPool> slot = MemoryPool::process();
  return slot;
}

}  // namespace

void MemoryPool::add(size_t bytes) {
  const size_t now = used_bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  size_t peak = peak_bytes_.load(std::memory_order_relaxed);
  while (now > peak && !peak_bytes_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
}

const std::shared_ptr<MemoryPool>& MemoryPool::process() {
  static const auto* pool = new std::shared_ptr<MemoryPool>(std::make_shared<MemoryPool>("process"));
  return *pool;
}

const std::shared_ptr<MemoryPool>& MemoryPool::current() { return currentSlot(); }

MemoryPool::Scope::Scope(std::shared_ptr<MemoryPool> pool) : previous_(std::exchange(currentSlot(), std::move(pool))) {}

MemoryPool::Scope::~Scope() { currentSlot() = std::move(previous_); }

}  // namespace thalweg
