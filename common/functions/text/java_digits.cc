#include "common/functions/text/java_digits.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "common/types/java_text.h"

namespace thalweg {

JavaDigits JavaDigits::of(double value) { return JavaDigits(doubleText(std::abs(value))); }
JavaDigits JavaDigits::of(float value) { return JavaDigits(floatText(std::abs(value))); }

// Reads `12.5`, `1.0E10`, `1.5E-7`; NaN and Infinity leave nothing.
JavaDigits::JavaDigits(std::string_view text) {
  const size_t exponent = std::min(text.find('E'), text.size());
  if (exponent < text.size()) point_ = std::atoi(std::string(text.substr(exponent + 1)).c_str());
  bool fraction = false;
  for (const char c : text.substr(0, exponent)) {
    if (c == '.') fraction = true;
    else if (c >= '0' && c <= '9') {
      if (!fraction) ++point_;
      digits_.push_back(c);
    }
  }
  const size_t leading = std::min(digits_.find_first_not_of('0'), digits_.size());
  digits_.erase(0, leading);
  point_ -= static_cast<int>(leading);
  while (!digits_.empty() && digits_.back() == '0') digits_.pop_back();
  if (digits_.empty()) point_ = 1;
}

JavaDigits JavaDigits::rounded(int count) const {
  JavaDigits result = *this;
  if (count >= static_cast<int>(digits_.size())) return result;
  const bool up = count >= 0 && digits_[static_cast<size_t>(count)] >= '5';
  result.digits_.resize(static_cast<size_t>(std::max(count, 0)));
  if (!up) {
    if (result.digits_.empty()) result.point_ = 1;
    return result;
  }
  size_t at = result.digits_.size();
  while (at > 0 && result.digits_[at - 1] == '9') result.digits_[--at] = '0';
  if (at > 0) {
    ++result.digits_[at - 1];
  } else {
    result.digits_.insert(0, 1, '1');
    ++result.point_;
  }
  return result;
}

std::string JavaDigits::fixed(int precision) const {
  const JavaDigits shown = digits_.empty() ? *this : rounded(point_ + precision);
  std::string text;
  for (int i = 0; i < std::max(shown.point_, 1); ++i) {
    const int at = shown.point_ > 0 ? i : -1;
    text.push_back(at >= 0 && at < static_cast<int>(shown.digits_.size()) ? shown.digits_[static_cast<size_t>(at)] : '0');
  }
  if (precision > 0) text.push_back('.');
  for (int i = 0; i < precision; ++i) {
    const int at = shown.point_ + i;
    text.push_back(at >= 0 && at < static_cast<int>(shown.digits_.size()) ? shown.digits_[static_cast<size_t>(at)] : '0');
  }
  return text;
}

std::string JavaDigits::scientific(int precision) const {
  const JavaDigits shown = rounded(precision + 1);
  std::string text(1, shown.digits_.empty() ? '0' : shown.digits_[0]);
  if (precision > 0) text.push_back('.');
  for (size_t i = 1; i <= static_cast<size_t>(precision); ++i) text.push_back(i < shown.digits_.size() ? shown.digits_[i] : '0');
  const int exponent = shown.digits_.empty() ? 0 : shown.point_ - 1;
  text.append(exponent < 0 ? "e-" : "e+");
  if (std::abs(exponent) < 10) text.push_back('0');
  return text + std::to_string(std::abs(exponent));
}

std::string JavaDigits::general(int precision) const {
  if (digits_.empty()) return fixed(precision - 1);
  const JavaDigits shown = rounded(precision);
  const int exponent = shown.point_ - 1;
  if (exponent < -4 || exponent >= precision) return scientific(precision - 1);
  return fixed(precision - shown.point_);
}

std::string javaHexText(double value) {
  if (value == 0) return "0x0.0p0";
  const auto bits = std::bit_cast<uint64_t>(value);
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  std::string text = exponent == 0 ? "0x0." : "0x1.";
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (int shift = 48; shift >= 0; shift -= 4) hex.push_back(kDigits[fraction >> shift & 15]);
  while (hex.size() > 1 && hex.back() == '0') hex.pop_back();
  return text + hex + "p" + std::to_string(exponent == 0 ? -1022 : exponent - 1023);
}

}  // namespace thalweg
