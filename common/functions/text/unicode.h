// Unicode for text functions: walking UTF-8, case mapping and character classes, by code points.
//
// Text in columns is well-formed UTF-8; on other bytes the walkers stay in bounds and take each bad byte for a
// character. Case mapping is the full, language-neutral one (`ß` becomes `SS`, a final sigma is kept apart), as
// Java's Locale.ROOT has it. The tables in unicode_case.cc and unicode_class.cc are generated.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

namespace thalweg {

namespace unicode {

/// Code points first, first+step … last map to themselves plus delta.
struct CaseRange {
  uint32_t first;
  uint32_t last;
  uint32_t step;
  int32_t delta;
};
struct CaseText {
  uint32_t code;
  const char* text;
};
struct CodeRange {
  uint32_t first;
  uint32_t last;
};
extern const CaseRange kUpperCase[];
extern const size_t kUpperCaseCount;
extern const CaseRange kLowerCase[];
extern const size_t kLowerCaseCount;
extern const CaseText kUpperCaseTexts[];      ///< those that become several code points
extern const size_t kUpperCaseTextsCount;
extern const CodeRange kLetters[];            ///< categories Lu, Ll, Lt, Lm, Lo
extern const size_t kLettersCount;
extern const CodeRange kDigits[];             ///< category Nd
extern const size_t kDigitsCount;

}  // namespace unicode

inline bool isAsciiText(std::string_view text) {
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    if (word & 0x8080808080808080ULL) return false;
  }
  for (; at < text.size(); ++at) {
    if (static_cast<uint8_t>(text[at]) & 0x80) return false;
  }
  return true;
}

inline bool isContinuation(char c) { return (static_cast<uint8_t>(c) & 0xc0) == 0x80; }

/// Bytes of the character that starts at `at`, at least 1, within the text.
inline size_t characterBytes(std::string_view text, size_t at) {
  const auto lead = static_cast<uint8_t>(text[at]);
  if (lead < 0xc0) return 1;
  const size_t bytes = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return bytes < text.size() - at ? bytes : text.size() - at;
}
/// Start of the character that ends before `end`; end > 0.
inline size_t previousCharacter(std::string_view text, size_t end) {
  size_t at = end - 1;
  while (at > 0 && end - at < 4 && isContinuation(text[at])) --at;
  return at;
}

/// The code point at `at`, which it moves behind it; a bad byte stands for U+FFFD.
char32_t nextCodePoint(std::string_view text, size_t& at);
void appendCodePoint(std::string& out, char32_t code);
/// Byte offset of the `count`-th code point (0-based), or the size if there are fewer.
size_t offsetOfCodePoint(std::string_view text, size_t count);
/// The same, counted back from the end: where the last `count` code points start.
size_t offsetOfLast(std::string_view text, size_t count);

char32_t toUpperSimple(char32_t code);
char32_t toLowerSimple(char32_t code);
bool isLetter(char32_t code);
bool isDecimalDigit(char32_t code);

// Append the whole text in another case.
void appendUpper(std::string& out, std::string_view text);
void appendLower(std::string& out, std::string_view text);

}  // namespace thalweg
