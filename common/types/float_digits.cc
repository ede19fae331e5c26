// The digits that Double.toString and Float.toString show on Java 17.
//
// That Java writes digits one by one until the rest is smaller than half the distance to the neighbouring
// floating-point number (Steele and White's free-format method). Nearly always this is the shortest text that
// reads back, which std::to_chars finds faster, so only where the two may differ the steps are followed:
//   whole numbers below 2^63  digits below the precision are rounded away by a table, leaving one too many
//   powers of two             the distance to the lower neighbour is halved on both sides
//   subnormals                one significant digit becomes two
//   2^63 and above            a text may be exactly half-way between two numbers, or a number between two texts;
//                             and up to 2^90 the comparison of the last digit may overflow
// The steps run on 32-bit or 64-bit integers where all quantities fit, and there wrap silently as Java's do.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include "common/types/java_text.h"

namespace thalweg {

namespace {

constexpr int kFractionBits = 52;
constexpr int kMaxSmallExponent = 62;
constexpr int kWrappingExponent = 90;
constexpr int kBigWords = 48;  // 1536 bits; the largest quantity has under 1200

/// A positive finite number: fraction / 2^52 * 2^exponent with bit 52 of the fraction set.
struct Unpacked {
  uint64_t fraction;
  int exponent;
  int significant_bits;
};

/// Digits 0..9, most significant first; the first stands for 10^exponent.
struct Digits {
  std::array<uint8_t, 24> digit;
  int count = 0;
  int exponent = 0;
  void push(int d) { digit[static_cast<size_t>(count++)] = static_cast<uint8_t>(d); }
};

/// A non-negative integer of a fixed number of words, enough for one computation.
struct BigNumber {
  std::array<uint32_t, kBigWords> words;
  size_t used;

  explicit BigNumber(size_t size) : used(size) { std::fill_n(words.begin(), used, 0); }

