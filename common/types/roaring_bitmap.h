// BITMAP values: sets of 32-bit numbers, kept as the bytes of the portable Roaring format (no run containers).
//
// BITMAP_TO_BYTES gives a value's bytes as they are; BITMAP_FROM_BYTES checks foreign ones with readBitmap, which
// also understands run containers, and writes them anew. Bytes from outside never crash: sizes are checked first.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg {

/// The members in ascending unsigned order; none if the bytes are malformed or hold more than 2^26 members.
std::optional<std::vector<uint32_t>> readBitmap(std::string_view bytes);
/// The bytes of a set whose members are given in ascending order without repetition.
std::string writeBitmap(std::span<const uint32_t> ascending);
/// `{1,3}`; sets whose text is longer than 512 KiB end in `...}`. Malformed bytes print as the empty set.
std::string bitmapText(std::string_view bytes);

}  // namespace thalweg
