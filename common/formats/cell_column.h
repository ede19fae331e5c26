// CellColumn: a growing column of one scalar type, filled from the text of cells. What csv, raw and the JSON formats
// put their values into.
//
// Rows are written by number and may be set again (column_parts.h). set() answers false for text that is no value of
// the type; the caller then fails, or calls setNull(). A value that is one but does not fit (DECIMAL with too many
// digits) becomes NULL, as in Flink. Threads: one owner.
#pragma once

#include <memory>
#include <string_view>

#include "common/base/status.h"
#include "common/columnar/vector.h"
#include "common/formats/column_parts.h"

namespace thalweg::format {

/// Where formats differ in what they take.
struct CellRules {
  bool short_dates = false;       ///< months and days of one digit
  bool short_times = false;       ///< TIME without seconds, cut to the type's digits
  bool trimmed_timestamps = false;///< blanks around them are dropped
  bool trimmed_decimals = true;
  char timestamp_separator = ' '; ///< between date and time: ' ' (SQL) or 'T' (ISO-8601)
};

/// The text of a value and what is known of it.
struct Cell {
  std::string_view text;
  bool shared = false;  ///< stands in the buffer given to useBuffer() and may be referred to; else it is copied
  bool number = false;  ///< a number of JSON: integers take its whole part
};

class CellColumn {
 public:
  /// NOT_SUPPORTED for types without a text form.
  static Result<std::unique_ptr<CellColumn>> make(const DataType& type, const CellRules& rules);
  virtual ~CellColumn() = default;

  /// Makes rows [0, rows) writable; keeps what was written.
  virtual void reserve(size_t rows) = 0;
  /// The buffer in which shared cells stand from now on.
  virtual void useBuffer(const BufferPtr& buffer) { (void)buffer; }
  virtual bool set(size_t row, const Cell& cell) = 0;
  virtual void setNull(size_t row) = 0;
  /// Sets rows [row, row + count) from `cuts`, `stride` apart, of the buffer given to useBuffer(), whose bytes are `data`;
  /// up to 16 bytes behind a text may be read. Fewer than `count` if one is no value: some rows may then be unset.
  virtual size_t setMany(size_t row, size_t count, const char* data, const CellCut* cuts, size_t stride);
  /// The first `rows` rows; the column is empty afterwards.
  virtual VectorPtr finish(size_t rows) = 0;
};

}  // namespace thalweg::format
