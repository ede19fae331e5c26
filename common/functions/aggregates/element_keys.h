// ElementKeys: the rows of a column as comparable keys, so that collections of any element type can be searched and
// deduplicated. Equal values have equal keys (-0.0 and 0.0, all NaN); NULLs have no key and are asked for apart.
// Threads: one owner. Lifetime: keys live until the next encode() and as long as the column.
#pragma once

#include <bit>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "common/columnar/column_reader.h"
#include "common/columnar/key_codec.h"

namespace thalweg {

class ElementKeys {
 public:
  explicit ElementKeys(const DataType& type) : encoder_({0}, {type}) {}

  void encode(const VectorPtr& column) {
    nulls_.emplace(*column);
    keys_ = &encoder_.encode(Batch(column->size(), {column}));
  }
  bool isNull(size_t row) const { return nulls_->isNull(row); }
  std::string_view operator[](size_t row) const {
    if (!keys_->has_words) return keys_->bytes[row];
    return {reinterpret_cast<const char*>(&keys_->words[row]), sizeof(uint64_t)};
  }
  uint64_t hash(size_t row) const { return keys_->hashes[row]; }

  /// Whether two rows hold the same value; NULL equals NULL.
  static bool equal(const ElementKeys& a, size_t i, const ElementKeys& b, size_t j) {
    if (a.isNull(i) || b.isNull(j)) return a.isNull(i) && b.isNull(j);
    return a[i] == b[j];
  }

 private:
  KeyEncoder encoder_;
  const KeyBatch* keys_ = nullptr;
  std::optional<RowMapping> nulls_;
};

/// A set of rows by their keys for one collection at a time: a scan for few, a hash table for many.
class ElementSet {
 public:
  explicit ElementSet(const ElementKeys& keys) : keys_(keys) {}
  void clear() {
    rows_.clear();
    has_null_ = false;
    table_.clear();
  }
  /// Adds a row; false if its value is there already.
  bool add(size_t row) {
    if (keys_.isNull(row)) return !std::exchange(has_null_, true);
    if (contains(row)) return false;
    rows_.push_back(row);
    if (!table_.empty() || rows_.size() > kScannedMax) index();
    return true;
  }
  bool contains(size_t row) const {
    if (keys_.isNull(row)) return has_null_;
    if (table_.empty()) {
      for (const size_t other : rows_) {
        if (keys_[other] == keys_[row]) return true;
      }
      return false;
    }
    for (size_t at = keys_.hash(row) & mask(); table_[at] != 0; at = (at + 1) & mask()) {
      if (keys_[rows_[table_[at] - 1]] == keys_[row]) return true;
    }
    return false;
  }

 private:
  static constexpr size_t kScannedMax = 16;
  size_t mask() const { return table_.size() - 1; }
  void enter(size_t n) {
    size_t at = keys_.hash(rows_[n]) & mask();
    while (table_[at] != 0) at = (at + 1) & mask();
    table_[at] = static_cast<uint32_t>(n + 1);
  }
  void index() {
    if (rows_.size() * 2 <= table_.size()) return enter(rows_.size() - 1);
    table_.assign(std::bit_ceil(rows_.size() * 4), 0);
    for (size_t n = 0; n < rows_.size(); ++n) enter(n);
  }

  const ElementKeys& keys_;
  std::vector<size_t> rows_;
  std::vector<uint32_t> table_;                         // number in rows_ + 1; 0: free
  bool has_null_ = false;
};

}  // namespace thalweg
