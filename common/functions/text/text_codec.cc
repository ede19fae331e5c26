#include "common/functions/text/text_codec.h"

#include <array>
#include <cctype>
#include <cstdint>

#include "common/functions/text/unicode.h"

namespace thalweg {
namespace {

constexpr char32_t kReplacement = 0xfffd;

uint8_t byteAt(std::string_view bytes, size_t at) { return static_cast<uint8_t>(bytes[at]); }
bool continues(std::string_view bytes, size_t at) { return at < bytes.size() && isContinuation(bytes[at]); }

/// Whether the second byte can follow the lead of a longer sequence.
bool isSecond(uint8_t lead, std::string_view bytes, size_t at) {
  if (!continues(bytes, at)) return false;
  const uint8_t second = byteAt(bytes, at);
  switch (lead) {
    case 0xe0: return second >= 0xa0;
    case 0xf0: return second >= 0x90;
    case 0xf4: return second < 0x90;
    default: return true;
  }
}

/// Length of the sequence at `at`, and whether it is well-formed; a faulty one is as long as what Java replaces by
/// one character.
struct Sequence {
  size_t bytes;
  bool valid;
};
Sequence sequenceAt(std::string_view bytes, size_t at) {
  const uint8_t lead = byteAt(bytes, at);
  if (lead < 0x80) return {1, true};
  if (lead < 0xc2 || lead > 0xf4) return {1, false};
  if (lead < 0xe0) return continues(bytes, at + 1) ? Sequence{2, true} : Sequence{1, false};
  if (at + 1 < bytes.size() && !isSecond(lead, bytes, at + 1)) return {1, false};
  const size_t length = lead < 0xf0 ? 3 : 4;
  for (size_t i = 1; i < length; ++i) {
    if (at + i == bytes.size()) return {i, false};  // cut off: one replacement for the rest
    if (!continues(bytes, at + i)) return {i, false};
  }
  const bool surrogate = lead == 0xed && byteAt(bytes, at + 1) >= 0xa0;
  return {length, !surrogate};
}

void decodeUtf16(std::string& out, std::string_view bytes, bool little_endian) {
  const auto unit = [&](size_t at) {
    const char32_t first = byteAt(bytes, at);
    const char32_t second = byteAt(bytes, at + 1);
    return little_endian ? second << 8 | first : first << 8 | second;
  };
  size_t at = 0;
  for (; at + 1 < bytes.size(); at += 2) {
    const char32_t high = unit(at);
    if (high < 0xd800 || high > 0xdfff) {
      appendCodePoint(out, high);
      continue;
    }
    const bool paired = high < 0xdc00 && at + 3 < bytes.size() && unit(at + 2) >= 0xdc00 && unit(at + 2) <= 0xdfff;
    appendCodePoint(out, paired ? 0x10000 + ((high - 0xd800) << 10) + (unit(at + 2) - 0xdc00) : kReplacement);
    if (paired) at += 2;
  }
  if (at < bytes.size()) appendCodePoint(out, kReplacement);
}

void appendUnit(std::string& out, char32_t unit, bool little_endian) {
  const char bytes[] = {static_cast<char>(unit >> 8), static_cast<char>(unit)};
  out.push_back(bytes[little_endian ? 1 : 0]);
  out.push_back(bytes[little_endian ? 0 : 1]);
}

void encodeUtf16(std::string& out, std::string_view text, bool little_endian) {
  for (size_t at = 0; at < text.size();) {
    const char32_t code = nextCodePoint(text, at);
    if (code < 0x10000) {
      appendUnit(out, code, little_endian);
    } else {
      appendUnit(out, 0xd800 + ((code - 0x10000) >> 10), little_endian);
      appendUnit(out, 0xdc00 + ((code - 0x10000) & 0x3ff), little_endian);
    }
  }
}

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int8_t, 256> base64Values() {
  std::array<int8_t, 256> values{};
  for (int8_t& value : values) value = -1;
  for (size_t i = 0; i < kBase64.size(); ++i) values[static_cast<uint8_t>(kBase64[i])] = static_cast<int8_t>(i);
  return values;
}
constexpr std::array<int8_t, 256> kBase64Values = base64Values();

}  // namespace

std::optional<Charset> charsetOf(std::string_view name) {
  struct Entry {
    std::string_view name;
    Charset charset;
  };
  static constexpr Entry kEntries[] = {
      {"US-ASCII", Charset::US_ASCII},     {"ASCII", Charset::US_ASCII},     {"ISO-8859-1", Charset::ISO_8859_1},
      {"ISO8859_1", Charset::ISO_8859_1},  {"LATIN1", Charset::ISO_8859_1},  {"UTF-8", Charset::UTF_8},
      {"UTF8", Charset::UTF_8},            {"UTF-16BE", Charset::UTF_16BE},  {"UTF-16LE", Charset::UTF_16LE},
      {"UTF-16", Charset::UTF_16},         {"UTF16", Charset::UTF_16}};
  std::string upper(name);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (const Entry& entry : kEntries) {
    if (entry.name == upper) return entry.charset;
  }
  return std::nullopt;
}

void decodeText(std::string& out, std::string_view bytes, Charset charset) {
  switch (charset) {
    case Charset::UTF_8: return appendValidUtf8(out, bytes);
    case Charset::US_ASCII:
      for (const char c : bytes) appendCodePoint(out, static_cast<uint8_t>(c) < 0x80 ? static_cast<uint8_t>(c) : kReplacement);
      return;
    case Charset::ISO_8859_1:
      for (const char c : bytes) appendCodePoint(out, static_cast<uint8_t>(c));
      return;
    case Charset::UTF_16BE: return decodeUtf16(out, bytes, false);
    case Charset::UTF_16LE: return decodeUtf16(out, bytes, true);
    case Charset::UTF_16:
      if (bytes.starts_with("\xff\xfe")) return decodeUtf16(out, bytes.substr(2), true);
      return decodeUtf16(out, bytes.starts_with("\xfe\xff") ? bytes.substr(2) : bytes, false);
  }
}

void encodeText(std::string& out, std::string_view text, Charset charset) {
  switch (charset) {
    case Charset::UTF_8: out.append(text); return;
    case Charset::US_ASCII:
    case Charset::ISO_8859_1: {
      const char32_t limit = charset == Charset::US_ASCII ? 0x80 : 0x100;
      for (size_t at = 0; at < text.size();) {
        const char32_t code = nextCodePoint(text, at);
        out.push_back(code < limit ? static_cast<char>(code) : '?');
      }
      return;
    }
    case Charset::UTF_16BE: return encodeUtf16(out, text, false);
    case Charset::UTF_16LE: return encodeUtf16(out, text, true);
    case Charset::UTF_16:
      if (!text.empty()) out.append("\xfe\xff");
      return encodeUtf16(out, text, false);
  }
}

bool isValidUtf8(std::string_view bytes) {
  if (isAsciiText(bytes)) return true;
  for (size_t at = 0; at < bytes.size();) {
    const Sequence sequence = sequenceAt(bytes, at);
    if (!sequence.valid) return false;
    at += sequence.bytes;
  }
  return true;
}

void appendValidUtf8(std::string& out, std::string_view bytes) {
  if (isAsciiText(bytes)) {
    out.append(bytes);
    return;
  }
  for (size_t at = 0; at < bytes.size();) {
    const Sequence sequence = sequenceAt(bytes, at);
    if (sequence.valid) out.append(bytes.substr(at, sequence.bytes));
    else appendCodePoint(out, kReplacement);
    at += sequence.bytes;
  }
}

void appendBase64(std::string& out, std::string_view bytes) {
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - at);
    uint32_t word = 0;
    for (size_t i = 0; i < 3; ++i) word = word << 8 | (i < count ? byteAt(bytes, at + i) : 0U);
    for (size_t i = 0; i < 4; ++i) out.push_back(i <= count ? kBase64[word >> (18 - 6 * i) & 63] : '=');
  }
}

bool decodeBase64(std::string& out, std::string_view text) {
  if (text.size() % 4 == 0) {
    for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  }
  if (text.size() % 4 == 1) return false;
  uint32_t word = 0;
  int bits = 0;
  for (const char c : text) {
    const int8_t value = kBase64Values[static_cast<uint8_t>(c)];
    if (value < 0) return false;
    word = word << 6 | static_cast<uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out.push_back(static_cast<char>(word >> bits));
  }
  return true;
}

}  // namespace thalweg
