// KeyEncoder: encodes key columns into memcomparable bytes and hashes them, a batch at a time.
//
// The bytes are the identity of a key everywhere: partitioning, hash tables, state, grouping, DISTINCT. They sort
// like the values (NULL first, then ascending; -0.0 equals 0.0; all NaN are one value, above infinity; text by
// UTF-8 bytes; CHAR and VARCHAR alike; DECIMAL by value at the column's scale), and they do not depend on whether
// a column was declared NOT NULL. docs/protocol/state.md gives the format.
// A single key of at most 4 bytes (with its NULL), or of 8 bytes and NOT NULL, has a fast path: keys are uint64
// words. A nullable one of 8 bytes has words too, with NULL apart (KeyBatch::has_words).
// Inputs that share keys (both sides of a join, an operator and its state) are given the same key types.
// Threads: one owner. Lifetime: results live until the next encode() call, and as long as the encoded batch.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "common/base/status.h"
#include "common/columnar/batch.h"
#include "common/columnar/key_writer.h"

namespace thalweg {

/// The keys of one batch: `words` if fixed, else `bytes`.
struct KeyBatch {
  size_t size = 0;
  bool fixed = false;                          ///< every key is one uint64 word, memcomparable as big-endian
  bool has_words = false;                      ///< words are filled; always if fixed
  std::vector<uint64_t> words;                 ///< if not fixed, NULL keys have word 0 and empty bytes: only hasNull()
                                               ///< tells them from the smallest value
  std::vector<std::string_view> bytes;         ///< if not fixed; into the encoder's arena or the batch's text
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
  bool isFixed() const { return keys_.fixed; }
  /// Whether batches have words, if only beside bytes.
  bool hasWords() const { return keys_.has_words; }
  const KeyBatch& encode(const Batch& batch);
  /// Whether any key column is NULL in `row` of the last batch encoded (join keys never match on NULL).
  bool hasNull(size_t row) const { return !nulls_.empty() && nulls_[row] != 0; }
  /// Whether hasNull() is true for any row.
  bool hasAnyNull() const { return !nulls_.empty(); }
  const std::vector<int>& columns() const { return columns_; }
  const std::vector<DataType>& keyTypes() const { return key_types_; }

 private:
  void encodeWords(const Vector& column);
  void encodeText(const Vector& column);
  void markNulls(const Vector& column, size_t rows);

  std::vector<int> columns_;
  std::vector<DataType> key_types_;
  KeyBatch keys_;
  std::vector<uint8_t> nulls_;                 // per row, empty when no key column has a null
  KeyWriter writer_;
  std::vector<char> arena_;
  std::vector<const Vector*> vectors_;         // scratch
};

/// Encodes rows by sort keys so that byte order is the wanted order (descending keys inverted, null order kept).
class SortKeyEncoder {
 public:
  SortKeyEncoder(std::vector<SortKey> keys, const std::vector<DataType>& types);
  /// One byte string per row; valid until the next call.
  std::span<const std::string_view> encode(const Batch& batch);

 private:
  std::vector<SortKey> keys_;
  KeyWriter writer_;
  std::vector<char> arena_;
  std::vector<std::string_view> rows_;
  std::vector<const Vector*> vectors_;         // scratch
};

/// The 8 big-endian bytes of a key word, as they stand in state.
inline std::string_view storeKeyWord(uint64_t word, char (&buffer)[8]) {
  word = __builtin_bswap64(word);
  __builtin_memcpy(buffer, &word, sizeof(word));
  return {buffer, sizeof(word)};
}
inline uint64_t loadKeyWord(std::string_view bytes) {
  uint64_t word;
  __builtin_memcpy(&word, bytes.data(), sizeof(word));
  return __builtin_bswap64(word);
}

/// Decodes keys written by KeyEncoder back into columns (state reading, tests). Bytes from outside are refused
/// with a Status, never trusted.
Status decodeKeys(std::span<const std::string_view> keys, const std::vector<DataType>& types, std::vector<VectorPtr>& columns);
/// Decodes the words of a KeyEncoder that isFixed().
VectorPtr decodeKeyWords(std::span<const uint64_t> words, const DataType& type);

}  // namespace thalweg
