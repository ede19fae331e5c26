#include "common/types/cast_scalar.h"

#include <cmath>
#include <limits>

#include "common/types/dates/datetime_text.h"
#include "common/types/decimal.h"
#include "common/types/decimal_text.h"
#include "common/types/java_text.h"
#include "common/types/type_rules.h"
#include "common/types/value_text.h"

namespace thalweg {

namespace {

struct Cast {
  const Value& value;
  const DataType& from;
  const DataType& to;
  const TimeZone& zone;
};

Status failure(const Cast& c, std::string_view why) {
  constexpr size_t kShownMax = 100;
  std::string shown = castForm(c.value, c.from, c.zone);
  if (codePointCount(shown) > kShownMax) shown = std::string(prefixOfCodePoints(shown, kShownMax)) + "…";
  return Status::runtime("cannot cast " + c.from.asNullable().toString() + " '" + shown + "' to " +
                         c.to.asNullable().toString() + ": " + std::string(why) + "; use TRY_CAST to get NULL instead");
}

Status unsupported(const Cast& c) {
  return Status::internal("no cast from " + c.from.toString() + " to " + c.to.toString());
}

/// A parsed value, or the failure that says what was expected.
template <typename T, typename Make>
Result<Value> orFailure(const Cast& c, const std::optional<T>& parsed, std::string_view expected, Make make) {
  if (!parsed) return failure(c, expected);
  return make(*parsed);
}

Result<Value> toBoolean(const Cast& c) {
  if (c.from.isString()) {
    return orFailure(c, parseBoolean(c.value.asString()), "expected true, t, yes, y, 1, false, f, no, n or 0", Value::boolean);
  }
  if (c.from.isInteger()) return Value::boolean(c.value.asInt() != 0);
  if (c.from.kind() == TypeKind::DECIMAL) return Value::boolean(c.value.asDecimal() != 0);
  if (c.from.isApproximateNumeric()) return Value::boolean(c.value.asDouble() != 0);
  return unsupported(c);
}

Result<Value> toInteger(const Cast& c) {
  const TypeKind kind = c.to.kind();
  if (c.from.isString()) {
    const IntegerRange range = integerRange(kind);
    return orFailure(c, parseInteger(c.value.asString(), range.min, range.max),
                     "expected a whole number between " + std::to_string(range.min) + " and " + std::to_string(range.max),
                     Value::integer);
  }
  if (c.from.isInteger()) return Value::integer(wrapInteger(c.value.asInt(), kind));
  if (c.from.kind() == TypeKind::BOOLEAN) return Value::integer(c.value.asBool() ? 1 : 0);
  if (c.from.kind() == TypeKind::DECIMAL) {
    return Value::integer(wrapInteger(decimalToInt64(c.value.asDecimal(), c.from.scale()), kind));
  }
  if (c.from.isApproximateNumeric()) return Value::integer(integerOfDouble(c.value.asDouble(), kind));
  return unsupported(c);
}

Result<Value> toFloating(const Cast& c) {
  const bool single = c.to.kind() == TypeKind::FLOAT;
  const auto narrowed = [single](double v) { return Value::floating(single ? static_cast<double>(static_cast<float>(v)) : v); };
  if (c.from.isString()) {
    if (single) return orFailure(c, parseFloat(c.value.asString()), "expected a number", Value::floating);
    return orFailure(c, parseDouble(c.value.asString()), "expected a number", Value::floating);
  }
  if (c.from.isInteger()) {
    const int64_t v = c.value.asInt();
    return Value::floating(single ? static_cast<double>(static_cast<float>(v)) : static_cast<double>(v));
  }
  if (c.from.kind() == TypeKind::BOOLEAN) return Value::floating(c.value.asBool() ? 1 : 0);
  if (c.from.kind() == TypeKind::DECIMAL) {
    return narrowed(decimalToDouble(c.value.asDecimal(), {c.from.precision(), c.from.scale()}));
  }
  if (c.from.isApproximateNumeric()) return narrowed(c.value.asDouble());
  return unsupported(c);
}

Result<Value> toDecimal(const Cast& c) {
  const DecimalSpec spec{c.to.precision(), c.to.scale()};
  const auto fitted = [](const std::optional<int128>& v) { return v ? Value::decimal(*v) : Value::null(); };
  if (c.from.isString()) {
    return orFailure(c, parseDecimal(c.value.asString(), spec), "expected a number that fits", Value::decimal);
  }
  if (c.from.isInteger()) return fitted(decimalFromInt64(c.value.asInt(), spec));
  if (c.from.kind() == TypeKind::BOOLEAN) return fitted(decimalFromInt64(c.value.asBool() ? 1 : 0, spec));
  if (c.from.kind() == TypeKind::DECIMAL) return fitted(rescaleDecimal(c.value.asDecimal(), c.from.scale(), spec));
  if (!c.from.isApproximateNumeric()) return unsupported(c);
  if (!std::isfinite(c.value.asDouble())) return failure(c, "a DECIMAL is finite");
  return fitted(decimalFromDouble(c.value.asDouble(), spec));
}

Result<Value> toText(const Cast& c) {
  std::string text = c.from.isString() ? c.value.asString() : castForm(c.value, c.from, c.zone);
  fitText(text, c.to);
  return Value::string(std::move(text));
}

Result<Value> toBytes(const Cast& c) {
  if (!c.from.isString() && !c.from.isBinary() && c.from.kind() != TypeKind::BITMAP) return unsupported(c);
  std::string bytes = c.value.asString();
  fitBytes(bytes, c.to);
  return Value::string(std::move(bytes));
}

/// The wall clock that a timestamp of either kind shows.
TimestampValue wallOf(const Cast& c) {
  const TimestampValue value = c.value.asTimestamp();
  return c.from.kind() == TypeKind::TIMESTAMP_LTZ ? c.zone.toLocal(value) : value;
}

Result<Value> toDate(const Cast& c) {
  if (c.from.isString()) {
    return orFailure(c, parseDate(c.value.asString()), "expected 'yyyy-MM-dd'", Value::integer);
  }
  if (c.from.isTimestamp()) return Value::integer(dateOfMillis(wallOf(c).millis));
  return unsupported(c);
}

Result<Value> toTime(const Cast& c) {
  const int precision = c.to.precision();
  if (c.from.isString()) {
    return orFailure(c, parseTime(c.value.asString(), precision), "expected 'HH:mm:ss'", Value::integer);
  }
  if (c.from.kind() == TypeKind::TIME) {
    return Value::integer(truncateTimeToPrecision(static_cast<int32_t>(c.value.asInt()), precision));
  }
  if (c.from.isTimestamp()) return Value::integer(truncateTimeToPrecision(timeOfMillis(wallOf(c).millis), precision));
  return unsupported(c);
}

Result<Value> toTimestamp(const Cast& c) {
  const int precision = c.to.precision();
  const bool zoned = c.to.kind() == TypeKind::TIMESTAMP_LTZ;
  if (c.from.kind() == c.to.kind()) return Value::timestamp(truncateToPrecision(c.value.asTimestamp(), precision));
  TimestampValue wall;
  if (c.from.isString()) {
    const std::optional<TimestampValue> parsed = parseTimestamp(c.value.asString(), precision);
    if (!parsed) return failure(c, "expected 'yyyy-MM-dd HH:mm:ss'");
    wall = *parsed;
  } else if (c.from.isTimestamp()) {
    wall = truncateToPrecision(wallOf(c), precision);
  } else if (c.from.kind() == TypeKind::DATE) {
    wall.millis = millisOf(static_cast<int32_t>(c.value.asInt()), 0);
  } else if (c.from.kind() == TypeKind::TIME) {
    wall = truncateToPrecision({c.value.asInt(), 0, 0}, precision);  // on 1970-01-01
  } else {
    return unsupported(c);
  }
  return Value::timestamp(zoned ? c.zone.toInstant(wall) : wall);
}

Result<Value> toRow(const Cast& c) {
  std::vector<Value> fields;
  fields.reserve(c.to.childCount());
  for (size_t i = 0; i < c.to.childCount(); ++i) {
    ASSIGN_OR_RETURN(Value field, castValue(c.value.asRow()[i], c.from.child(i), c.to.child(i), c.zone));
    fields.push_back(std::move(field));
  }
  return Value::row(std::move(fields), std::get<RowValue>(c.value.content()).kind);
}

Result<Value> toArray(const Cast& c) {
  std::vector<Value> elements;
  elements.reserve(c.value.asList().size());
  for (const Value& element : c.value.asList()) {
    ASSIGN_OR_RETURN(Value converted, castValue(element, c.from.child(0), c.to.child(0), c.zone));
    elements.push_back(std::move(converted));
  }
  return Value::list(std::move(elements));
}

/// Keys that become equal keep the last value; counts of a multiset add up.
void addEntry(std::vector<std::pair<Value, Value>>& entries, Value key, Value value, bool counts) {
  for (auto& [known, stored] : entries) {
    if (!(known == key)) continue;
    stored = counts ? Value::integer(stored.asInt() + value.asInt()) : std::move(value);
    return;
  }
  entries.emplace_back(std::move(key), std::move(value));
}

Result<Value> toMap(const Cast& c) {
  const bool counts = c.to.kind() == TypeKind::MULTISET;
  const bool keys_stay = c.from.child(0).sameIgnoringNullability(c.to.child(0));
  std::vector<std::pair<Value, Value>> entries;
  entries.reserve(c.value.asMap().size());
  for (const auto& [key, value] : c.value.asMap()) {
    ASSIGN_OR_RETURN(Value new_key, castValue(key, c.from.child(0), c.to.child(0), c.zone));
    Value new_value = value;
    if (!counts) {
      ASSIGN_OR_RETURN(new_value, castValue(value, c.from.child(1), c.to.child(1), c.zone));
    }
    if (keys_stay) {
      entries.emplace_back(std::move(new_key), std::move(new_value));
    } else {
      addEntry(entries, std::move(new_key), std::move(new_value), counts);
    }
  }
  return Value::map(std::move(entries));
}

Result<Value> toSameKind(const Cast& c, Result<Value> (*convert)(const Cast&)) {
  return c.from.kind() == c.to.kind() && c.from.childCount() == c.to.childCount() ? convert(c) : unsupported(c);
}

}  // namespace

Result<Value> castValue(const Value& value, const DataType& from, const DataType& to, const TimeZone& session_zone) {
  if (value.isNull()) return Value::null();
  if (from.sameAs(to)) return value;
  const Cast c{value, from, to, session_zone};
  switch (to.kind()) {
    case TypeKind::BOOLEAN: return toBoolean(c);
    case TypeKind::TINYINT:
    case TypeKind::SMALLINT:
    case TypeKind::INTEGER:
    case TypeKind::BIGINT: return toInteger(c);
    case TypeKind::FLOAT:
    case TypeKind::DOUBLE: return toFloating(c);
    case TypeKind::DECIMAL: return toDecimal(c);
    case TypeKind::CHAR:
    case TypeKind::VARCHAR: return toText(c);
    case TypeKind::BINARY:
    case TypeKind::VARBINARY: return toBytes(c);
    case TypeKind::DATE: return toDate(c);
    case TypeKind::TIME: return toTime(c);
    case TypeKind::TIMESTAMP:
    case TypeKind::TIMESTAMP_LTZ: return toTimestamp(c);
    case TypeKind::INTERVAL_YEAR_MONTH:
    case TypeKind::INTERVAL_DAY_TIME: return from.isInteger() || from.isInterval() ? Result<Value>(value) : unsupported(c);
    case TypeKind::ARRAY: return toSameKind(c, toArray);
    case TypeKind::MAP:
    case TypeKind::MULTISET: return toSameKind(c, toMap);
    case TypeKind::ROW: return toSameKind(c, toRow);
    default: return unsupported(c);
  }
}

Value tryCastValue(const Value& value, const DataType& from, const DataType& to, const TimeZone& session_zone) {
  Result<Value> result = castValue(value, from, to, session_zone);
  return result ? std::move(result).value() : Value::null();
}

int64_t wrapInteger(int64_t value, TypeKind kind) {
  switch (kind) {
    case TypeKind::TINYINT: return static_cast<int8_t>(value);
    case TypeKind::SMALLINT: return static_cast<int16_t>(value);
    case TypeKind::INTEGER: return static_cast<int32_t>(value);
    default: return value;
  }
}

int64_t integerOfDouble(double value, TypeKind kind) {
  return kind == TypeKind::BIGINT ? doubleToInt64(value) : wrapInteger(doubleToInt32(value), kind);
}

IntegerRange integerRange(TypeKind kind) {
  const auto limits = []<typename T>(T) { return IntegerRange{std::numeric_limits<T>::min(), std::numeric_limits<T>::max()}; };
  switch (kind) {
    case TypeKind::TINYINT: return limits(int8_t{});
    case TypeKind::SMALLINT: return limits(int16_t{});
    case TypeKind::INTEGER: return limits(int32_t{});
    default: return limits(int64_t{});
  }
}

void fitText(std::string& text, const DataType& to) {
  const auto length = static_cast<size_t>(to.length());
  if (to.kind() == TypeKind::VARCHAR && text.size() <= length) return;
  const size_t count = codePointCount(text);
  if (count > length) {
    text.resize(prefixOfCodePoints(text, length).size());
  } else if (to.kind() == TypeKind::CHAR) {
    text.append(length - count, ' ');
  }
}

void fitBytes(std::string& bytes, const DataType& to) {
  const auto length = static_cast<size_t>(to.length());
  if (bytes.size() > length || to.kind() == TypeKind::BINARY) bytes.resize(length, '\0');
}

}  // namespace thalweg
