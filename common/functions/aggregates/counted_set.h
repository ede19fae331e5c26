// CountedSet<Key>: an insertion-ordered hash set in which every key has a count, which may be negative.
//
// Keys are uint64_t words or byte strings. Entries stand in a vector; an open-addressing index of 32-bit entry
// numbers finds them: 24 bytes for a word in a full table. An entry at count 0 is gone; such gaps are closed when
// they become half of the table. Hashes are given by the caller (KeyEncoder has them) or computed with hashOf().
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/check.h"
#include "common/base/hash.h"
#include "common/functions/aggregates/state_bytes.h"

namespace thalweg {

template <typename Key>
class CountedSet {
 public:
  using View = std::conditional_t<std::is_same_v<Key, std::string>, std::string_view, Key>;
  struct Entry {
    Key key;
    int64_t count;
  };

  static uint64_t hashOf(View key) {
    if constexpr (std::is_same_v<Key, std::string>) {
      return hashBytes(key);
    } else {
      const uint64_t big_endian = __builtin_bswap64(key);
      return hashBytes({reinterpret_cast<const char*>(&big_endian), sizeof big_endian});
    }
  }

  /// Adds `by` (not 0) to the count of `key`; returns the count before.
  int64_t change(View key, uint64_t hash, int64_t by) {
    Entry& entry = find(key, hash);
    const int64_t before = entry.count;
    entry.count += by;
    present_ = present_ + (entry.count != 0) - (before != 0);
    return before;
  }
  /// Gives `key` the count 1 if it is absent; returns whether it was.
  bool insert(View key, uint64_t hash) {
    Entry& entry = find(key, hash);
    if (entry.count != 0) return false;
    entry.count = 1;
    ++present_;
    return true;
  }

  /// Keys whose count is not 0.
  size_t size() const { return present_; }
  /// visit(const Key&, int64_t count), oldest first.
  template <typename Visit>
  void forEach(Visit&& visit) const {
    for (const Entry& entry : entries_) {
      if (entry.count != 0) visit(entry.key, entry.count);
    }
  }

  void save(StateWriter& out) const {
    out.number<uint64_t>(present_);
    forEach([&](const Key& key, int64_t count) {
      if constexpr (std::is_same_v<Key, std::string>) out.text(key);
      else out.number(key);
      out.number(count);
    });
  }
  bool load(StateReader& in) {
    for (uint64_t left = in.count(sizeof(int64_t) + 8); left > 0; --left) {
      View key;
      if constexpr (std::is_same_v<Key, std::string>) key = in.text();
      else key = in.template number<Key>();
      const auto count = in.template number<int64_t>();
      if (!in.isOk() || count == 0 || change(key, hashOf(key), count) != 0) return false;
    }
    return in.isOk();
  }

 private:
  size_t mask() const { return index_.size() - 1; }

  /// The entry of `key`, made with count 0 if need be.
  Entry& find(View key, uint64_t hash) {
    if ((entries_.size() + 1) * 4 > index_.size() * 3) rebuild();
    size_t at = hash & mask();
    while (index_[at] != 0) {
      Entry& entry = entries_[index_[at] - 1];
      if (entry.key == key) return entry;
      at = (at + 1) & mask();
    }
    entries_.push_back({Key(key), 0});
    CHECK(entries_.size() < UINT32_MAX);
    index_[at] = static_cast<uint32_t>(entries_.size());
    return entries_.back();
  }

  void rebuild() {
    if (present_ * 2 < entries_.size()) std::erase_if(entries_, [](const Entry& entry) { return entry.count == 0; });
    index_.assign(std::bit_ceil(std::max<size_t>(entries_.size() * 2, 8)), 0);
    for (size_t i = 0; i < entries_.size(); ++i) {
      size_t at = hashOf(entries_[i].key) & mask();
      while (index_[at] != 0) at = (at + 1) & mask();
      index_[at] = static_cast<uint32_t>(i + 1);
    }
  }

  std::vector<Entry> entries_;
  std::vector<uint32_t> index_;                         // entry number + 1; 0: free
  size_t present_ = 0;
};

}  // namespace thalweg
