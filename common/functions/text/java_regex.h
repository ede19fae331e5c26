// JavaRegex: a regular expression in Java's syntax, run by RE2.
//
// compile() translates what the two write differently (named groups, \uXXXX, octal escapes, \h, \R, \Z, the classes
// \p{Alpha} …, what `.` and \s stand for). What RE2 cannot do (look-around, backreferences, possessive quantifiers,
// class intersections) is NOT_SUPPORTED with the construct's name; what is no expression at all is INVALID_ARGUMENT.
// Known differences: `$` does not match before a line end that closes the text; (?i) folds all letters, not ASCII only.
// Threads: immutable, matching from any thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/base/status.h"

namespace re2 {
class RE2;
}

namespace thalweg {

class JavaRegex {
 public:
  static constexpr int kGroupsMax = 64;

  static Result<JavaRegex> compile(std::string_view pattern);
  /// The same for a pattern already in RE2's syntax.
  static Result<JavaRegex> compileRe2(const std::string& pattern);
  ~JavaRegex();
  JavaRegex(JavaRegex&&) noexcept;
  JavaRegex& operator=(JavaRegex&&) noexcept;

  int groupCount() const;
  /// The first match at or after `from`, with as many groups as `groups` has room for (group 0 is the whole match;
  /// a group that took no part has a null data pointer).
  bool find(std::string_view text, size_t from, std::span<std::string_view> groups) const;
  bool contains(std::string_view text) const;
  bool matchesWhole(std::string_view text) const;

  /// visit(groups) for every match as Java's Matcher.find() goes on: behind the last match, one character further
  /// after an empty one. Stops when visit returns false.
  template <typename Visit>
  void forEachMatch(std::string_view text, std::span<std::string_view> groups, Visit&& visit) const {
    for (size_t from = 0; from <= text.size() && find(text, from, groups);) {
      if (!visit()) return;
      from = nextStart(text, groups[0]);
    }
  }

 private:
  explicit JavaRegex(std::unique_ptr<re2::RE2> regex);
  static size_t nextStart(std::string_view text, std::string_view match);

  std::unique_ptr<re2::RE2> regex_;
  bool findNear(std::string_view text, size_t from, size_t place, std::span<std::string_view> groups) const;

  std::string required_;                // text that every match contains; may be empty
  std::optional<size_t> before_max_;    // bytes of a match before that text, if they are known to be few
};

struct TranslatedRegex {
  std::string pattern;                  ///< in RE2's syntax
  std::string required;                 ///< text that every match contains; may be empty
  std::optional<size_t> before_max;     ///< the most bytes of a match that stand before `required`; none: any number
};
/// The most bytes that a part of an expression in RE2's syntax matches; none if they are not bounded, or it uses more than
/// characters, classes, `^` and groups. java_regex_width.cc
std::optional<size_t> regexWidthMax(std::string_view pattern);
/// java_regex_syntax.cc
Result<TranslatedRegex> translateJavaRegex(std::string_view pattern);

}  // namespace thalweg
