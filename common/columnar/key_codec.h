// KeyEncoder: encodes key columns into memcomparable bytes and hashes them, a batch at a time.
//
// The bytes are the identity of a key everywhere: partitioning, hash tables, state, grouping, DISTINCT. They sort
// like the values (NULL first, then ascending; -0.0 equals 0.0; all NaN are one value, above infinity; text by
// UTF-8 bytes; CHAR and VARCHAR alike; DECIMAL by value at the column's scale). docs/protocol/state.md gives the format.
// A single NOT NULL key of at most 8 bytes, the common case, has a fast path: keys are uint64 words.
// Threads: one owner. Lifetime: results live until the next encode() call.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "common/base/status.h"
#include "common/columnar/batch.h"

namespace thalweg {

/// The keys of one batch. Either `words` (fixed) or `bytes` is used, never both.
struct KeyBatch {
  size_t size = 0;
  bool fixed = false;                          ///< every key is one uint64 word, memcomparable as big-endian
  std::vector<uint64_t> words;                 ///< if fixed
  std::vector<std::string_view> bytes;         ///< if not fixed; into the encoder's arena
  std::vector<uint64_t> hashes;                ///< hashBytes of the encoded bytes (for fixed: of the 8 big-endian bytes)
};

enum class SortDirection : uint8_t { ASCENDING, DESCENDING };
enum class NullOrder : uint8_t { FIRST, LAST };

struct SortKey {
  int column = 0;
  SortDirection direction = SortDirection::ASCENDING;
  NullOrder nulls = NullOrder::FIRST;  ///< where NULLs stand in the output; Flink: first when ascending, last when descending
  bool operator==(const SortKey&) const = default;
};

class KeyEncoder {
 public:
  /// Keys: `columns` of batches whose column types are `types` (indexed by batch column). No columns: one key, "".
  KeyEncoder(std::vector<int> columns, const std::vector<DataType>& types);
  /// Whether keys are single words.
  bool isFixed() const { return fixed_; }
  const KeyBatch& encode(const Batch& batch);
  /// Whether any key column is NULL in `row` of the last batch encoded (join keys never match on NULL).
  bool hasNull(size_t row) const { return !nulls_.empty() && nulls_[row] != 0; }

 private:
  std::vector<int> columns_;
  std::vector<DataType> key_types_;
  bool fixed_ = false;
  KeyBatch keys_;
  std::vector<uint8_t> nulls_;                 // per row, empty when no key column may be null
  std::vector<char> arena_;
  std::vector<uint32_t> lengths_;
};

/// Encodes rows by sort keys so that byte order is the wanted order (descending keys inverted, null order kept).
class SortKeyEncoder {
 public:
  SortKeyEncoder(std::vector<SortKey> keys, const std::vector<DataType>& types);
  /// One byte string per row; valid until the next call.
  std::span<const std::string_view> encode(const Batch& batch);

 private:
  std::vector<SortKey> keys_;
  std::vector<DataType> types_;
  std::vector<char> arena_;
  std::vector<std::string_view> rows_;
};

/// Decodes keys written by KeyEncoder back into columns (state reading, tests).
Status decodeKeys(std::span<const std::string_view> keys, const std::vector<DataType>& types, std::vector<VectorPtr>& columns);

}  // namespace thalweg
