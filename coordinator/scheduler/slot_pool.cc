#include "coordinator/scheduler/slot_pool.h"

namespace thalweg::coordinator {

int SlotPool::Worker::free() const {
  int left = slots;
  for (const auto& [owner, count] : taken) left -= count;
  return left;
}

void SlotPool::addWorker(const std::string& id, int slots, int64_t now_ms) { workers_[id] = Worker{slots, now_ms, {}}; }

void SlotPool::onHeartbeat(const std::string& id, int64_t now_ms) {
  const auto found = workers_.find(id);
  if (found != workers_.end()) found->second.heard_ms = now_ms;
}

bool SlotPool::isSuspect(const std::string& id, int64_t now_ms) const { return silentMillis(id, now_ms) >= limits_.suspect_after_ms; }

std::vector<std::string> SlotPool::deadWorkers(int64_t now_ms) const {
  std::vector<std::string> dead;
  for (const auto& [id, worker] : workers_) {
    if (now_ms - worker.heard_ms >= limits_.dead_after_ms) dead.push_back(id);
  }
  return dead;
}

Result<std::vector<std::string>> SlotPool::take(const std::string& owner, int count, int64_t now_ms) {
  std::map<std::string, int> free;
  int available = 0;
  for (const auto& [id, worker] : workers_) {
    if (isSuspect(id, now_ms)) continue;
    free[id] = worker.free();
    available += worker.free();
  }
  if (available < count) {
    return Status::exhausted(std::to_string(count - available) + " of " + std::to_string(count) + " slots are missing: " + std::to_string(workers_.size()) +
                             " workers have " + std::to_string(slots()) + " slots, " + std::to_string(freeSlots()) +
                             " of them free; start workers or lower 'parallelism.default'");
  }
  std::vector<std::string> chosen;
  while (static_cast<int>(chosen.size()) < count) {
    auto most = free.begin();
    for (auto each = free.begin(); each != free.end(); ++each) {
      if (each->second > most->second) most = each;
    }
    --most->second;
    ++workers_[most->first].taken[owner];
    chosen.push_back(most->first);
  }
  return chosen;
}

void SlotPool::giveBack(const std::string& owner) {
  for (auto& [id, worker] : workers_) worker.taken.erase(owner);
}

int SlotPool::slots() const {
  int total = 0;
  for (const auto& [id, worker] : workers_) total += worker.slots;
  return total;
}

int SlotPool::freeSlots() const {
  int total = 0;
  for (const auto& [id, worker] : workers_) total += worker.free();
  return total;
}

int SlotPool::slotsOf(const std::string& id) const { return hasWorker(id) ? workers_.at(id).slots : 0; }
int SlotPool::freeSlotsOf(const std::string& id) const { return hasWorker(id) ? workers_.at(id).free() : 0; }

int64_t SlotPool::silentMillis(const std::string& id, int64_t now_ms) const {
  const auto found = workers_.find(id);
  return found == workers_.end() ? 0 : now_ms - found->second.heard_ms;
}

}  // namespace thalweg::coordinator
