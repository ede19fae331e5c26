// Reading and writing code points of UTF-8 text. Threads: no state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace thalweg::sql {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;  ///< 0: no valid UTF-8 at this place
};

/// The code point at `offset`, which lies within the text.
CodePoint decodeUtf8(std::string_view text, std::size_t offset);
/// Appends a code point, which is no surrogate.
void appendUtf8(std::string& out, char32_t value);

}  // namespace thalweg::sql
