// JavaDigits: the decimal digits that Java shows of a double, rounded half up to a wanted form.
#pragma once

#include <string>

namespace thalweg {

/// A magnitude 0.d1d2d3… · 10^point; the sign is the caller's.
class JavaDigits {
 public:
  static JavaDigits of(double value);
  static JavaDigits of(float value);

  std::string fixed(int precision) const;       ///< %f
  std::string scientific(int precision) const;  ///< %e
  std::string general(int precision) const;     ///< %g

 private:
  explicit JavaDigits(std::string_view text);
  /// Rounded so that `count` digits are left (0 or less: perhaps none).
  JavaDigits rounded(int count) const;

  std::string digits_;          // without zeros at either end; empty for zero
  int point_ = 0;
};

/// Double.toHexString of a finite number that is not negative.
std::string javaHexText(double value);

}  // namespace thalweg
