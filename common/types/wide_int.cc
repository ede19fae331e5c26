#include "common/types/wide_int.h"

#include <array>
#include <bit>

namespace thalweg {

namespace {

constexpr int kLimbs = 4;
using Limbs = std::array<uint64_t, kLimbs + 1>;  // least significant first, one spare for normalising

uint64_t lowHalf(uint128 v) { return static_cast<uint64_t>(v); }
uint64_t highHalf(uint128 v) { return static_cast<uint64_t>(v >> 64); }

Limbs limbsOf(const WideInt& v) { return {lowHalf(v.low), highHalf(v.low), lowHalf(v.high), highHalf(v.high), 0}; }

WideInt wideOf(const Limbs& v) {
  return {(static_cast<uint128>(v[3]) << 64) | v[2], (static_cast<uint128>(v[1]) << 64) | v[0]};
}

int usedLimbs(const Limbs& v) {
  int n = kLimbs;
  while (n > 0 && v[static_cast<size_t>(n - 1)] == 0) --n;
  return n;
}

void shiftLeft(Limbs& v, int bits) {
  if (bits == 0) return;
  for (size_t i = kLimbs; i > 0; --i) v[i] = (v[i] << bits) | (v[i - 1] >> (64 - bits));
  v[0] <<= bits;
}

void shiftRight(Limbs& v, int bits) {
  if (bits == 0) return;
  for (size_t i = 0; i < kLimbs; ++i) v[i] = (v[i] >> bits) | (v[i + 1] << (64 - bits));
  v[kLimbs] >>= bits;
}

/// Division by one limb.
WideQuotient divideByLimb(Limbs dividend, uint64_t divisor) {
  uint64_t rest = 0;
  for (size_t i = kLimbs; i-- > 0;) {
    const uint128 part = (static_cast<uint128>(rest) << 64) | dividend[i];
    dividend[i] = static_cast<uint64_t>(part / divisor);
    rest = static_cast<uint64_t>(part % divisor);
  }
  return {wideOf(dividend), WideInt(rest)};
}

/// One digit of schoolbook long division: subtracts the largest multiple of `v` (n limbs, normalised) from the
/// n + 1 limbs of `u` at `at`, and returns the factor.
uint64_t divideStep(Limbs& u, const Limbs& v, size_t n, size_t at) {
  const uint128 head = (static_cast<uint128>(u[at + n]) << 64) | u[at + n - 1];
  uint128 guess = head / v[n - 1];
  uint128 rest = head % v[n - 1];
  while (highHalf(guess) != 0 || (guess * v[n - 2]) > ((rest << 64) | u[at + n - 2])) {
    --guess;
    rest += v[n - 1];
    if (highHalf(rest) != 0) break;
  }
  uint64_t borrow = 0;
  uint64_t carry = 0;
  for (size_t i = 0; i <= n; ++i) {
    const uint128 part = static_cast<uint128>(lowHalf(guess)) * (i < n ? v[i] : 0) + carry;
    carry = highHalf(part);
    const uint128 difference = static_cast<uint128>(u[at + i]) - lowHalf(part) - borrow;
    u[at + i] = lowHalf(difference);
    borrow = highHalf(difference) != 0 ? 1 : 0;
  }
  if (borrow == 0) return lowHalf(guess);
  carry = 0;  // the guess was one too large: add the divisor back
  for (size_t i = 0; i <= n; ++i) {
    const uint128 sum = static_cast<uint128>(u[at + i]) + (i < n ? v[i] : 0) + carry;
    u[at + i] = lowHalf(sum);
    carry = highHalf(sum);
  }
  return lowHalf(guess) - 1;
}

}  // namespace

WideInt WideInt::product(uint128 a, uint128 b) {
  const uint64_t a0 = lowHalf(a), a1 = highHalf(a), b0 = lowHalf(b), b1 = highHalf(b);
  const uint128 p00 = static_cast<uint128>(a0) * b0;
  const uint128 p01 = static_cast<uint128>(a0) * b1;
  const uint128 p10 = static_cast<uint128>(a1) * b0;
  const uint128 p11 = static_cast<uint128>(a1) * b1;
  const uint128 middle = static_cast<uint128>(highHalf(p00)) + lowHalf(p01) + lowHalf(p10);
  return {p11 + highHalf(p01) + highHalf(p10) + highHalf(middle), (middle << 64) | lowHalf(p00)};
}

WideInt WideInt::operator+(const WideInt& other) const {
  const uint128 sum = low + other.low;
  return {high + other.high + (sum < low ? 1 : 0), sum};
}

WideInt WideInt::operator-(const WideInt& other) const {
  return {high - other.high - (low < other.low ? 1 : 0), low - other.low};
}

WideInt WideInt::operator*(uint128 factor) const {
  WideInt result = product(low, factor);
  result.high += high * factor;
  return result;
}

WideQuotient divideWide(const WideInt& dividend, const WideInt& divisor) {
  if (dividend < divisor) return {WideInt(), dividend};
  if (dividend.fits128()) return {WideInt(dividend.low / divisor.low), WideInt(dividend.low % divisor.low)};
  Limbs u = limbsOf(dividend);
  Limbs v = limbsOf(divisor);
  const auto n = static_cast<size_t>(usedLimbs(v));
  if (n == 1) return divideByLimb(u, v[0]);
  const int shift = std::countl_zero(v[n - 1]);
  shiftLeft(u, shift);
  shiftLeft(v, shift);
  Limbs quotient{};
  for (size_t at = kLimbs - n + 1; at-- > 0;) quotient[at] = divideStep(u, v, n, at);
  shiftRight(u, shift);
  return {wideOf(quotient), wideOf(u)};
}

}  // namespace thalweg
