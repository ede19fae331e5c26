// KeyedTimers: what is due when, per key, for stages behind keyBy.
//
// A timer is a time and a tag (a window's start and end, or 0, 0) of one key; registering it twice is one timer. Timers
// fire in the order of their time, then of registration. They live in keyed state and survive snapshots.
// Threads: as the stage. Lifetime: borrows the scope.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "client/api/thalweg/key_scope.h"
#include "client/api/thalweg/stage.h"

namespace thalweg::api {

struct TimerTag {
  int64_t start = 0;
  int64_t end = 0;
  auto operator<=>(const TimerTag&) const = default;
};

class KeyedTimers {
 public:
  /// `name` tells event-time timers from processing-time ones in the state.
  KeyedTimers(KeyScope& keys, const std::string& name);

  // Of the present key.
  void add(int64_t time, TimerTag tag = {});
  void remove(int64_t time, TimerTag tag = {});

  bool isEmpty() const { return due_.empty(); }
  int64_t earliest() const { return due_.empty() ? INT64_MAX : due_.begin()->time; }
  /// Fires everything up to `time`, also what firing adds; each with its key set.
  void fire(int64_t time, const std::function<void(int64_t time, TimerTag tag)>& on_timer);
  /// Fires all timers of the present key. As in Flink's batch mode, those set meanwhile are dropped: the key has ended.
  void fireAll(const std::function<void(int64_t time, TimerTag tag)>& on_timer);

 private:
  struct Id {
    int64_t time = 0;
    TimerTag tag;
    auto operator<=>(const Id&) const = default;
  };
  struct Due {
    int64_t time = 0;
    uint64_t number = 0;
    TimerTag tag;
    std::string key;
    auto operator<=>(const Due&) const = default;
  };
  /// The timers of one key, with the numbers of their registration.
  struct OfKey {
    std::map<Id, uint64_t> numbers;
    void serialize(std::string& out) const;
    static Status deserialize(std::string_view bytes, OfKey& into);
  };
  bool forget(const Id& id);

  KeyScope& keys_;
  KeyedTable& table_;
  std::set<Due> due_;
  uint64_t next_ = 0;
  bool ending_ = false;
};

}  // namespace thalweg::api
