// LikePattern: a LIKE pattern compiled for matching UTF-8 text.
//
// `%` stands for any characters, `_` for one; an escape character makes them (and itself) plain. Patterns of plain
// text with `%` at the ends only, the usual ones, become comparisons and searches; others are matched segment by
// segment between the `%`, leftmost first, which never goes back further than one segment.
// Threads: immutable.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/status.h"

namespace thalweg {

class LikePattern {
 public:
  /// Refuses an escape character before anything but `%`, `_` and itself, and one at the end.
  static Result<LikePattern> compile(std::string_view pattern, std::optional<std::string_view> escape);
  bool matches(std::string_view text) const;

 private:
  enum class Shape { EXACT, PREFIX, SUFFIX, CONTAINS, SEGMENTS };
  /// Plain text and wildcards for one character between two `%`.
  struct Piece {
    std::string text;          ///< plain text, then
    bool any_character = false;  ///< perhaps one `_`
  };
  using Segment = std::vector<Piece>;

  void choose();
  static std::optional<size_t> matchSegment(const Segment& segment, std::string_view text, size_t at);
  static bool findSegment(const Segment& segment, std::string_view text, size_t& at);
  static bool matchAtEnd(const Segment& segment, std::string_view text, size_t from);

  Shape shape_ = Shape::SEGMENTS;
  std::string plain_;                   // of all shapes but SEGMENTS
  std::vector<Segment> segments_;       // one more than there are `%`
};

}  // namespace thalweg
