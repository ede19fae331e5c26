// The blocks that RowCodec writes: encoding, checking and decoding of one value at a time, nested ones included
// (docs/protocol/state.md). For the .cc files of this room only.
//
// A block is `null bitmap, slots, variable parts`. A row is a block of its columns; the elements of a list are a
// block whose members are all of one type. Fixed-width values stand in their slot, of the others the slot tells
// where their part ends.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "common/columnar/column_builders.h"

namespace thalweg::row_block {

static_assert(std::endian::native == std::endian::little);

/// What stands in the slot of a variable part: where it ends, counted from the first part.
using PartEnd = uint32_t;

template <typename T>
T load(const char* source) {
  T value;
  std::memcpy(&value, source, sizeof(T));
  return value;
}

template <typename T>
void store(char* target, T value) {
  std::memcpy(target, &value, sizeof(T));
}

inline size_t nullBytes(size_t members) { return (members + 7) / 8; }
inline bool isNullAt(const char* block, size_t i) { return (static_cast<uint8_t>(block[i / 8]) >> (i % 8)) & 1; }
inline void setNullAt(char* block, size_t i) { block[i / 8] = static_cast<char>(block[i / 8] | (1 << (i % 8))); }

inline PartEnd partEnd(size_t bytes) {
  CHECK_MSG(bytes <= std::numeric_limits<PartEnd>::max(), "a row of over 4 GiB: " + std::to_string(bytes));
  return static_cast<PartEnd>(bytes);
}

/// A type with all that is asked per value worked out.
struct Item {
  explicit Item(const DataType& item_type);

  bool isFixed() const { return width != 0; }
  bool hasParts() const { return !isFixed() && physical != PhysicalType::NONE; }
  size_t slotBytes() const { return isFixed() ? width : (hasParts() ? sizeof(PartEnd) : 0); }

  DataType type;
  PhysicalType physical;
  size_t width;                       ///< 0: not fixed
  std::vector<Item> children;
  std::vector<size_t> field_slots;    ///< ROW: where each field's slot stands in the block
  size_t field_header = 0;            ///< ROW: bytes before the parts
};

/// Calls body(W{}) for the word of a fixed width.
template <typename Body>
void withWord(size_t width, Body&& body) {
  switch (width) {
    case 1: return body(uint8_t{});
    case 2: return body(uint16_t{});
    case 4: return body(uint32_t{});
    case 8: return body(uint64_t{});
    case 16: return body(Wide{});
    default: CHECK(false);
  }
}

/// The word as it is stored: one bit pattern for all NaN.
template <typename W>
W canonical(W word, PhysicalType type) {
  if constexpr (sizeof(W) == 8) {
    if (type == PhysicalType::FLOAT64 && std::isnan(std::bit_cast<double>(word))) {
      return std::bit_cast<uint64_t>(std::numeric_limits<double>::quiet_NaN());
    }
  } else if constexpr (sizeof(W) == 4) {
    if (type == PhysicalType::FLOAT32 && std::isnan(std::bit_cast<float>(word))) {
      return std::bit_cast<uint32_t>(std::numeric_limits<float>::quiet_NaN());
    }
  }
  return word;
}

/// Where a member stands in its block.
struct Place {
  size_t index;                       ///< its bit in the null bitmap
  size_t slot;                        ///< offset of its slot
  size_t header;                      ///< bytes before the parts
};

/// Appends the part of value `row` (not NULL) of a column of text or nested values.
void appendPart(const Item& item, const Vector& vector, size_t row, std::string& out);
/// Writes value `row` of `vector` (null: absent, so NULL) into the zeroed block that starts at `block` in `out`,
/// appending its part.
void appendMember(const Item& item, const VectorPtr& vector, size_t row, size_t block, const Place& place,
                  std::string& out);

/// Whether a block of a ROW's fields starts `bytes`; `used` tells its size.
bool validFields(const Item& item, std::string_view bytes, size_t& used);

/// Appends the member at `place` of `block` to `builder`; `part_begin` is where its part begins, moved to its end.
void decodeMember(const Item& item, std::string_view block, const Place& place, size_t& part_begin,
                  ColumnBuilder& builder);

}  // namespace thalweg::row_block
