// RowKind: what a row of a changelog does to the table it describes.
#pragma once

#include <cstdint>
#include <string_view>

namespace thalweg {

/// Numbers are Flink's byte values and part of the wire format.
enum class RowKind : uint8_t {
  INSERT = 0,         ///< +I
  UPDATE_BEFORE = 1,  ///< -U: the old image of a row that an UPDATE_AFTER replaces
  UPDATE_AFTER = 2,   ///< +U
  DELETE = 3,         ///< -D
};

inline bool isAccumulate(RowKind kind) { return kind == RowKind::INSERT || kind == RowKind::UPDATE_AFTER; }
inline bool isRetract(RowKind kind) { return !isAccumulate(kind); }

/// `+I`, `-U`, `+U`, `-D`.
constexpr std::string_view rowKindText(RowKind kind) {
  constexpr std::string_view kTexts[] = {"+I", "-U", "+U", "-D"};
  return kTexts[static_cast<uint8_t>(kind)];
}

}  // namespace thalweg
