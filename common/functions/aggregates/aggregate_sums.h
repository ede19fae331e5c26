// The running sums that SUM and AVG keep: small structs with add, take, merge and result (false: not representable).
#pragma once

#include <cstdint>

#include "common/functions/aggregates/aggregate_fold.h"
#include "common/types/decimal.h"

namespace thalweg {

/// Wraps like T.
template <typename T>
struct IntegerSum {
  uint64_t bits;
  void add(T value) { bits += static_cast<uint64_t>(static_cast<int64_t>(value)); }
  void take(T value) { bits -= static_cast<uint64_t>(static_cast<int64_t>(value)); }
  void merge(const IntegerSum& other) { bits += other.bits; }
  int64_t total() const { return static_cast<int64_t>(bits); }
  bool result(T& out) const {
    out = static_cast<T>(bits);
    return true;
  }
};

template <typename T>
struct FloatingSum {
  Slot<T> sum;
  void add(T value) { sum.value += value; }
  void take(T value) { sum.value -= value; }
  void merge(const FloatingSum& other) { sum.value += other.sum.value; }
  bool result(T& out) const {
    out = sum.value;
    return true;
  }
};

/// Of decimals up to 18 digits: 2^64 of them fit into 128 bits.
struct ShortDecimalSum {
  Slot<int128> sum;
  void add(int64_t value) { sum.set(sum.get() + value); }
  void take(int64_t value) { sum.set(sum.get() - value); }
  void merge(const ShortDecimalSum& other) { sum.set(sum.get() + other.sum.get()); }
  bool result(int128& out) const {
    out = sum.get();
    return fitsPrecision(out, DataType::kMaxDecimalPrecision);
  }
};

/// Of decimals up to 38 digits: the exact sum in 192 bits, two's complement.
struct LongDecimalSum {
  uint64_t low[2];
  int64_t high;

  void add(int128 value) { addParts(static_cast<uint128>(value), value < 0 ? -1 : 0); }
  void take(int128 value) { add(-value); }
  void merge(const LongDecimalSum& other) { addParts(other.lower(), other.high); }
  bool result(int128& out) const {
    out = static_cast<int128>(lower());
    if (high != (out < 0 ? -1 : 0)) return false;
    return fitsPrecision(out, DataType::kMaxDecimalPrecision);
  }

 private:
  using uint128 = unsigned __int128;
  uint128 lower() const { return (uint128{low[1]} << 64) | low[0]; }
  void addParts(uint128 value, int64_t sign) {
    const uint128 sum = lower() + value;
    high += sign + (sum < value ? 1 : 0);
    low[0] = static_cast<uint64_t>(sum);
    low[1] = static_cast<uint64_t>(sum >> 64);
  }
};

}  // namespace thalweg
