// JoinRows: the rows of one join side under one key, back to back in one block of memory.
//
// A record is a header and the row's bytes. Records keep the order of their arrival; a removed one stays as a dead record
// until half of the block is dead. Where rows are taken back by value, a record carries a hash of its bytes, and a key with
// many rows gets an index of hashes, so that finding a row does not read all of them.
// Record pointers are valid until the next append() or remove(). The object may be moved by copying its bytes, as table
// entries are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "common/base/status.h"
#include "common/runtime_api/state.h"

namespace thalweg::worker {

class JoinRows {
 public:
  struct Record {
    uint32_t size = 0;
    uint32_t hash = 0;
    int64_t matches = 0;      ///< rows of the other side it is joined with, where that is counted; kDead: removed

    std::string_view bytes() const { return {reinterpret_cast<const char*>(this + 1), size}; }
    bool isDead() const { return matches == kDead; }
  };
  static constexpr int64_t kDead = INT64_MIN;

  JoinRows() = default;
  ~JoinRows();
  JoinRows(const JoinRows&) = delete;
  JoinRows& operator=(const JoinRows&) = delete;

  size_t size() const { return live_; }
  bool isEmpty() const { return live_ == 0; }

  /// Calls visit(Record&) for every row in order.
  template <typename Visit>
  void forEach(Visit&& visit) {
    for (uint32_t at = 0; at < used_;) {
      Record& record = recordAt(at);
      at += spaceOf(record.size);
      if (!record.isDead()) visit(record);
    }
  }
  template <typename Visit>
  void forEach(Visit&& visit) const {
    const_cast<JoinRows*>(this)->forEach([&](Record& record) { visit(static_cast<const Record&>(record)); });
  }

  void append(std::string_view bytes, int64_t matches, uint32_t hash = 0);
  /// Removes the youngest row with these bytes, all appended with their hashes; false if there is none.
  bool remove(std::string_view bytes, uint32_t hash);

  void serialize(std::string& out) const;
  /// Into an empty object.
  Status deserialize(std::string_view bytes);

  /// A table whose payloads are JoinRows.
  static KeyedTableSpec tableSpec(std::string name, bool fixed_keys, int64_t ttl_ms);

 private:
  using Index = std::unordered_multimap<uint32_t, uint32_t>;   // hash -> offset
  static constexpr uint32_t kIndexedRowsMin = 48;

  static uint32_t spaceOf(uint32_t size) { return static_cast<uint32_t>(sizeof(Record)) + (size + 7) / 8 * 8; }
  Record& recordAt(uint32_t offset) { return *reinterpret_cast<Record*>(block_ + offset); }
  void reserve(uint32_t bytes);
  void makeIndex();
  void dropIndex();
  /// Offset of the youngest such row, or used_.
  uint32_t findOffset(std::string_view bytes, uint32_t hash);
  uint32_t findIndexed(std::string_view bytes, uint32_t hash);
  void compact();

  char* block_ = nullptr;
  uint32_t used_ = 0;
  uint32_t capacity_ = 0;
  uint32_t live_ = 0;
  uint32_t dead_bytes_ = 0;
  Index* index_ = nullptr;      // offsets of all live rows, once a removal found many of them
};

}  // namespace thalweg::worker
