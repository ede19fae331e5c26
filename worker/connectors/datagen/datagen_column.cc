#include "worker/connectors/datagen/datagen_column.h"

#include <cmath>
#include <limits>

#include "common/base/random.h"
#include "common/columnar/builder.h"
#include "common/config/config_value.h"
#include "common/plan/catalog/option_spec.h"
#include "common/types/cast_scalar.h"
#include "common/types/datetime.h"
#include "common/types/decimal.h"
#include "common/types/decimal_text.h"
#include "common/types/java_text.h"

namespace thalweg::worker {
namespace {

uint64_t draw(uint64_t seed, uint64_t key) {
  uint64_t state = seed ^ key * 0x9E3779B97F4A7C15ULL;
  return splitMix64(state);
}

/// The options of one field.
class FieldOptions {
 public:
  FieldOptions(std::string name, const OptionMap& options) : prefix_("fields." + std::move(name) + '.'), options_(options) {}

  std::string text(std::string_view key, std::string_view default_value = {}) const {
    return optionValue(options_, prefix_ + std::string(key), default_value);
  }
  bool has(std::string_view key) const { return options_.contains(prefix_ + std::string(key)); }
  Status bad(std::string_view key, const std::string& expected) const {
    return Status::plan("option '" + prefix_ + std::string(key) + "' must be " + expected + ", but is '" + text(key) + "'");
  }
  /// An integer within [min, max]; `key` unset: `default_value`.
  Result<int64_t> integer(std::string_view key, int64_t default_value, int64_t min, int64_t max) const {
    if (!has(key)) return default_value;
    const auto value = parseInteger(text(key), min, max);
    if (!value) return bad(key, "a whole number from " + std::to_string(min) + " to " + std::to_string(max));
    return *value;
  }
  Result<double> number(std::string_view key, double default_value) const {
    if (!has(key)) return default_value;
    const auto value = parseDouble(text(key));
    if (!value || !std::isfinite(*value)) return bad(key, "a number");
    return *value;
  }
  bool isSequence() const {
    const std::string kind = text("kind", "random");
    return kind == "sequence" || kind == "SEQUENCE";
  }

 private:
  std::string prefix_;
  const OptionMap& options_;
};

/// Base: seeds, and NULLs at the field's rate.
class RandomColumn : public DatagenColumn {
 protected:
  RandomColumn(DataType type, uint64_t seed, double null_rate) : type_(std::move(type)), seed_(seed), null_rate_(null_rate) {}
  const DataType& type() const { return type_; }
  uint64_t random(uint64_t key, uint64_t salt = 0) const { return draw(seed_ + salt, key); }
  bool isNull(uint64_t key) const {
    return null_rate_ > 0 && static_cast<double>(random(key, 0x4E554C4C) >> 11) * 0x1.0p-53 < null_rate_;
  }
  /// Uniform in [low, high].
  int64_t between(uint64_t key, int64_t low, int64_t high) const { return Random(random(key)).nextBetween(low, high); }
  double unit(uint64_t key) const { return static_cast<double>(random(key) >> 11) * 0x1.0p-53; }

 private:
  DataType type_;
  uint64_t seed_;
  double null_rate_;
};

/// Fixed-width values by a function of the key.
template <typename T, typename ValueOf>
class FixedColumn final : public RandomColumn {
 public:
  FixedColumn(DataType type, uint64_t seed, double null_rate, ValueOf value_of)
      : RandomColumn(std::move(type), seed, null_rate), value_of_(std::move(value_of)) {}
  VectorPtr values(std::span<const uint64_t> keys, int64_t now_ms) override {
    FlatBuilder<T> builder(type(), keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
      if (isNull(keys[i])) builder.setNull(i);
      else builder.set(i, value_of_(random(keys[i]), keys[i], now_ms));
    }
    return builder.finish();
  }

 private:
  ValueOf value_of_;
};

template <typename T, typename ValueOf>
std::unique_ptr<DatagenColumn> fixedColumn(const DataType& type, uint64_t seed, double null_rate, ValueOf value_of) {
  return std::make_unique<FixedColumn<T, ValueOf>>(type, seed, null_rate, std::move(value_of));
}

/// Random text of hexadecimal digits, random bytes, or the numbers of a sequence as text.
class TextColumn final : public RandomColumn {
 public:
  TextColumn(DataType type, uint64_t seed, double null_rate, size_t length, bool varies)
      : RandomColumn(std::move(type), seed, null_rate), length_(length), varies_(varies) {}

