// Numbers and text as Java has them: Double.toString, Double.parseDouble, integers from text, narrowing of
// floating point. Nothing allocates but the append functions' strings.
//
// Doubles print as the Java 17 that recorded the conformance cases prints them: mostly the shortest text that
// reads back (`1.0E7`, `0.001`, `NaN`, `-0.0`), but large whole numbers with one digit more than needed
// (2^31 as FLOAT is `2.14748365E9`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace thalweg {

/// Room for any double or float.
inline constexpr size_t kDoubleTextMax = 32;

/// Writes Double.toString(value); returns the end. Needs kDoubleTextMax bytes.
char* writeDouble(char* out, double value);
/// Writes Float.toString(value).
char* writeFloat(char* out, float value);
void appendDouble(std::string& out, double value);
void appendFloat(std::string& out, float value);
std::string doubleText(double value);
std::string floatText(float value);

/// A finite floating-point value as its text shows it: ±digits * 10^exponent, without trailing zeros (zero is 0, 0).
struct FloatDigits {
  bool negative = false;
  uint64_t digits = 0;
  int exponent = 0;
};
FloatDigits shortestDigits(double value);
FloatDigits shortestDigits(float value);

/// Double.parseDouble: surrounding control characters and blanks, sign, `NaN`, `Infinity`, decimal and hexadecimal
/// forms, a trailing d, D, f or F. Overflow gives infinity, underflow zero.
std::optional<double> parseDouble(std::string_view text);
std::optional<float> parseFloat(std::string_view text);

/// CAST from text to an integer type: surrounding blanks and a fraction of digits are dropped ('12.99' is 12,
/// '.5' is 0). None for other text and outside [min, max].
std::optional<int64_t> parseInteger(std::string_view text, int64_t min, int64_t max);
/// CAST from text to BOOLEAN: t, true, y, yes, 1 and f, false, n, no, 0 in any case, without blanks around.
std::optional<bool> parseBoolean(std::string_view text);

// Java's narrowing: towards zero, saturating, NaN is 0.
int64_t doubleToInt64(double value);
int32_t doubleToInt32(double value);

/// Without the characters up to and including the blank at both ends (String.trim).
std::string_view trimJava(std::string_view text);
/// Without spaces at both ends (SQL TRIM).
std::string_view trimSpaces(std::string_view text);
/// Bytes as text, as `new String(bytes, UTF_8)`: every malformed piece becomes U+FFFD. Well-formed text is copied.
std::string textOfBytes(std::string_view bytes);
/// Code points of well-formed UTF-8.
size_t codePointCount(std::string_view text);
/// The longest prefix of at most `count` code points.
std::string_view prefixOfCodePoints(std::string_view text, size_t count);

}  // namespace thalweg
