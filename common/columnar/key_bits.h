// The memcomparable bytes of fixed-width values, and the markers between them (docs/protocol/state.md). For the
// .cc files of this room only.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "common/columnar/column_reader.h"

namespace thalweg::key {

constexpr char kNull = 0;
constexpr char kValue = 1;
constexpr char kNullLast = 2;      ///< NULL of a sort key that wants NULLs last

constexpr char kEnd = 0;           ///< after the last element of a LIST or MAP
constexpr char kElement = 1;       ///< before each element

/// Raw text that is empty or starts with a byte up to this one gets it as a prefix; NULL is the byte kNull.
constexpr char kRawTextPrefix = 1;

/// Narrow keys (at most 4 bytes) stand in their word above this bit, NULL is 0.
constexpr uint64_t kNarrowValue = uint64_t{1} << 32;

static_assert(std::endian::native == std::endian::little);
inline uint8_t bigEndian(uint8_t v) { return v; }
inline uint16_t bigEndian(uint16_t v) { return __builtin_bswap16(v); }
inline uint32_t bigEndian(uint32_t v) { return __builtin_bswap32(v); }
inline uint64_t bigEndian(uint64_t v) { return __builtin_bswap64(v); }

/// Unsigned numbers that are ordered like the values.
template <typename T>
auto toOrdered(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return static_cast<uint8_t>(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    using U = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    constexpr U kSign = U{1} << (sizeof(U) * 8 - 1);
    if (value == 0) value = 0;  // -0.0
    if (std::isnan(value)) value = std::numeric_limits<T>::quiet_NaN();
    const U bits = std::bit_cast<U>(value);
    return bits & kSign ? static_cast<U>(~bits) : static_cast<U>(bits | kSign);
  } else {
    using U = std::make_unsigned_t<T>;
    return static_cast<U>(static_cast<U>(value) ^ (U{1} << (sizeof(U) * 8 - 1)));
  }
}

template <typename T, typename U>
T fromOrdered(U ordered) {
  if constexpr (std::is_same_v<T, bool>) {
    return ordered != 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    constexpr U kSign = U{1} << (sizeof(U) * 8 - 1);
    return std::bit_cast<T>(static_cast<U>(ordered & kSign ? ordered ^ kSign : ~ordered));
  } else {
    return static_cast<T>(static_cast<U>(ordered ^ (U{1} << (sizeof(U) * 8 - 1))));
  }
}

/// The bytes of a value of T in keys; `flip` (0 or -1) inverts them.
template <typename T>
struct Bytes {
  using Ordered = decltype(toOrdered(T{}));
  static constexpr size_t kWidth = sizeof(Ordered);
  static void write(char* target, T value, uint64_t flip) {
    const Ordered bytes = bigEndian(static_cast<Ordered>(toOrdered(value) ^ static_cast<Ordered>(flip)));
    std::memcpy(target, &bytes, kWidth);
  }
  static T read(const char* source) {
    Ordered bytes;
    std::memcpy(&bytes, source, kWidth);
    return fromOrdered<T>(bigEndian(bytes));
  }
};

template <>
struct Bytes<int128> {
  static constexpr size_t kWidth = 16;
  static void write(char* target, int128 value, uint64_t flip) {
    Bytes<int64_t>::write(target, static_cast<int64_t>(value >> 64), flip);
    const uint64_t low = bigEndian(static_cast<uint64_t>(value) ^ flip);
    std::memcpy(target + 8, &low, 8);
  }
  static int128 read(const char* source) {
    uint64_t low;
    std::memcpy(&low, source + 8, 8);
    const auto high = static_cast<unsigned __int128>(Bytes<int64_t>::read(source));
    return static_cast<int128>(high << 64 | bigEndian(low));
  }
};

template <>
struct Bytes<TimestampValue> {
  static constexpr size_t kWidth = 12;
  static void write(char* target, TimestampValue value, uint64_t flip) {
    Bytes<int64_t>::write(target, value.millis, flip);
    const uint32_t nanos = bigEndian(static_cast<uint32_t>(value.nanos) ^ static_cast<uint32_t>(flip));
    std::memcpy(target + 8, &nanos, 4);
  }
  static TimestampValue read(const char* source) {
    uint32_t nanos;
    std::memcpy(&nanos, source + 8, 4);
    return {Bytes<int64_t>::read(source), static_cast<int32_t>(bigEndian(nanos)), 0};
  }
};

/// Calls body(T{}) for the C++ type of a fixed-width physical type; false for other types.
template <typename Body>
bool withFixedType(PhysicalType type, Body&& body) {
  switch (type) {
    case PhysicalType::BOOL: body(bool{}); return true;
    case PhysicalType::INT8: body(int8_t{}); return true;
    case PhysicalType::INT16: body(int16_t{}); return true;
    case PhysicalType::INT32: body(int32_t{}); return true;
    case PhysicalType::INT64: body(int64_t{}); return true;
    case PhysicalType::INT128: body(int128{}); return true;
    case PhysicalType::FLOAT32: body(float{}); return true;
    case PhysicalType::FLOAT64: body(double{}); return true;
    case PhysicalType::TIMESTAMP_NANOS: body(TimestampValue{}); return true;
    case PhysicalType::NONE:
    case PhysicalType::STRING:
    case PhysicalType::LIST:
    case PhysicalType::MAP:
    case PhysicalType::ROW: return false;
  }
  return false;
}

/// Whether a single key of this type is a word of at most 4 bytes, NULL included; or one of 8 bytes, NULL apart.
inline bool isNarrow(PhysicalType type) {
  return type == PhysicalType::BOOL || type == PhysicalType::INT8 || type == PhysicalType::INT16 ||
         type == PhysicalType::INT32 || type == PhysicalType::FLOAT32;
}
inline bool isWide(PhysicalType type) { return type == PhysicalType::INT64 || type == PhysicalType::FLOAT64; }

/// The key word of a value (not NULL).
template <typename T>
uint64_t toWord(T value) {
  if constexpr (sizeof(T) == 8) {
    return toOrdered(value);
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return kNarrowValue | toOrdered(static_cast<int32_t>(value));
  } else {
    return kNarrowValue | toOrdered(value);
  }
}
template <typename T>
T fromWord(uint64_t word) {
  if constexpr (sizeof(T) == 8) {
    return fromOrdered<T>(word);
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return static_cast<T>(fromOrdered<int32_t>(static_cast<uint32_t>(word)));
  } else {
    using U = std::conditional_t<std::is_same_v<T, bool>, uint8_t, uint32_t>;
    return fromOrdered<T>(static_cast<U>(word));
  }
}

}  // namespace thalweg::key
