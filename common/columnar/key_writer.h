// KeyWriter: writes rows of several columns as memcomparable bytes, a column at a time. KeyEncoder and
// SortKeyEncoder stand on it; docs/protocol/state.md gives the format.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/columnar/vector.h"

namespace thalweg {

/// How one key column is written.
struct KeyColumn {
  DataType type;
  bool raw_text = false;                       ///< text without escapes and end: only for the last column
  bool descending = false;                     ///< value bytes inverted (the NULL marker never is)
  bool nulls_last = false;
};

class KeyWriter {
 public:
  KeyWriter() = default;
  explicit KeyWriter(std::vector<KeyColumn> columns) : columns_(std::move(columns)) {}

  /// Writes `rows` rows of `vectors`, one for each key column, into `arena` and points `out` at them.
  void write(std::span<const Vector* const> vectors, size_t rows, std::vector<char>& arena,
             std::vector<std::string_view>& out);

 private:
  /// What is known of a column of the batch at hand before writing.
  struct Plan {
    size_t stride = 0;                         ///< bytes of every row, marker included; 0: differs by row
    size_t offset = 0;                         ///< where the column stands if all before it have strides
    bool has_zeros = false;                    ///< some text has zero bytes to escape
    std::string nested;                        ///< encoded rows of a nested column
    std::vector<size_t> nested_ends;
  };
  void measure(const Vector& vector, const KeyColumn& column, size_t rows, Plan& plan);
  void measureText(const Vector& vector, const KeyColumn& column, size_t rows, Plan& plan);
  template <typename Claim>
  static void writeColumn(const Vector& vector, const KeyColumn& column, size_t rows, const Plan& plan, Claim&& claim);

  std::vector<KeyColumn> columns_;
  std::vector<Plan> plans_;
  std::vector<size_t> cursors_;                // where the next column of each row goes
};

/// Appends row `row` of `vector` as a nested key value, marker first.
void appendKeyValue(const Vector& vector, size_t row, std::string& out);

}  // namespace thalweg
