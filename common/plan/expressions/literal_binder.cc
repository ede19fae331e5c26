#include "common/plan/expressions/literal_binder.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "common/plan/expressions/call_factory.h"
#include "common/types/dates/datetime_text.h"
#include "common/types/decimal_text.h"
#include "common/types/java_text.h"

namespace thalweg {
namespace {

/// As Flink counts the length of a literal's type: characters beyond the basic plane are two.
int literalLength(std::string_view text) {
  int count = 0;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    count += (byte & 0xC0) != 0x80;
    count += byte >= 0xF0;
  }
  return count;
}

Result<BoundExprPtr> bindInteger(const sql::Literal& literal) {
  int64_t value = 0;
  const char* begin = literal.text.data();
  const char* end = begin + literal.text.size();
  if (begin != end && *begin == '+') ++begin;
  auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end) {
    return Status::plan("the number " + literal.text + " is beyond BIGINT; write it as DECIMAL '" + literal.text + "' or " +
                        literal.text + "e0", literal.position);
  }
  bool is_int = value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max();
  return BoundExpr::literal(Value::integer(value), is_int ? DataType::integer(false) : DataType::bigint(false));
}

Result<BoundExprPtr> bindDecimal(const sql::Literal& literal) {
  size_t point = literal.text.find('.');
  if (point != std::string::npos && point + 1 == literal.text.size()) {
    sql::Literal whole = literal;  // `5.` is an integer
    whole.text.pop_back();
    return bindInteger(whole);
  }
  int precision = 0;
  for (char c : literal.text) precision += c >= '0' && c <= '9';
  int scale = point == std::string::npos ? 0 : static_cast<int>(literal.text.size() - point - 1);
  auto parsed = parseDecimalLiteral(literal.text);
  // As in Flink the digits of a literal must fit into 64 bits, point left aside.
  const bool fits = parsed && parsed->unscaled >= std::numeric_limits<int64_t>::min() && parsed->unscaled <= std::numeric_limits<int64_t>::max();
  if (!fits || precision > DataType::kMaxDecimalPrecision) {
    return Status::plan("the digits of the number " + literal.text + " are too many for a literal; write it as CAST('" + literal.text + "' AS DECIMAL(p, s))",
                        literal.position);
  }
  return BoundExpr::literal(Value::decimal(parsed->unscaled), DataType::decimal(std::max(precision, 1), scale, false));
}

Result<BoundExprPtr> bindDouble(const sql::Literal& literal) {
  char* stop = nullptr;
  double value = std::strtod(literal.text.c_str(), &stop);
  if (stop != literal.text.c_str() + literal.text.size() || std::isinf(value)) {
    return Status::plan("the number " + literal.text + " is beyond DOUBLE", literal.position);
  }
  return BoundExpr::literal(Value::floating(value), DataType::float64(false));
}

Result<BoundExprPtr> bindBinary(const sql::Literal& literal) {
  if (literal.text.size() % 2 != 0) {
    return Status::plan("a binary literal needs an even number of hexadecimal digits, but x'" + literal.text + "' has " +
                        std::to_string(literal.text.size()), literal.position);
  }
  std::string bytes;
  for (size_t i = 0; i < literal.text.size(); i += 2) {
    unsigned byte = 0;
    std::from_chars(literal.text.data() + i, literal.text.data() + i + 2, byte, 16);
    bytes.push_back(static_cast<char>(byte));
  }
  int length = static_cast<int>(bytes.size());
  return BoundExpr::literal(Value::string(std::move(bytes)), DataType::binary(length, false));
}

/// Digits and separators of `form` (0 any digit) in order, each number of one digit at least.
bool hasForm(std::string_view text, std::string_view separators) {
  size_t digits = 0;
  size_t next = 0;
  for (char c : text) {
    if (c >= '0' && c <= '9') {
      ++digits;
    } else {
      if (digits == 0 || next >= separators.size() || separators[next] != c) return false;
      digits = 0;
      ++next;
    }
  }
  return digits > 0 && next == separators.size();
}

Status badText(const sql::Literal& literal, const char* type, const char* form) {
  return Status::plan(std::string(type) + " '" + literal.text + "' is not of the form '" + form + "' or does not exist",
                      literal.position);
}

Result<BoundExprPtr> bindDate(const sql::Literal& literal) {
  auto days = parseDate(literal.text);
  const bool year_zero = trimSpaces(literal.text).starts_with("0000");   // there is none
  if (!days || year_zero || !hasForm(literal.text, "--")) return badText(literal, "DATE", "2024-02-29");
  return BoundExpr::literal(Value::integer(*days), DataType::date(false));
}

Result<BoundExprPtr> bindTime(const sql::Literal& literal) {
  size_t point = literal.text.find('.');
  std::string_view seconds = std::string_view(literal.text).substr(0, point);
  auto millis = parseTime(literal.text);
  if (!millis || !hasForm(seconds, "::")) return badText(literal, "TIME", "12:34:56");
  int digits = point == std::string::npos ? 0 : static_cast<int>(literal.text.size() - point - 1);
  return BoundExpr::literal(Value::integer(*millis), DataType::time(std::min(digits, 3), false));
}

/// A date alone is its midnight; digits beyond the ninth are cut. `zone`: the literal is an instant's.
Result<BoundExprPtr> bindTimestamp(const sql::Literal& literal, const TimeZone* zone) {
  const std::string_view text = trimSpaces(literal.text);
  const size_t point = text.find('.');
  const std::string_view seconds = text.substr(0, point);
  const size_t digits = point == std::string::npos ? 0 : std::min<size_t>(text.size() - point - 1, 9);
  const auto value = parseTimestamp(text.substr(0, point == std::string::npos ? point : point + 1 + digits));
  const auto day = parseDate(text.substr(0, text.find(' ')));
  const bool exists = value && day && dateOfMillis(value->millis) == *day;
  if (!exists || !(hasForm(seconds, "-- ::") || hasForm(text, "--"))) {
    return badText(literal, "TIMESTAMP", "2024-02-29 12:34:56.789");
  }
  const auto precision = static_cast<int>(digits);
  if (zone) return BoundExpr::literal(Value::timestamp(zone->toInstant(*value)), DataType::timestampLtz(precision, false));
  return BoundExpr::literal(Value::timestamp(*value), DataType::timestamp(precision, false));
}

}  // namespace

Result<BoundExprPtr> bindLiteral(const sql::Literal& literal, const TimeZone& zone) {
  switch (literal.literal) {
    case sql::LiteralKind::NULL_VALUE: return nullLiteral();
    case sql::LiteralKind::BOOLEAN:
      if (literal.text == "UNKNOWN") return nullLiteral(DataType::boolean());
      return booleanLiteral(literal.text == "TRUE");
    case sql::LiteralKind::INTEGER: return bindInteger(literal);
    case sql::LiteralKind::DECIMAL: return bindDecimal(literal);
    case sql::LiteralKind::APPROXIMATE: return bindDouble(literal);
    case sql::LiteralKind::STRING:
      return BoundExpr::literal(Value::string(literal.text), DataType::character(literalLength(literal.text), false));
    case sql::LiteralKind::BINARY: return bindBinary(literal);
    case sql::LiteralKind::DATE: return bindDate(literal);
    case sql::LiteralKind::TIME: return bindTime(literal);
    case sql::LiteralKind::TIMESTAMP: return bindTimestamp(literal, nullptr);
    case sql::LiteralKind::TIMESTAMP_LTZ: return bindTimestamp(literal, &zone);
  }
  return Status::internal("literal of an unknown kind");
}

}  // namespace thalweg
