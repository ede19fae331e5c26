// Text of decimals: reading as Java's BigDecimal reads, writing plain and as BigDecimal.toString.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "common/types/decimal.h"

namespace thalweg {

/// Room for any decimal in either form: sign, 39 digits or leading zeros, point, exponent.
inline constexpr size_t kDecimalTextMax = 48;

/// A decimal with the digits that were written.
struct DecimalLiteral {
  int128 unscaled = 0;
  DecimalSpec spec;
};

/// Reads `[+-]digits[.digits][e[+-]digits]` between blanks (space, tab, line feed) into `to`, rounding half up.
/// None for other text and for values too large. As in Flink, text of at most 18 bytes into at most 18 digits is
/// read loosely: one byte behind the digits is passed over ('12.9x' is 12.9), and the size is measured before
/// rounding, so '999.995' as DECIMAL(5, 2) is 1000.00.
std::optional<int128> parseDecimal(std::string_view text, DecimalSpec to);
/// Reads the same grammar without blanks, keeping every digit: '1.50' is DECIMAL(3, 2), '.5' (1, 1), '1e3' (4, 0).
/// None beyond 38 digits.
std::optional<DecimalLiteral> parseDecimalLiteral(std::string_view text);

/// Writes without exponent (`0.0000001`), as CAST to STRING does. Returns the end; needs kDecimalTextMax bytes.
char* writeDecimal(char* out, int128 unscaled, int scale);
/// Writes as BigDecimal.toString (`1E-7`, `0E-9`, `2.33E-11`, `0.000001`), as result rows print.
char* writeDecimalJava(char* out, int128 unscaled, int scale);

void appendDecimal(std::string& out, int128 unscaled, int scale);
void appendDecimalJava(std::string& out, int128 unscaled, int scale);
std::string decimalText(int128 unscaled, int scale);

}  // namespace thalweg
