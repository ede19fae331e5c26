#include "common/formats/text_encoding.h"

#include <simdjson.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace thalweg::format {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

void appendUtf8(std::string& out, uint32_t point) {
  const auto push = [&out](uint32_t byte) { out += static_cast<char>(byte); };
  if (point < 0x80) {
    push(point);
  } else if (point < 0x800) {
    push(0xC0 | point >> 6);
    push(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    push(0xE0 | point >> 12);
    push(0x80 | (point >> 6 & 0x3F));
    push(0x80 | (point & 0x3F));
  } else {
    push(0xF0 | point >> 18);
    push(0x80 | (point >> 12 & 0x3F));
    push(0x80 | (point >> 6 & 0x3F));
    push(0x80 | (point & 0x3F));
  }
}

size_t sequenceLength(unsigned char lead) { return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4; }

/// Whole sequences stay, every byte that belongs to none becomes U+FFFD.
std::string repairUtf8(std::string_view bytes) {
  if (isUtf8(bytes)) return std::string(bytes);
  std::string text;
  for (size_t at = 0; at < bytes.size();) {
    const size_t length = sequenceLength(static_cast<unsigned char>(bytes[at]));
    if (const std::string_view sequence = bytes.substr(at, length); sequence.size() == length && isUtf8(sequence)) {
      text += sequence;
      at += length;
    } else {
      appendUtf8(text, kReplacement);
      ++at;
    }
  }
  return text;
}

uint32_t unitAt(std::string_view bytes, size_t at, bool big_endian) {
  const auto first = static_cast<unsigned char>(bytes[at]);
  const auto second = static_cast<unsigned char>(bytes[at + 1]);
  return big_endian ? first << 8 | second : second << 8 | first;
}

std::string decodeUtf16(std::string_view bytes, bool big_endian) {
  std::string text;
  size_t at = 0;
  for (; at + 1 < bytes.size(); at += 2) {
    uint32_t point = unitAt(bytes, at, big_endian);
    if (point >= 0xD800 && point < 0xE000) {
      const bool paired = point < 0xDC00 && at + 3 < bytes.size();
      const uint32_t low = paired ? unitAt(bytes, at + 2, big_endian) : 0;
      if (low >= 0xDC00 && low < 0xE000) {
        point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
        at += 2;
      } else {
        point = kReplacement;
      }
    }
    appendUtf8(text, point);
  }
  if (at < bytes.size()) appendUtf8(text, kReplacement);
  return text;
}

/// The code point at `at` of well-formed text; moves `at` behind it.
uint32_t nextPoint(std::string_view text, size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const size_t length = std::min(sequenceLength(lead), text.size() - at);
  uint32_t point = length == 1 ? lead : lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) point = point << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3F);
  at += length;
  return point;
}

void appendUnit(std::string& out, uint32_t unit, bool big_endian) {
  const char high = static_cast<char>(unit >> 8);
  const char low = static_cast<char>(unit & 0xFF);
  out += big_endian ? high : low;
  out += big_endian ? low : high;
}

std::string encodeUtf16(std::string_view text, bool big_endian) {
  std::string bytes;
  for (size_t at = 0; at < text.size();) {
    const uint32_t point = nextPoint(text, at);
    if (point >= 0x10000) {
      appendUnit(bytes, 0xD800 + ((point - 0x10000) >> 10), big_endian);
      appendUnit(bytes, 0xDC00 + ((point - 0x10000) & 0x3FF), big_endian);
    } else {
      appendUnit(bytes, point, big_endian);
    }
  }
  return bytes;
}

std::string decodeSingleBytes(std::string_view bytes, uint32_t points) {
  std::string text;
  for (const char c : bytes) {
    const uint32_t point = static_cast<unsigned char>(c);
    appendUtf8(text, point < points ? point : kReplacement);
  }
  return text;
}

std::string encodeSingleBytes(std::string_view text, uint32_t points) {
  std::string bytes;
  for (size_t at = 0; at < text.size();) {
    const uint32_t point = nextPoint(text, at);
    bytes += point < points ? static_cast<char>(point) : '?';
  }
  return bytes;
}

}  // namespace

bool isUtf8(std::string_view bytes) { return simdjson::validate_utf8(bytes.data(), bytes.size()); }

size_t wholeCharacters(std::string_view bytes) {
  for (size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
    const auto c = static_cast<unsigned char>(bytes[bytes.size() - back]);
    if ((c & 0xC0) == 0x80) continue;
    return c >= 0xC0 && sequenceLength(c) > back ? bytes.size() - back : bytes.size();
  }
  return bytes.size();
}

Charset charsetOf(std::string_view name) {
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
  if (upper == "UTF-8" || upper == "UTF8") return Charset::UTF_8;
  if (upper == "US-ASCII" || upper == "ASCII") return Charset::US_ASCII;
  if (upper == "ISO-8859-1" || upper == "ISO8859_1" || upper == "LATIN1") return Charset::ISO_8859_1;
  if (upper == "UTF-16" || upper == "UTF16") return Charset::UTF_16;
  if (upper == "UTF-16BE") return Charset::UTF_16BE;
  if (upper == "UTF-16LE") return Charset::UTF_16LE;
  return Charset::UNKNOWN;
}

std::string decodeCharset(std::string_view bytes, Charset charset) {
  switch (charset) {
    case Charset::US_ASCII: return decodeSingleBytes(bytes, 0x80);
    case Charset::ISO_8859_1: return decodeSingleBytes(bytes, 0x100);
    case Charset::UTF_16BE: return decodeUtf16(bytes, true);
    case Charset::UTF_16LE: return decodeUtf16(bytes, false);
    case Charset::UTF_16: {
      const bool little = bytes.starts_with("\xFF\xFE");
      const bool marked = little || bytes.starts_with("\xFE\xFF");
      return decodeUtf16(marked ? bytes.substr(2) : bytes, !little);
    }
    case Charset::UTF_8: case Charset::UNKNOWN: break;
  }
  return repairUtf8(bytes);
}

std::string encodeCharset(std::string_view utf8, Charset charset) {
  switch (charset) {
    case Charset::US_ASCII: return encodeSingleBytes(utf8, 0x80);
    case Charset::ISO_8859_1: return encodeSingleBytes(utf8, 0x100);
    case Charset::UTF_16: return "\xFE\xFF" + encodeUtf16(utf8, true);
    case Charset::UTF_16BE: return encodeUtf16(utf8, true);
    case Charset::UTF_16LE: return encodeUtf16(utf8, false);
    case Charset::UTF_8: case Charset::UNKNOWN: break;
  }
  return std::string(utf8);
}

}  // namespace thalweg::format