  static BigNumber product(uint64_t factor, int fives, int twos, size_t size) {
    BigNumber n(size);
    n.words[0] = static_cast<uint32_t>(factor);
    n.words[1] = static_cast<uint32_t>(factor >> 32);
    for (; fives >= 13; fives -= 13) n.times(1220703125);  // 5^13
    for (; fives > 0; --fives) n.times(5);
    const auto shift = static_cast<size_t>(twos / 32);
    for (size_t i = size; i-- > 0;) n.words[i] = i >= shift ? n.words[i - shift] : 0;
    n.times(uint32_t{1} << (twos % 32));
    return n;
  }
  void times(uint32_t factor) {
    uint64_t carry = 0;
    for (size_t i = 0; i < used; ++i) {
      carry += static_cast<uint64_t>(words[i]) * factor;
      words[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }
  int compare(const BigNumber& other) const {
    for (size_t i = used; i-- > 0;) {
      if (words[i] != other.words[i]) return words[i] < other.words[i] ? -1 : 1;
    }
    return 0;
  }
  void subtract(const BigNumber& other) {
    int64_t carry = 0;
    for (size_t i = 0; i < used; ++i) {
      carry += static_cast<int64_t>(words[i]) - other.words[i];
      words[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }
  BigNumber plus(const BigNumber& other) const {
    BigNumber sum(used);
    uint64_t carry = 0;
    for (size_t i = 0; i < used; ++i) {
      carry += static_cast<uint64_t>(words[i]) + other.words[i];
      sum.words[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    return sum;
  }
};

// One way of doing the arithmetic: `rest / divisor` is what remains to be written, `half` half the distance to
// the neighbours on the same scale.

template <typename Int>
struct SmallState {
  using Unsigned = std::make_unsigned_t<Int>;
  Int rest;
  Int divisor;
  Int half;
  Int tens;

  int nextDigit() {
    const Int digit = rest / divisor;
    rest = static_cast<Int>(Unsigned{10} * static_cast<Unsigned>(rest % divisor));
    half = static_cast<Int>(static_cast<Unsigned>(half) * Unsigned{10});
    return static_cast<int>(digit);
  }
  bool closeBelow(bool first) const { return (half <= 0 && !first) || rest < half; }
  bool closeAbove(bool first) const {
    return (half <= 0 && !first) || static_cast<Int>(static_cast<Unsigned>(rest) + static_cast<Unsigned>(half)) > tens;
  }
  int compareToHalf() const {
    const Int difference = static_cast<Int>((static_cast<Unsigned>(rest) << 1) - static_cast<Unsigned>(tens));
    return difference < 0 ? -1 : difference > 0 ? 1 : 0;
  }
};

struct BigState {
  BigNumber rest;
  BigNumber divisor;
  BigNumber half;
  BigNumber tens;

  int nextDigit() {
    int digit = 0;
    for (; rest.compare(divisor) >= 0; ++digit) rest.subtract(divisor);
    rest.times(10);
    half.times(10);
    return digit;
  }
  bool closeBelow(bool) const { return rest.compare(half) < 0; }
  bool closeAbove(bool) const { return tens.compare(rest.plus(half)) <= 0; }
  int compareToHalf() const { return rest.plus(rest).compare(tens); }
};

void roundUp(Digits& d) {
  int i = d.count - 1;
  while (i > 0 && d.digit[static_cast<size_t>(i)] == 9) d.digit[static_cast<size_t>(i--)] = 0;
  if (d.digit[static_cast<size_t>(i)] == 9) {  // all nines
    d.digit[0] = 1;
    ++d.exponent;
    return;
  }
  ++d.digit[static_cast<size_t>(i)];
}

template <typename State>
Digits writeDigits(State state, int exponent) {
  Digits out;
  int digit = state.nextDigit();
  bool low = state.closeBelow(true);
  bool high = state.closeAbove(true);
  if (digit == 0 && !high) {
    --exponent;  // the estimate was one too high
  } else {
    out.push(digit);
  }
  if (exponent < -3 || exponent >= 8) low = high = false;  // the form with E has at least two digits
  while (!low && !high) {
    digit = state.nextDigit();
    low = state.closeBelow(false);
    high = state.closeAbove(false);
    out.push(digit);
  }
  out.exponent = exponent;
  if (!high) return out;
  const int tie = low ? state.compareToHalf() : 1;
  const bool odd = (out.digit[static_cast<size_t>(out.count - 1)] & 1) != 0;
  if (tie > 0 || (tie == 0 && odd)) roundUp(out);
  return out;
}

/// Bits of 5^n as the choice of arithmetic counts them.
int bitsOfFive(int n) { return n >= 27 ? n * 3 : n == 0 ? 0 : (n * 1217359 >> 19) + 1; }

uint64_t powerOfFive(int n) {
  uint64_t power = 1;
  for (; n > 0; --n) power *= 5;
  return power;
}

template <typename Int>
SmallState<Int> smallState(uint64_t fraction, int five_b, int two_b, int five_s, int two_s, int two_m) {
  using Unsigned = std::make_unsigned_t<Int>;
  const auto scaled = [](uint64_t v, int five, int two) {
    return static_cast<Unsigned>(static_cast<Unsigned>(v) * static_cast<Unsigned>(powerOfFive(five))) << two;
  };
  const Unsigned divisor = scaled(1, five_s, two_s);
  return {static_cast<Int>(scaled(fraction, five_b, two_b)), static_cast<Int>(divisor),
          static_cast<Int>(scaled(1, five_b, two_m)), static_cast<Int>(divisor * Unsigned{10})};
}

Digits stepByStep(const Unpacked& n) {
  const int trailing_zeros = std::countr_zero(n.fraction);
  const int fraction_bits = kFractionBits + 1 - trailing_zeros;
  const int tiny_bits = std::max(0, fraction_bits - n.exponent - 1);
  const double mantissa = static_cast<double>(n.fraction) / static_cast<double>(uint64_t{1} << kFractionBits);
  const int exponent = static_cast<int>(
      std::floor((mantissa - 1.5) * 0.289529654 + 0.176091259 + static_cast<double>(n.exponent) * 0.301029995663981));
  const int five_b = std::max(0, -exponent);
  const int five_s = std::max(0, exponent);
  int two_b = five_b + tiny_bits + n.exponent;
  int two_s = five_s + tiny_bits;
  int two_m = two_b - n.significant_bits;
  two_b -= fraction_bits - 1;
  const int common = std::min(two_b, two_s);
  two_b -= common;
  two_s -= common;
  two_m -= common;
  if (fraction_bits == 1) --two_m;
  if (two_m < 0) {
    two_b -= two_m;
    two_s -= two_m;
    two_m = 0;
  }
  const uint64_t fraction = n.fraction >> trailing_zeros;
  const int bits_b = fraction_bits + two_b + bitsOfFive(five_b);
  const int bits_tens = two_s + 1 + bitsOfFive(five_s + 1);
  if (bits_b < 32 && bits_tens < 32) {
    return writeDigits(smallState<int32_t>(fraction, five_b, two_b, five_s, two_s, two_m), exponent);
  }
  if (bits_b < 64 && bits_tens < 64) {
    return writeDigits(smallState<int64_t>(fraction, five_b, two_b, five_s, two_s, two_m), exponent);
  }
  const auto size = static_cast<size_t>(std::max(bits_b, bits_tens) / 32 + 2);
  return writeDigits(
      BigState{BigNumber::product(fraction, five_b, two_b, size), BigNumber::product(1, five_s, two_s, size),
               BigNumber::product(1, five_b, two_m, size), BigNumber::product(1, five_s + 1, two_s + 1, size)},
      exponent);
}

FloatDigits withoutTrailingZeros(uint64_t digits, int exponent) {
  while (digits != 0 && digits % 10 == 0) {
    digits /= 10;
    ++exponent;
  }
  return {false, digits, exponent};
}

FloatDigits wholeNumber(const Unpacked& n) {
  uint64_t value = n.exponent >= kFractionBits ? n.fraction << (n.exponent - kFractionBits)
                                               : n.fraction >> (kFractionBits - n.exponent);
  const int spare_bits = n.exponent - n.significant_bits - 1;
  const int dropped = spare_bits > 0 ? spare_bits * 1233 >> 12 : 0;
  uint64_t power = 1;
  for (int i = 0; i < dropped; ++i) power *= 10;
  const bool up = dropped > 0 && value % power >= power / 2;
  return withoutTrailingZeros(value / power + (up ? 1 : 0), dropped);
}

FloatDigits followSteps(const Unpacked& n) {
  const Digits shown = stepByStep(n);
  uint64_t digits = 0;
  for (int i = 0; i < shown.count; ++i) digits = digits * 10 + shown.digit[static_cast<size_t>(i)];
  return withoutTrailingZeros(digits, shown.exponent - shown.count + 1);
}

/// Whether the shortest text of a large whole number may be as far from it as from a neighbouring number, or its
/// neighbouring text as near.
bool mayBeHalfWay(const Unpacked& n, const FloatDigits& text) {
  constexpr int kFivesMax = 23;  // more factors of five do not divide an odd number of 54 bits
  if (text.exponent > kFivesMax) return false;
  if (n.exponent > 126) return true;
  unsigned __int128 power = 1;
  for (int i = 0; i < text.exponent; ++i) power *= 10;
  const unsigned __int128 shown = text.digits * power;
  const auto exact = static_cast<unsigned __int128>(n.fraction) << (n.exponent - kFractionBits);
  const auto half = static_cast<unsigned __int128>(1) << (n.exponent - n.significant_bits);
  const auto distance = shown > exact ? shown - exact : exact - shown;
  return distance == half || 2 * distance == power;
}

/// The shortest digits that read back as the positive `value`.
template <typename Float>
FloatDigits shortest(Float value) {
  char text[32];
  const char* end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  uint64_t digits = 0;
  int fraction_digits = 0;
  const char* at = text;
  for (; *at != 'e'; ++at) {
    if (*at == '.') continue;
    digits = digits * 10 + static_cast<uint64_t>(*at - '0');
    if (at != text) ++fraction_digits;
  }
  int exponent = 0;
  std::from_chars(at + (at[1] == '+' ? 2 : 1), end, exponent);
  return {false, digits, exponent - fraction_digits};
}

/// Numbers with at most four decimals, the commonest by far. A text of at most 15 (6) digits that reads back is the
/// only one so short, so nothing needs to be searched.
template <typename Float>
bool fewDecimals(Float value, FloatDigits& out) {
  constexpr double kDigitsMax = sizeof(Float) == 4 ? 1e6 : 1e15;
  constexpr double kShift = 1e4;
  const double shifted = std::nearbyint(static_cast<double>(value) * kShift);
  if (shifted < 1 || shifted >= kDigitsMax || static_cast<Float>(shifted / kShift) != value) return false;
  out = withoutTrailingZeros(static_cast<uint64_t>(shifted), -4);
  return true;
}

template <typename Float>
FloatDigits digitsOf(Float value, const Unpacked& n, bool subnormal) {
  const int trailing_zeros = std::countr_zero(n.fraction);
  const bool whole = kFractionBits - trailing_zeros <= n.exponent;
  if (whole && n.exponent <= kMaxSmallExponent) return wholeNumber(n);
  FloatDigits few;
  if (fewDecimals(value, few)) return few;
  if (subnormal || trailing_zeros == kFractionBits) return followSteps(n);
  if (whole && n.exponent <= kWrappingExponent) return followSteps(n);
  const FloatDigits text = shortest(value);
  return whole && mayBeHalfWay(n, text) ? followSteps(n) : text;
}

/// Splits the bits of a positive finite number whose fraction has `stored_bits` bits.
Unpacked unpack(uint64_t bits, int stored_bits, int bias) {
  const uint64_t hidden = uint64_t{1} << stored_bits;
  uint64_t fraction = bits & (hidden - 1);
  int exponent = static_cast<int>(bits >> stored_bits);
  int significant = stored_bits + 1;
  if (exponent == 0) {
    significant = 64 - std::countl_zero(fraction);
    const int shift = stored_bits + 1 - significant;
    fraction <<= shift;
    exponent = 1 - shift;
  } else {
    fraction |= hidden;
  }
  return {fraction << (kFractionBits - stored_bits), exponent - bias, significant};
}

}  // namespace

FloatDigits shortestDigits(double value) {
  const auto bits = std::bit_cast<uint64_t>(std::fabs(value));
  if (bits == 0) return {std::signbit(value), 0, 0};
  const Unpacked n = unpack(bits, kFractionBits, 1023);
  FloatDigits result = digitsOf(std::fabs(value), n, bits >> kFractionBits == 0);
  result.negative = value < 0;
  return result;
}

FloatDigits shortestDigits(float value) {
  const auto bits = std::bit_cast<uint32_t>(std::fabs(value));
  if (bits == 0) return {std::signbit(value), 0, 0};
  const Unpacked n = unpack(bits, 23, 127);
  FloatDigits result = digitsOf(std::fabs(value), n, bits >> 23 == 0);
  result.negative = value < 0;
  return result;
}

}  // namespace thalweg
