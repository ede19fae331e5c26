// OrderedValues: the values of a group in arrival order, with removal of the oldest equal one.
//
// What LISTAGG, ARRAY_AGG, FIRST_VALUE and LAST_VALUE keep over a changelog. A removal of a value that is not there
// (a local aggregate may see a retraction whose value the global one holds) is remembered and cancels against the
// next merge. NULL is a value like others. Small lists are searched; large ones get an index of positions by value.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/functions/aggregates/state_bytes.h"

namespace thalweg {

class OrderedValues {
 public:
  /// A value, or NULL.
  using Entry = std::optional<std::string>;

  void add(std::optional<std::string_view> value);
  /// Takes the oldest equal value back.
  void remove(std::optional<std::string_view> value);
  void mergeFrom(const OrderedValues& other);

  size_t size() const { return live_; }
  bool isEmpty() const { return live_ == 0; }
  /// visit(const Entry&) in arrival order.
  template <typename Visit>
  void forEach(Visit&& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.live) visit(slot.value);
    }
  }
  /// The oldest and the newest value; not of an empty list.
  const Entry& front() const;
  const Entry& back() const;

  void save(StateWriter& out) const;
  bool load(StateReader& in);

 private:
  struct Slot {
    Entry value;
    bool live = true;
  };
  static constexpr size_t kIndexedFrom = 64;

  static bool equal(const Entry& entry, std::optional<std::string_view> value) {
    return entry.has_value() == value.has_value() && (!value || *entry == *value);
  }
  static std::string indexKey(std::optional<std::string_view> value);
  size_t find(std::optional<std::string_view> value);
  void erase(size_t slot);
  void trim();
  void buildIndex();

  std::deque<Slot> slots_;
  size_t first_ = 0;                                    // number of slots_[0]; grows as the front is trimmed
  size_t live_ = 0;
  bool indexed_ = false;
  std::unordered_map<std::string, std::deque<size_t>> index_;  // value to its slot numbers, oldest first
  std::vector<Entry> owed_;                             // removals that found nothing
};

}  // namespace thalweg