  VectorPtr values(std::span<const uint64_t> keys, int64_t) override {
    constexpr std::string_view kHexDigits = "0123456789abcdef";
    StringBuilder builder(type(), keys.size());
    const bool bytes = type().isBinary();
    for (const uint64_t key : keys) {
      if (isNull(key)) {
        builder.appendNull();
        continue;
      }
      Random source(random(key));
      const size_t length = varies_ ? source.nextBelow(length_ + 1) : length_;
      char* target = builder.reserve(length);
      for (size_t i = 0; i < length;) {
        uint64_t bits = source.nextBits();
        for (int k = 0; k < 8 && i < length; ++k, ++i, bits >>= 8) target[i] = bytes ? static_cast<char>(bits) : kHexDigits[bits & 15];
      }
      builder.commit(length);
    }
    return builder.finish();
  }

 private:
  size_t length_;
  bool varies_;
};

class SequenceColumn final : public DatagenColumn {
 public:
  SequenceColumn(DataType type, int64_t start) : type_(std::move(type)), start_(start) {}
  VectorPtr values(std::span<const uint64_t> keys, int64_t) override {
    std::vector<Value> values;
    values.reserve(keys.size());
    const TimeZone utc;
    for (const uint64_t key : keys) {
      const Value number = Value::integer(start_ + static_cast<int64_t>(key));
      values.push_back(type_.kind() == TypeKind::BIGINT ? number : tryCastValue(number, DataType::bigint(), type_, utc));
    }
    return makeVector(type_, values);
  }

 private:
  DataType type_;
  int64_t start_;
};

/// ARRAY, MAP and MULTISET of a number of elements with distinct keys of their own.
class CollectionColumn final : public RandomColumn {
 public:
  CollectionColumn(DataType type, uint64_t seed, double null_rate, size_t length, bool varies, std::vector<std::unique_ptr<DatagenColumn>> children)
      : RandomColumn(std::move(type), seed, null_rate), length_(length), varies_(varies), children_(std::move(children)) {}

  VectorPtr values(std::span<const uint64_t> keys, int64_t now_ms) override {
    FlatBuilder<int32_t> offsets(DataType::integer(), keys.size() + 1);
    MutableBufferPtr validity = Buffer::allocateZeroed(bitmapBytes(keys.size()));
    std::vector<uint64_t> element_keys;
    offsets.set(0, 0);
    for (size_t i = 0; i < keys.size(); ++i) {
      if (!isNull(keys[i])) {
        setBit(validity->mutableAs<uint64_t>(), i);
        const size_t length = varies_ ? Random(random(keys[i])).nextBelow(length_ + 1) : length_;
        for (size_t k = 0; k < length; ++k) element_keys.push_back(random(keys[i], k + 1));
      }
      offsets.set(i + 1, static_cast<int32_t>(element_keys.size()));
    }
    std::vector<VectorPtr> children;
    for (auto& child : children_) children.push_back(child->values(element_keys, now_ms));
    if (type().kind() == TypeKind::MULTISET) children.push_back(Vector::constant(DataType::integer(false), Value::integer(1), element_keys.size()));
    return Vector::flat({.type = type(), .size = keys.size(), .validity = validity, .data = offsets.finish()->dataBuffer(), .children = std::move(children)});
  }

 private:
  size_t length_;
  bool varies_;
  std::vector<std::unique_ptr<DatagenColumn>> children_;
};

class RowColumn final : public RandomColumn {
 public:
  RowColumn(DataType type, uint64_t seed, double null_rate, std::vector<std::unique_ptr<DatagenColumn>> fields)
      : RandomColumn(std::move(type), seed, null_rate), fields_(std::move(fields)) {}

  VectorPtr values(std::span<const uint64_t> keys, int64_t now_ms) override {
    MutableBufferPtr validity = Buffer::allocateZeroed(bitmapBytes(keys.size()));
    for (size_t i = 0; i < keys.size(); ++i) {
      if (!isNull(keys[i])) setBit(validity->mutableAs<uint64_t>(), i);
    }
    std::vector<VectorPtr> children;
    for (auto& field : fields_) children.push_back(field->values(keys, now_ms));
    return Vector::flat({.type = type(), .size = keys.size(), .validity = validity, .children = std::move(children)});
  }

