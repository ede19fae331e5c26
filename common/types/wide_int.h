// WideInt: unsigned 256-bit integers, for the intermediates of decimal arithmetic. Private to this room.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace thalweg {

using uint128 = unsigned __int128;

struct WideInt {
  uint128 high = 0;
  uint128 low = 0;

  WideInt() = default;
  explicit WideInt(uint128 value) : low(value) {}
  WideInt(uint128 h, uint128 l) : high(h), low(l) {}

  auto operator<=>(const WideInt&) const = default;
  bool isZero() const { return high == 0 && low == 0; }
  bool fits128() const { return high == 0; }

  static WideInt product(uint128 a, uint128 b);
  WideInt operator+(const WideInt& other) const;
  /// other <= *this
  WideInt operator-(const WideInt& other) const;
  /// The lower 256 bits.
  WideInt operator*(uint128 factor) const;
};

struct WideQuotient {
  WideInt quotient;
  WideInt remainder;
};
/// The divisor must not be zero.
WideQuotient divideWide(const WideInt& dividend, const WideInt& divisor);

}  // namespace thalweg
