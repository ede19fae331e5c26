#include "common/base/printable_text.h"

#include <algorithm>

namespace thalweg {
namespace {

/// Bytes of the UTF-8 sequence that `bytes` begins with; 0 if it begins with none.
size_t sequenceBytes(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  const size_t size = first < 0x80 ? 1 : (first >= 0xC2 && first < 0xE0) ? 2 : (first >= 0xE0 && first < 0xF0) ? 3 : (first >= 0xF0 && first < 0xF5) ? 4 : 0;
  if (size > bytes.size()) return 0;
  for (size_t i = 1; i < size; ++i) {
    if ((static_cast<unsigned char>(bytes[i]) & 0xC0) != 0x80) return 0;
  }
  const auto second = size > 1 ? static_cast<unsigned char>(bytes[1]) : 0;
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool beyond = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
  return overlong || beyond ? 0 : size;
}

}  // namespace

std::string printableText(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const size_t size = sequenceBytes(bytes);
    const bool control = size == 1 && static_cast<unsigned char>(bytes[0]) < 0x20 && bytes[0] != '\n' && bytes[0] != '\t';
    if (size == 0 || control || bytes[0] == 0x7f) text += '?';
    else text.append(bytes.substr(0, size));
    bytes.remove_prefix(std::max<size_t>(1, size));
  }
  return text;
}

}  // namespace thalweg