 private:
  std::vector<std::unique_ptr<DatagenColumn>> fields_;
};

using Made = Result<std::unique_ptr<DatagenColumn>>;

template <typename T>
Made makeInteger(const DataType& type, const FieldOptions& options, uint64_t seed, double null_rate, int64_t type_min, int64_t type_max) {
  ASSIGN_OR_RETURN(const int64_t min, options.integer("min", type_min, type_min, type_max));
  ASSIGN_OR_RETURN(const int64_t max, options.integer("max", type_max, type_min, type_max));
  if (min > max) return options.bad("min", "at most the 'max' of the field");
  return fixedColumn<T>(type, seed, null_rate, [min, max](uint64_t random, uint64_t, int64_t) { return static_cast<T>(Random(random).nextBetween(min, max)); });
}

template <typename T>
Made makeFloating(const DataType& type, const FieldOptions& options, uint64_t seed, double null_rate) {
  ASSIGN_OR_RETURN(const double min, options.number("min", static_cast<double>(std::numeric_limits<T>::denorm_min())));
  ASSIGN_OR_RETURN(const double max, options.number("max", static_cast<double>(std::numeric_limits<T>::max())));
  if (min > max) return options.bad("min", "at most the 'max' of the field");
  return fixedColumn<T>(type, seed, null_rate, [min, max](uint64_t random, uint64_t, int64_t) {
    const double share = static_cast<double>(random >> 11) * 0x1.0p-53;
    return static_cast<T>(min * (1 - share) + max * share);
  });
}

template <typename T>
Made makeDecimal(const DataType& type, const FieldOptions& options, uint64_t seed, double null_rate) {
  const DecimalSpec spec{type.precision(), type.scale()};
  int128 bounds[2] = {1 - powerOfTen(spec.precision), powerOfTen(spec.precision) - 1};
  for (int i = 0; i < 2; ++i) {
    const char* key = i == 0 ? "min" : "max";
    if (!options.has(key)) continue;
    const auto bound = parseDecimal(options.text(key), spec);
    if (!bound) return options.bad(key, "a number of type " + type.asNullable().toString());
    bounds[i] = *bound;
  }
  const int128 low = bounds[0];
  const auto span = static_cast<double>(bounds[1] - low);
  if (span < 0) return options.bad("min", "at most the 'max' of the field");
  return fixedColumn<T>(type, seed, null_rate, [low, span](uint64_t random, uint64_t, int64_t) {
    return static_cast<T>(low + static_cast<int128>(static_cast<double>(random >> 11) * 0x1.0p-53 * span));
  });
}

Made makeTimestamp(const DataType& type, const FieldOptions& options, uint64_t seed, double null_rate) {
  const auto past = parseConfigDuration(options.text("max-past", "0"));
  if (!past.isOk()) return options.bad("max-past", "a duration");
  const auto past_ms = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(*past).count());
  const auto millis = [past_ms](uint64_t random, int64_t now_ms) {
    return now_ms - (past_ms == 0 ? 0 : static_cast<int64_t>(Random(random).nextBelow(past_ms)));
  };
  switch (type.physicalType()) {
    case PhysicalType::TIMESTAMP_NANOS:
      return fixedColumn<TimestampValue>(type, seed, null_rate, [millis](uint64_t random, uint64_t, int64_t now) { return TimestampValue{millis(random, now), 0, 0}; });
    default: {
      const int64_t unit = type.precision() > 3 ? 1000 : 1;
      return fixedColumn<int64_t>(type, seed, null_rate, [millis, unit](uint64_t random, uint64_t, int64_t now) { return millis(random, now) * unit; });
    }
  }
}

Made makeText(const DataType& type, const FieldOptions& options, uint64_t seed, double null_rate) {
  const bool bounded = type.length() != DataType::kMaxLength;
  const int64_t length_max = bounded ? type.length() : 10'000'000;
  ASSIGN_OR_RETURN(const int64_t length, options.integer("length", bounded ? type.length() : 100, 0, length_max));
  return Made(std::make_unique<TextColumn>(type, seed, null_rate, static_cast<size_t>(length), options.text("var-len", "false") == "true"));
}

Made makeCollection(const std::string& name, const DataType& type, const OptionMap& all, const FieldOptions& options, uint64_t seed, double null_rate) {
  constexpr int64_t kElementsMax = 100'000;
  ASSIGN_OR_RETURN(const int64_t length, options.integer("length", 3, 0, kElementsMax));
  const bool is_map = type.kind() == TypeKind::MAP;
  std::vector<std::unique_ptr<DatagenColumn>> children;
  for (size_t i = 0; i < (is_map ? 2u : 1u); ++i) {
    const std::string child_name = name + (!is_map ? ".element" : i == 0 ? ".key" : ".value");
    ASSIGN_OR_RETURN(auto child, DatagenColumn::make(child_name, type.child(i), all, draw(seed, i + 1)));
    children.push_back(std::move(child));
  }
  return Made(std::make_unique<CollectionColumn>(type, seed, null_rate, static_cast<size_t>(length), options.text("var-len", "false") == "true", std::move(children)));
}

Made makeRow(const std::string& name, const DataType& type, const OptionMap& all, uint64_t seed, double null_rate) {
  std::vector<std::unique_ptr<DatagenColumn>> fields;
  for (size_t i = 0; i < type.childCount(); ++i) {
    ASSIGN_OR_RETURN(auto field, DatagenColumn::make(name + '.' + type.fieldName(i), type.child(i), all, draw(seed, i + 1)));
    fields.push_back(std::move(field));
  }
  return Made(std::make_unique<RowColumn>(type, seed, null_rate, std::move(fields)));
}

}  // namespace

