// KeyScope: which key a keyed stage works for now, and the tables of its keyed state.
//
// While a batch is fed, row `i` of the chunk at hand belongs to key `first + i` of the batch (setRow). While a timer
// fires, the key is the timer's (setStored). Outside of both there is no key, and touching state is an error.
// Threads: the subtask's.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/runtime_api/state.h"

namespace thalweg::api {

class KeyScope {
 public:
  KeyScope(std::vector<int> columns, const std::vector<DataType>& types, KeyedStateStore& store, const std::string& operator_name);

  void setBatch(const Batch& batch);
  void setFirstRow(size_t row) { first_ = row; }
  /// The key of row `row` of the chunk at hand.
  void setRow(size_t row) {
    row_ = first_ + row;
    keys_ = batch_keys_;
  }
  /// The key whose encoded bytes are `key`.
  void setStored(std::string_view key);
  void clear() { keys_ = nullptr; }
  bool isSet() const { return keys_ != nullptr; }

  /// The keys of the batch being fed, for stages that look all of them up at once; rows first() on.
  const KeyBatch& batchKeys() const { return *batch_keys_; }
  size_t first() const { return first_; }
  /// Key and row in it; throws when there is no key.
  const KeyBatch& keys() const {
    if (keys_ == nullptr) refuse();
    return *keys_;
  }
  size_t row() const { return row_; }
  bool isFixed() const { return encoder_.isFixed(); }
  /// The encoded bytes of the present key.
  std::string stored() const;
  /// The present key as a row of its columns.
  Batch keyColumns() const;
  /// Columns of keys from their encoded bytes.
  Batch decode(std::span<const std::string_view> stored) const;

  /// In open() only.
  KeyedTable& openTable(KeyedTableSpec spec);
  /// The entry of the present key; null if there is none.
  char* find(KeyedTable& table);
  /// The entry of the present key, made if need be.
  char* upsert(KeyedTable& table);
  void erase(KeyedTable& table);

 private:
  [[noreturn]] void refuse() const;

  KeyEncoder encoder_;
  KeyedStateStore& store_;
  std::string operator_name_;
  const KeyBatch* batch_keys_ = nullptr;
  const KeyBatch* keys_ = nullptr;
  size_t first_ = 0;
  size_t row_ = 0;
  KeyBatch single_;
  std::string single_bytes_;
};

}  // namespace thalweg::api
