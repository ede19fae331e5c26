// StringRef: the 16-byte string view of a column, laid out as Arrow's Utf8View.
//
// Up to 12 bytes live inside the view; longer text is `prefix, buffer index, offset` into the vector's string
// buffers. Unused inline bytes are zero, so two short strings are equal iff their 16 bytes are.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

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
    std::memcpy(ref.prefix, text.data(), text.size());
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
    if (isInline()) return {prefix, length};
    return {reinterpret_cast<const char*>(buffers[buffer_index]) + offset, length};
  }
};
static_assert(sizeof(StringRef) == 16);

}  // namespace thalweg
