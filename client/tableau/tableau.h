// Tableau: rows in a frame, as Flink prints them in its shell and for TableResult::print().
//
//   +----+--------------------------------+-------------+
//   | op |                           name |       score |
//
// In streaming the widths follow from the types, because rows are printed as they come; a table that is whole is as wide
// as its content. Text is right-aligned; what is too wide ends in `...`. Widths count display columns of code points.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/columnar/batch.h"
#include "common/types/schema.h"
#include "common/types/time_zone.h"

namespace thalweg::client {

class Tableau {
 public:
  /// Widths by type; `with_op` puts the row kind first.
  Tableau(const Schema& schema, bool with_op, size_t column_width_max);
  /// Widths by content: the widest of heading and cells, up to `column_width_max`.
  void fitTo(const std::vector<std::vector<std::string>>& rows);

  std::string rule() const;
  std::string heading() const;
  /// `cells` in column order, the row kind first if there is one.
  std::string row(const std::vector<std::string>& cells) const;

 private:
  std::vector<std::string> names_;
  std::vector<size_t> widths_;
  size_t column_width_max_;
};

/// The part of `line` that fits into `columns` of a terminal.
std::string_view clipped(std::string_view line, size_t columns);
/// The same with `>` in the last column where something was cut off.
std::string cutTo(std::string_view line, size_t columns);

/// The cells of a row: cast form, `<NULL>` for NULL.
std::vector<std::string> cellsOf(const Batch& batch, size_t row, const Schema& schema, const TimeZone& zone);
std::vector<std::string> cellsOf(const std::vector<Value>& values, const Schema& schema, const TimeZone& zone);

}  // namespace thalweg::client
