// StringRef: the 16-byte string view of a column, laid out as Arrow's Utf8View.
//
// Up to 12 bytes live inside the view; longer text is `prefix, buffer index, offset` into the vector's string
// buffers. Unused inline bytes are zero, so two short strings are equal iff their 16 bytes are.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "common/columnar/text_bytes.h"

namespace thalweg {

struct StringRef {
  static constexpr uint32_t kInlineMax = 12;

  uint32_t length = 0;
  char prefix[4] = {};            ///< first bytes; inline text continues in the next two words
  uint32_t buffer_index = 0;      ///< or inline bytes 4..7
  uint32_t offset = 0;            ///< or inline bytes 8..11

  bool isInline() const { return length <= kInlineMax; }

  /// A view of at most kInlineMax bytes.
  static StringRef inlined(std::string_view text) {
    StringRef ref;
    ref.length = static_cast<uint32_t>(text.size());
    // The mask changes no allowed size; it shows the compiler that the copy stays within the view.
    copyText(reinterpret_cast<char*>(&ref) + sizeof(uint32_t), text.data(), text.size() & 15);
    return ref;
  }
  /// A view of longer text that already stands in string buffer `buffer_index` at `offset`.
  static StringRef referring(std::string_view text, uint32_t buffer_index, uint32_t offset) {
    StringRef ref;
    ref.length = static_cast<uint32_t>(text.size());
    std::memcpy(ref.prefix, text.data(), 4);
    ref.buffer_index = buffer_index;
    ref.offset = offset;
    return ref;
  }

  /// The text; `buffers` are the start addresses of the vector's string buffers. For inline text the result
  /// points into this object, which must outlive it.
  std::string_view view(const uint8_t* const* buffers) const {
    if (isInline()) return {reinterpret_cast<const char*>(this) + sizeof(uint32_t), length};
    return {reinterpret_cast<const char*>(buffers[buffer_index]) + offset, length};
  }
};
static_assert(sizeof(StringRef) == 16);

/// Whether two strings are equal, most often told from length and prefix alone.
inline bool equalStrings(const StringRef& a, const uint8_t* const* a_buffers, const StringRef& b,
                         const uint8_t* const* b_buffers) {
  uint64_t a_words[2];
  uint64_t b_words[2];
  std::memcpy(a_words, &a, sizeof(a));
  std::memcpy(b_words, &b, sizeof(b));
  if (a_words[0] != b_words[0]) return false;
  if (a.isInline()) return a_words[1] == b_words[1];
  const uint8_t* a_bytes = a_buffers[a.buffer_index] + a.offset;
  const uint8_t* b_bytes = b_buffers[b.buffer_index] + b.offset;
  return a_bytes == b_bytes || std::memcmp(a_bytes, b_bytes, a.length) == 0;
}

}  // namespace thalweg
