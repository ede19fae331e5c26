// JsonCursor: reads JSON text token by token, with the strictness of Jackson as Flink sets it up: RFC 8259, but control
// characters may stand unescaped in strings.
//
// Methods that return false have met text that is no JSON; problem() says what. They never read at or past the end,
// but for up to 64 bytes of padding that must be readable. Nesting is bounded by kDepthMax.
// Lifetime: borrows the text. Threads: one owner.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "common/formats/byte_search.h"

namespace thalweg::format {

class JsonCursor {
 public:
  static constexpr size_t kDepthMax = 1000;

  void reset(std::string_view text) {
    at_ = text.data();
    end_ = at_ + text.size();
  }
  /// The next character that is no blank; 0 at the end.
  char peek() {
    while (at_ < end_ && isBlank(*at_)) ++at_;
    return at_ < end_ ? *at_ : '\0';
  }
  bool take(char c) {
    if (peek() != c || at_ == end_) return false;
    ++at_;
    return true;
  }
  bool expect(char c) { return take(c) || fail(std::string("'") + c + "'"); }

  /// Takes `"name"` if it stands here as it is, without escapes.
  bool takeName(std::string_view name) {
    const size_t size = name.size() + 2;
    if (static_cast<size_t>(end_ - at_) < size || at_[0] != '"' || at_[size - 1] != '"') return false;
    if (std::memcmp(at_ + 1, name.data(), name.size()) != 0) return false;
    at_ += size;
    return true;
  }
  /// A string, at its opening quote. `shared`: the text stands in the cursor's text; else it is valid until the next
  /// string is read.
  bool readString(std::string_view& text, bool& shared);
  /// A number, at its first character.
  bool readNumber(std::string_view& number);
  /// true, false or null.
  bool readWord(std::string_view& word);
  /// Any value, checked but not looked at.
  bool skipValue();
  /// Any value as JSON text without blanks, as Jackson writes a tree again. Appends to `out`.
  bool compactValue(std::string& out);

  /// Where the cursor stands.
  const char* position() const { return at_; }
  /// What was expected, and found, where a method returned false.
  const std::string& problem() const { return problem_; }
  /// Notes that `expected` does not stand here; returns false.
  bool fail(std::string_view expected);

 private:
  static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  /// The next quote or backslash from `from` on, or end_.
  const char* findMark(const char* from) const;
  bool readEscaped(const char* begin, const char* backslash, std::string_view& text);
  const char* appendEscape(const char* at);
  template <typename Sink>
  bool walk(Sink& sink);
  template <typename Sink>
  bool walkKey(Sink& sink);

  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::string scratch_;
  std::string problem_;
};

inline const char* JsonCursor::findMark(const char* from) const { return findAny<'"', '\\'>(from, end_); }

inline bool JsonCursor::readString(std::string_view& text, bool& shared) {
  const char* begin = at_ + 1;
  const char* mark = findMark(begin);
  if (mark == end_) return fail("the closing quote of a string");
  shared = *mark == '"';
  if (!shared) return readEscaped(begin, mark, text);
  text = {begin, static_cast<size_t>(mark - begin)};
  at_ = mark + 1;
  return true;
}

/// Appends `text` as a JSON string. `escape_pairs`: characters beyond U+FFFF are written as surrogate escapes.
void appendJsonString(std::string& out, std::string_view text, bool escape_pairs);

}  // namespace thalweg::format
