// JsonCutter: cuts lines of JSON into values by the shape of an earlier line: the fast way through a file.
//
// Programs write line after line with the same names in the same order and the same blanks. The shape is the text
// between the values; a line that repeats it needs no look at names and punctuation. Values are strings,
// numbers without exponent, true and false. Any other line is left to JsonCursor. Threads: one owner.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/formats/column_parts.h"
#include "common/formats/json/json_cursor.h"

namespace thalweg::format {

class JsonCutter {
 public:
  /// Takes the shape of `line`, a flat object. `place` says what a name stands for, and is kept for places(). False,
  /// and no shape, for other lines and where a name comes twice.
  bool learn(std::string_view line, const std::function<size_t(std::string_view)>& place);
  bool hasShape() const { return !places_.empty(); }
  /// What each value of the shape stands for.
  const std::vector<size_t>& places() const { return places_; }

  /// Cuts the line at `begin` of `data` into its values, one per place; those with escapes are added to `escaped`. False if it is of another shape, or does not
  /// end with a line feed before `end`. Reads up to 64 bytes past `end`.
  bool cut(const char* data, size_t begin, size_t end, CellCut* values, std::vector<const CellCut*>& escaped);
  /// Where the line behind the one that was cut begins.
  size_t next() const { return next_; }

 private:
  static const char* stringEnd(const char* at, const char* end, bool& escaped);
  static const char* bareEnd(const char* at, const char* end);

  std::vector<std::string> between_;  // before each value, and behind the last
  std::vector<size_t> places_;
  size_t next_ = 0;
};

}  // namespace thalweg::format