Result<std::unique_ptr<DatagenColumn>> DatagenColumn::make(const std::string& name, const DataType& type, const OptionMap& all, uint64_t seed) {
  const FieldOptions options(name, all);
  if (options.isSequence()) {
    ASSIGN_OR_RETURN(const int64_t start, options.integer("start", 0, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()));
    return Made(std::make_unique<SequenceColumn>(type, start));
  }
  ASSIGN_OR_RETURN(const double nulls, options.number("null-rate", 0));
  constexpr int32_t kYearMonthsMax = 120'000;
  const auto date = [](uint64_t, uint64_t, int64_t now) { return dateOfMillis(now); };
  const auto time = [](uint64_t, uint64_t, int64_t now) { return timeOfMillis(now); };
  switch (type.kind()) {
    case TypeKind::BOOLEAN: return fixedColumn<bool>(type, seed, nulls, [](uint64_t random, uint64_t, int64_t) { return (random & 1) != 0; });
    case TypeKind::TINYINT: return makeInteger<int8_t>(type, options, seed, nulls, INT8_MIN, INT8_MAX);
    case TypeKind::SMALLINT: return makeInteger<int16_t>(type, options, seed, nulls, INT16_MIN, INT16_MAX);
    case TypeKind::INTEGER: return makeInteger<int32_t>(type, options, seed, nulls, INT32_MIN, INT32_MAX);
    case TypeKind::BIGINT: return makeInteger<int64_t>(type, options, seed, nulls, INT64_MIN, INT64_MAX);
    case TypeKind::INTERVAL_YEAR_MONTH: return makeInteger<int32_t>(type, options, seed, nulls, 0, kYearMonthsMax);
    case TypeKind::INTERVAL_DAY_TIME: return makeInteger<int64_t>(type, options, seed, nulls, 0, kYearMonthsMax * kMillisPerDay);
    case TypeKind::FLOAT: return makeFloating<float>(type, options, seed, nulls);
    case TypeKind::DOUBLE: return makeFloating<double>(type, options, seed, nulls);
    case TypeKind::DECIMAL:
      return type.physicalType() == PhysicalType::INT64 ? makeDecimal<int64_t>(type, options, seed, nulls) : makeDecimal<int128>(type, options, seed, nulls);
    case TypeKind::CHAR: case TypeKind::VARCHAR: case TypeKind::BINARY: case TypeKind::VARBINARY: return makeText(type, options, seed, nulls);
    case TypeKind::DATE: return fixedColumn<int32_t>(type, seed, nulls, date);
    case TypeKind::TIME: return fixedColumn<int32_t>(type, seed, nulls, time);
    case TypeKind::TIMESTAMP: case TypeKind::TIMESTAMP_LTZ: return makeTimestamp(type, options, seed, nulls);
    case TypeKind::ARRAY: case TypeKind::MAP: case TypeKind::MULTISET: return makeCollection(name, type, all, options, seed, nulls);
    case TypeKind::ROW: return makeRow(name, type, all, seed, nulls);
    default: return Status::notSupported("datagen for columns of type " + type.toString());
  }
}

Result<std::optional<int64_t>> datagenSequenceLength(const std::string& name, const OptionMap& options) {
  const FieldOptions field(name, options);
  if (!field.isSequence()) return std::optional<int64_t>();
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  ASSIGN_OR_RETURN(const int64_t start, field.integer("start", 0, kMin, kMax));
  ASSIGN_OR_RETURN(const int64_t end, field.integer("end", kMax, kMin, kMax));
  if (end < start) return field.bad("end", "at least the 'start' of the field");
  const int128 length = int128{end} - start + 1;
  return std::optional<int64_t>(static_cast<int64_t>(std::min(length, int128{kMax})));
}

}  // namespace thalweg::worker
