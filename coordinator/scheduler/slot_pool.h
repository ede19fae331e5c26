// SlotPool: the workers, their slots, and who has them.
//
// Threads: the coordinator's loop. Times are milliseconds of a steady clock.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/base/status.h"

namespace thalweg::coordinator {

class SlotPool {
 public:
  struct Limits {
    int64_t suspect_after_ms = 1000;    ///< silent for so long: nothing new is placed there
    int64_t dead_after_ms = 5000;       ///< and for so long: it is given up
  };
  explicit SlotPool(Limits limits) : limits_(limits) {}

  void addWorker(const std::string& id, int slots, int64_t now_ms);
  void removeWorker(const std::string& id) { workers_.erase(id); }
  bool hasWorker(const std::string& id) const { return workers_.contains(id); }
  void onHeartbeat(const std::string& id, int64_t now_ms);
  bool isSuspect(const std::string& id, int64_t now_ms) const;
  /// Workers that have been silent for too long.
  std::vector<std::string> deadWorkers(int64_t now_ms) const;

  /// The workers of `count` slots, one entry a slot, taken for `owner`; RESOURCE_EXHAUSTED says how many are missing.
  Result<std::vector<std::string>> take(const std::string& owner, int count, int64_t now_ms);
  /// Gives back everything that `owner` has.
  void giveBack(const std::string& owner);
  int slots() const;
  int freeSlots() const;
  int slotsOf(const std::string& id) const;
  int freeSlotsOf(const std::string& id) const;
  int64_t silentMillis(const std::string& id, int64_t now_ms) const;

 private:
  struct Worker {
    int slots = 0;
    int64_t heard_ms = 0;
    std::map<std::string, int> taken;    // by owner
    int free() const;
  };
  const Limits limits_;
  std::map<std::string, Worker> workers_;
};

}  // namespace thalweg::coordinator
