#include "common/functions/text/java_format.h"

#include <bit>
#include <charconv>
#include <cmath>

#include "common/functions/text/java_digits.h"
#include "common/functions/text/unicode.h"
#include "common/types/dates/datetime_text.h"
#include "common/types/java_text.h"
#include "common/types/value_text.h"

namespace thalweg {
namespace {

/// `%[index$][flags][width][.precision]conversion`
struct Directive {
  int index = 0;                ///< from 1; 0: the next argument
  bool previous = false;        ///< `%<s`
  bool left = false;
  bool alternate = false;
  bool plus = false;
  bool space = false;
  bool zeros = false;
  bool grouped = false;
  bool parentheses = false;
  int width = -1;
  int precision = -1;
  char conversion = 0;          ///< lower case
  bool upper = false;

  bool hasNumberFlags() const { return alternate || plus || space || zeros || grouped || parentheses; }
};

constexpr int kWidthMax = 100'000;

std::optional<int> readNumber(std::string_view format, size_t& at) {
  int number = 0;
  const auto [end, error] = std::from_chars(format.data() + at, format.data() + format.size(), number);
  if (error != std::errc() || number > kWidthMax) return std::nullopt;
  at = static_cast<size_t>(end - format.data());
  return number;
}

bool takeFlag(Directive& directive, char c) {
  bool* flag = nullptr;
  switch (c) {
    case '-': flag = &directive.left; break;
    case '#': flag = &directive.alternate; break;
    case '+': flag = &directive.plus; break;
    case ' ': flag = &directive.space; break;
    case '0': flag = &directive.zeros; break;
    case ',': flag = &directive.grouped; break;
    case '(': flag = &directive.parentheses; break;
    default: return false;
  }
  if (*flag) return false;
  *flag = true;
  return true;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Behind the `%`; none if it is no directive.
std::optional<Directive> readDirective(std::string_view format, size_t& at) {
  Directive directive;
  size_t digits = at;
  while (digits < format.size() && isDigit(format[digits])) ++digits;
  if (digits > at && digits < format.size() && format[digits] == '$') {
    const std::optional<int> index = readNumber(format, at);
    if (!index || *index == 0) return std::nullopt;
    directive.index = *index;
    ++at;
  } else if (at < format.size() && format[at] == '<') {
    directive.previous = true;
    ++at;
  }
  while (at < format.size() && takeFlag(directive, format[at])) ++at;
  if (at < format.size() && isDigit(format[at])) {
    const std::optional<int> width = readNumber(format, at);
    if (!width) return std::nullopt;
    directive.width = *width;
  }
  if (at < format.size() && format[at] == '.') {
    ++at;
    const std::optional<int> precision = readNumber(format, at);
    if (!precision) return std::nullopt;
    directive.precision = *precision;
  }
  if (at == format.size()) return std::nullopt;
  const char c = format[at++];
  directive.upper = c >= 'A' && c <= 'Z';
  directive.conversion = static_cast<char>(directive.upper ? c + 32 : c);
  if ((directive.left || directive.zeros) && directive.width < 0) return std::nullopt;
  if ((directive.left && directive.zeros) || (directive.plus && directive.space)) return std::nullopt;
  if (directive.upper && std::string_view("bhscxega").find(directive.conversion) == std::string_view::npos) return std::nullopt;
  return directive;
}

std::string padded(std::string text, const Directive& directive) {
  const size_t size = codePointCount(text);
  const auto width = static_cast<size_t>(std::max(directive.width, 0));
  if (size >= width) return text;
  return directive.left ? text + std::string(width - size, ' ') : std::string(width - size, ' ') + text;
}

/// Text of a value for %s, cut to the precision.
std::string textOf(std::string text, const Directive& directive) {
  if (directive.precision >= 0) text = prefixOfCodePoints(text, static_cast<size_t>(directive.precision));
  if (directive.upper) {
    std::string upper;
    appendUpper(upper, text);
    text = std::move(upper);
  }
  return padded(std::move(text), directive);
}

/// Sign, zeros and parentheses around the digits of a number.
std::string signedNumber(bool negative, std::string digits, const Directive& directive, bool may_pad = true) {
  std::string sign = negative ? (directive.parentheses ? "(" : "-") : directive.plus ? "+" : directive.space ? " " : "";
  const std::string close = negative && directive.parentheses ? ")" : "";
  const size_t size = sign.size() + digits.size() + close.size();
  if (directive.zeros && may_pad && directive.width > static_cast<int>(size)) {
    digits.insert(0, static_cast<size_t>(directive.width) - size, '0');
  }
  return padded(sign + digits + close, directive);
}

/// Thousands parted by commas, in front of a point if there is one.
std::string groupDigits(std::string digits) {
  const size_t point = std::min(digits.find('.'), digits.size());
  for (size_t at = point; at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

int bytesOf(TypeKind kind) {
  switch (kind) {
    case TypeKind::TINYINT: return 1;
    case TypeKind::SMALLINT: return 2;
    case TypeKind::INTEGER: return 4;
    default: return 8;
  }
}

std::optional<std::string> formatInteger(int64_t value, const DataType& type, const Directive& directive) {
  if (directive.precision >= 0) return std::nullopt;
  if (directive.conversion == 'd') {
    if (directive.alternate) return std::nullopt;
    const uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    std::string digits = std::to_string(magnitude);
    return signedNumber(value < 0, directive.grouped ? groupDigits(std::move(digits)) : std::move(digits), directive);
  }
  if (directive.plus || directive.space || directive.grouped || directive.parentheses) return std::nullopt;
  const bool hex = directive.conversion == 'x';
  const int bits = 8 * bytesOf(type.kind());
  const uint64_t unsigned_value = static_cast<uint64_t>(value) & (bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1);
  char buffer[32];
  char* end = std::to_chars(buffer, buffer + sizeof buffer, unsigned_value, hex ? 16 : 8).ptr;
  std::string digits(buffer, end);
  const std::string prefix = directive.alternate ? (hex ? "0x" : "0") : "";
  const size_t size = prefix.size() + digits.size();
  if (directive.zeros && directive.width > static_cast<int>(size)) {
    digits.insert(0, static_cast<size_t>(directive.width) - size, '0');
  }
  std::string text = prefix + digits;
  if (directive.upper) {
    for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  }
  return padded(std::move(text), directive);
}

std::optional<std::string> formatFloating(double value, JavaDigits digits, const Directive& directive) {
  const bool negative = std::signbit(value);
  if (directive.grouped && directive.conversion == 'e') return std::nullopt;
  if (directive.alternate && directive.conversion == 'g') return std::nullopt;
  if (std::isnan(value) || std::isinf(value)) {
    std::string name = std::isnan(value) ? "NaN" : "Infinity";
    if (directive.upper) name = std::isnan(value) ? "NAN" : "INFINITY";
    if (std::isnan(value)) return padded(std::move(name), directive);
    return signedNumber(negative, std::move(name), directive, false);
  }
  std::string text;
  switch (directive.conversion) {
    case 'f': text = digits.fixed(directive.precision < 0 ? 6 : directive.precision); break;
    case 'e': text = digits.scientific(directive.precision < 0 ? 6 : directive.precision); break;
    case 'g': text = digits.general(directive.precision < 0 ? 6 : std::max(directive.precision, 1)); break;
    default:
      if (directive.precision >= 0 || directive.grouped || directive.parentheses) return std::nullopt;
      text = javaHexText(std::abs(value));
  }
  if (directive.grouped) text = groupDigits(std::move(text));
  if (directive.upper) {
    for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  }
  return signedNumber(negative, std::move(text), directive);
}

std::string plainText(const Value& value, const DataType& type, const TimeZone& zone) {
  if (type.isString()) return value.asString();
  if (type.kind() == TypeKind::BOOLEAN) return value.asBool() ? "true" : "false";
  if (type.isNested()) return castForm(value, type, zone);
  return rowForm(value, type);
}

std::optional<std::string> formatCharacter(const Value& value, const DataType& type, const Directive& directive) {
  if (directive.precision >= 0 || directive.hasNumberFlags()) return std::nullopt;
  if (!type.isInteger() || type.kind() == TypeKind::BIGINT) return std::nullopt;
  const int64_t code = value.asInt();
  if (code < 0 || code > 0x10ffff) return std::nullopt;
  std::string text;
  appendCodePoint(text, static_cast<char32_t>(code));
  return textOf(std::move(text), directive);
}

std::optional<std::string> formatValue(const Value& value, const DataType& type, const Directive& directive, const TimeZone& zone) {
  const char conversion = directive.conversion;
  if (conversion == 'b' || conversion == 's') {
    if (directive.hasNumberFlags()) return std::nullopt;
    if (conversion == 's') return textOf(value.isNull() ? "null" : plainText(value, type, zone), directive);
    const bool truth = type.kind() == TypeKind::BOOLEAN && !value.isNull() ? value.asBool() : !value.isNull();
    return textOf(truth ? "true" : "false", directive);
  }
  if (std::string_view("cdoxefga").find(conversion) == std::string_view::npos) return std::nullopt;
  if (value.isNull()) return textOf("null", directive);
  if (conversion == 'c') return formatCharacter(value, type, directive);
  if (conversion == 'd' || conversion == 'o' || conversion == 'x') {
    return type.isInteger() ? formatInteger(value.asInt(), type, directive) : std::nullopt;
  }
  if (!type.isApproximateNumeric()) return std::nullopt;
  const double number = value.asDouble();
  const JavaDigits digits = type.kind() == TypeKind::FLOAT ? JavaDigits::of(static_cast<float>(number)) : JavaDigits::of(number);
  return formatFloating(number, digits, directive);
}

}  // namespace

std::optional<std::string> formatJava(std::string_view format, std::span<const Value> values,
                                      std::span<const DataType> types, const TimeZone& session_zone) {
  std::string out;
  size_t ordinary = 0;
  std::optional<size_t> last;
  for (size_t at = 0; at < format.size();) {
    const size_t percent = std::min(format.find('%', at), format.size());
    out.append(format.substr(at, percent - at));
    if (percent == format.size()) break;
    at = percent + 1;
    const std::optional<Directive> directive = readDirective(format, at);
    if (!directive) return std::nullopt;
    if (directive->conversion == '%' || directive->conversion == 'n') {
      const bool line = directive->conversion == 'n';
      if (directive->hasNumberFlags() || directive->precision >= 0 || (line && (directive->left || directive->width >= 0))) {
        return std::nullopt;
      }
      out.append(line ? "\n" : padded("%", *directive));
      continue;
    }
    if (directive->previous && !last) return std::nullopt;
    if (!directive->previous) last = directive->index > 0 ? static_cast<size_t>(directive->index - 1) : ordinary++;
    if (*last >= values.size()) return std::nullopt;
    const auto text = formatValue(values[*last], types[*last], *directive, session_zone);
    if (!text) return std::nullopt;
    out.append(*text);
  }
  return out;
}

}  // namespace thalweg
