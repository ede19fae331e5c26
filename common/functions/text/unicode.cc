#include "common/functions/text/unicode.h"

#include <algorithm>
#include <span>

namespace thalweg {
namespace {

constexpr char32_t kReplacement = 0xfffd;
constexpr char32_t kCapitalSigma = 0x3a3;
constexpr char32_t kSigma = 0x3c3;
constexpr char32_t kFinalSigma = 0x3c2;
constexpr char32_t kDottedCapitalI = 0x130;

char32_t mapped(std::span<const unicode::CaseRange> ranges, char32_t code) {
  auto range = std::ranges::upper_bound(ranges, code, {}, &unicode::CaseRange::first);
  // Ranges of step 2 may be interleaved with their neighbours: look at some before.
  for (int look = 0; look < 4 && range != ranges.begin(); ++look) {
    --range;
    if (code <= range->last && (code - range->first) % range->step == 0) {
      return static_cast<char32_t>(static_cast<int32_t>(code) + range->delta);
    }
  }
  return code;
}

bool inRanges(std::span<const unicode::CodeRange> ranges, char32_t code) {
  const auto range = std::ranges::upper_bound(ranges, code, {}, &unicode::CodeRange::first);
  return range != ranges.begin() && code <= std::prev(range)->last;
}

bool isCased(char32_t code) {
  return toLowerSimple(code) != code || toUpperSimple(code) != code;
}

/// Whether the sigma between the two ends a word: a cased letter before it and none after.
bool isFinalSigma(std::string_view before, std::string_view after) {
  if (before.empty()) return false;
  size_t at = previousCharacter(before, before.size());
  if (!isCased(nextCodePoint(before, at))) return false;
  at = 0;
  return after.empty() || !isCased(nextCodePoint(after, at));
}

}  // namespace

char32_t nextCodePoint(std::string_view text, size_t& at) {
  const auto lead = static_cast<uint8_t>(text[at]);
  if (lead < 0x80) {
    ++at;
    return lead;
  }
  const size_t bytes = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
  if (bytes == 1 || text.size() - at < bytes) {
    ++at;
    return kReplacement;
  }
  char32_t code = lead & (0xff >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    if (!isContinuation(text[at + i])) {
      ++at;
      return kReplacement;
    }
    code = code << 6 | (static_cast<uint8_t>(text[at + i]) & 0x3f);
  }
  at += bytes;
  return code;
}

void appendCodePoint(std::string& out, char32_t code) {
  const auto byte = [&](char32_t bits) { out.push_back(static_cast<char>(bits)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | code >> 6);
    byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3f));
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  }
}

size_t offsetOfCodePoint(std::string_view text, size_t count) {
  if (count >= text.size()) return text.size();
  size_t at = 0;
  while (count >= 8 && at + 8 <= text.size()) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    // Bytes that start no character: 10xxxxxx.
    const uint64_t continuations = (word >> 7) & (~word >> 6) & 0x0101010101010101ULL;
    count -= 8 - static_cast<size_t>(std::popcount(continuations));
    at += 8;
  }
  while (at < text.size() && isContinuation(text[at])) ++at;
  for (; count > 0 && at < text.size(); --count) at += characterBytes(text, at);
  return at;
}

size_t offsetOfLast(std::string_view text, size_t count) {
  size_t at = text.size();
  for (; count > 0 && at > 0; --count) at = previousCharacter(text, at);
  return at;
}

char32_t toUpperSimple(char32_t code) {
  if (code < 0x80) return code >= 'a' && code <= 'z' ? code - 32 : code;
  return mapped({unicode::kUpperCase, unicode::kUpperCaseCount}, code);
}

char32_t toLowerSimple(char32_t code) {
  if (code < 0x80) return code >= 'A' && code <= 'Z' ? code + 32 : code;
  return mapped({unicode::kLowerCase, unicode::kLowerCaseCount}, code);
}

bool isLetter(char32_t code) { return inRanges({unicode::kLetters, unicode::kLettersCount}, code); }
bool isDecimalDigit(char32_t code) { return inRanges({unicode::kDigits, unicode::kDigitsCount}, code); }

void appendUpper(std::string& out, std::string_view text) {
  const std::span<const unicode::CaseText> texts(unicode::kUpperCaseTexts, unicode::kUpperCaseTextsCount);
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const char32_t code = nextCodePoint(text, at);
    if (code == kReplacement) {
      out.append(text.substr(begin, at - begin));
      continue;
    }
    const auto special = std::ranges::lower_bound(texts, code, {}, &unicode::CaseText::code);
    if (special != texts.end() && special->code == code) out.append(special->text);
    else appendCodePoint(out, toUpperSimple(code));
  }
}

void appendLower(std::string& out, std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const char32_t code = nextCodePoint(text, at);
    if (code == kReplacement) out.append(text.substr(begin, at - begin));
    else if (code == kDottedCapitalI) out.append("i\xcc\x87");
    else if (code == kCapitalSigma) appendCodePoint(out, isFinalSigma(text.substr(0, begin), text.substr(at)) ? kFinalSigma : kSigma);
    else appendCodePoint(out, toLowerSimple(code));
  }
}

}  // namespace thalweg
