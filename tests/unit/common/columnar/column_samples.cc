#include "tests/unit/common/columnar/column_samples.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "common/columnar/builder.h"

namespace thalweg::samples {
namespace {

int64_t randomInteger(int bits, Random& random) {
  switch (random.below(8)) {
    case 0: return 0;
    case 1: return bits == 64 ? INT64_MAX : (int64_t{1} << (bits - 1)) - 1;
    case 2: return bits == 64 ? INT64_MIN : -(int64_t{1} << (bits - 1));
    case 3: return -1;
    case 4: return static_cast<int64_t>(random.below(100));
    default: return static_cast<int64_t>(random.word()) >> (64 - bits);
  }
}

double randomDouble(Random& random) {
  switch (random.below(8)) {
    case 0: return 0.0;
    case 1: return -0.0;
    case 2: return std::nan("");
    case 3: return std::numeric_limits<double>::infinity();
    case 4: return -std::numeric_limits<double>::infinity();
    default: return static_cast<double>(randomInteger(32, random)) / 7.0;
  }
}

std::string randomText(Random& random) {
  static constexpr size_t kLengths[] = {0, 1, 4, 11, 12, 13, 20, 40, 300};
  std::string text(kLengths[random.below(std::size(kLengths))], '\0');
  const bool zeros = random.chance(20);
  for (char& c : text) c = static_cast<char>(zeros ? random.below(3) : 'a' + random.below(5));
  return text;
}

int128 randomDecimal(int precision, Random& random) {
  int128 bound = 1;
  for (int i = 0; i < precision; ++i) bound *= 10;
  if (random.chance(10)) return bound - 1;
  if (random.chance(10)) return 1 - bound;
  if (random.chance(30)) return static_cast<int128>(random.below(20)) - 10;
  const auto word = static_cast<int128>(static_cast<unsigned __int128>(random.word()) << 64 | random.word());
  return word % bound;
}

TimestampValue randomTimestamp(int precision, Random& random) {
  const int64_t millis = random.chance(30) ? static_cast<int64_t>(random.below(5)) - 2
                                           : static_cast<int64_t>(random.below(4'000'000'000'000)) - 2'000'000'000'000;
  if (precision <= 3) return {millis, 0, 0};
  const auto micros = static_cast<int32_t>(random.below(1000)) * 1000;
  return {millis, precision <= 6 ? micros : micros + static_cast<int32_t>(random.below(1000)), 0};
}

std::vector<std::pair<Value, Value>> randomEntries(const DataType& key, const DataType& value, Random& random) {
  std::vector<std::pair<Value, Value>> entries;
  for (size_t i = random.below(4); i > 0; --i) {
    Value entry_key = randomValue(key, random);
    const bool known = std::any_of(entries.begin(), entries.end(), [&](const auto& e) {
      return compareValues(key, e.first, entry_key) == 0;
    });
    if (!known) entries.emplace_back(std::move(entry_key), randomValue(value, random));
  }
  return entries;
}

template <typename T>
int compareThree(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

int compareDoubles(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return static_cast<int>(std::isnan(a)) - static_cast<int>(std::isnan(b));
  return compareThree(a, b);
}

int compareSequences(const DataType& type, const std::vector<Value>& a, const std::vector<Value>& b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const DataType& child = type.kind() == TypeKind::ROW ? type.child(i) : type.child(0);
    if (const int order = compareValues(child, a[i], b[i]); order != 0) return order;
  }
  return compareThree(a.size(), b.size());
}

}  // namespace

const std::vector<DataType>& allTypes() {
  static const std::vector<DataType> kTypes = [] {
    const DataType row = DataType::row({{"a", DataType::integer()}, {"b", DataType::string()}});
    return std::vector<DataType>{
        DataType::null(), DataType::boolean(), DataType::tinyint(), DataType::smallint(), DataType::integer(),
        DataType::bigint(), DataType::bigint(false), DataType::float32(), DataType::float64(), DataType::decimal(10, 2),
        DataType::decimal(38, 9), DataType::character(5), DataType::string(), DataType::bytes(), DataType::date(),
        DataType::time(3), DataType::timestamp(3), DataType::timestamp(6), DataType::timestamp(9),
        DataType::timestampLtz(3), DataType::timestampLtz(9), DataType::intervalMonth(), DataType::intervalSecond(),
        DataType::array(DataType::bigint()), DataType::array(DataType::string()), DataType::array(row),
        DataType::array(DataType::array(DataType::null())),
        DataType::map(DataType::string(), DataType::integer()), DataType::multiset(DataType::string()), row,
        DataType::row({{"r", row}, {"m", DataType::map(DataType::bigint(), DataType::array(DataType::boolean()))},
                       {"t", DataType::timestamp(9)}})};
  }();
  return kTypes;
}

Value randomValue(const DataType& type, Random& random) {
  if (type.nullable() && random.chance(15)) return {};
  switch (type.kind()) {
    case TypeKind::NULL_TYPE: return {};
    case TypeKind::BOOLEAN: return Value::boolean(random.chance(50));
    case TypeKind::TINYINT: return Value::integer(randomInteger(8, random));
    case TypeKind::SMALLINT: return Value::integer(randomInteger(16, random));
    case TypeKind::INTEGER:
    case TypeKind::DATE:
    case TypeKind::INTERVAL_YEAR_MONTH: return Value::integer(randomInteger(32, random));
    case TypeKind::TIME: return Value::integer(static_cast<int64_t>(random.below(86'400'000)));
    case TypeKind::BIGINT:
    case TypeKind::INTERVAL_DAY_TIME: return Value::integer(randomInteger(64, random));
    case TypeKind::FLOAT: return Value::floating(static_cast<double>(static_cast<float>(randomDouble(random))));
    case TypeKind::DOUBLE: return Value::floating(randomDouble(random));
    case TypeKind::DECIMAL: return Value::decimal(randomDecimal(type.precision(), random));
    case TypeKind::TIMESTAMP:
    case TypeKind::TIMESTAMP_LTZ: return Value::timestamp(randomTimestamp(type.precision(), random));
    case TypeKind::ARRAY: return Value::list(randomValues(type.child(0), random.below(4), random));
    case TypeKind::MAP: return Value::map(randomEntries(type.child(0), type.child(1), random));
    case TypeKind::MULTISET: return Value::map(randomEntries(type.child(0), DataType::integer(false), random));
    case TypeKind::ROW: {
      std::vector<Value> fields;
      for (const Field& field : type.fields()) fields.push_back(randomValue(field.type, random));
      return Value::row(std::move(fields));
    }
    default: return Value::string(randomText(random));
  }
}

std::vector<Value> randomValues(const DataType& type, size_t size, Random& random) {
  std::vector<Value> values;
  for (size_t i = 0; i < size; ++i) values.push_back(randomValue(type, random));
  return values;
}

VectorPtr encodeRandomly(const DataType& type, const std::vector<Value>& values, Random& random) {
  const size_t size = values.size();
  switch (random.below(3)) {
    case 0: return makeVector(type, values);
    case 1: {
      const size_t before = random.below(70);
      const size_t after = random.below(70);
      std::vector<Value> longer = randomValues(type, before, random);
      longer.insert(longer.end(), values.begin(), values.end());
      for (Value& value : randomValues(type, after, random)) longer.push_back(std::move(value));
      return makeVector(type, longer)->slice(before, size);
    }
    default: break;
  }
  // Row i stands at a random place of the base; nulls may come from the dictionary alone.
  std::vector<RowIndex> indices(size);
  std::iota(indices.begin(), indices.end(), RowIndex{0});
  for (size_t i = size; i > 1; --i) std::swap(indices[i - 1], indices[random.below(i)]);
  std::vector<Value> base(size);
  std::vector<uint64_t> validity(size / 64 + 1, ~uint64_t{0});
  const DataType not_null = type.notNull();
  for (size_t i = 0; i < size; ++i) {
    base[indices[i]] = values[i];
    if (values[i].isNull() && random.chance(50)) {
      base[indices[i]] = randomValue(not_null, random);
      clearBit(validity.data(), i);
    }
  }
  const auto* words = reinterpret_cast<const uint8_t*>(validity.data());
  return Vector::dictionary(makeVector(type, base),
                            Buffer::copyOf({reinterpret_cast<const uint8_t*>(indices.data()), size * sizeof(RowIndex)}),
                            size, Buffer::copyOf({words, validity.size() * sizeof(uint64_t)}));
}

Sample randomSample(const DataType& type, size_t size, Random& random) {
  if (size > 0 && random.chance(15)) {
    const std::vector<Value> values = randomValues(type, 3, random);
    return {Vector::constant(makeVector(type, values), size), std::vector<Value>(size, values[0])};
  }
  std::vector<Value> values = randomValues(type, size, random);
  return {encodeRandomly(type, values, random), values};
}

std::vector<RowIndex> randomRows(size_t size, int percent, Random& random) {
  std::vector<RowIndex> rows;
  for (size_t i = 0; i < size; ++i) {
    if (random.chance(percent)) rows.push_back(static_cast<RowIndex>(i));
  }
  return rows;
}

std::vector<Value> valuesOf(const Vector& vector) {
  std::vector<Value> values;
  for (size_t i = 0; i < vector.size(); ++i) values.push_back(vector.valueAt(i));
  return values;
}

std::vector<Value> pick(const std::vector<Value>& values, std::span<const RowIndex> rows) {
  std::vector<Value> picked;
  for (const RowIndex row : rows) picked.push_back(values[row]);
  return picked;
}

int compareValues(const DataType& type, const Value& a, const Value& b) {
  if (a.isNull() || b.isNull()) return static_cast<int>(b.isNull()) - static_cast<int>(a.isNull());
  switch (type.kind()) {
    case TypeKind::BOOLEAN: return compareThree(a.asBool(), b.asBool());
    case TypeKind::FLOAT:
    case TypeKind::DOUBLE: return compareDoubles(a.asDouble(), b.asDouble());
    case TypeKind::DECIMAL: return compareThree(a.asDecimal(), b.asDecimal());
    case TypeKind::TIMESTAMP:
    case TypeKind::TIMESTAMP_LTZ: return compareThree(a.asTimestamp(), b.asTimestamp());
    case TypeKind::ARRAY: return compareSequences(type, a.asList(), b.asList());
    case TypeKind::ROW: return compareSequences(type, a.asRow(), b.asRow());
    case TypeKind::MAP:
    case TypeKind::MULTISET: return a == b ? 0 : 2;  // equal or not; maps have no order
    case TypeKind::CHAR:
    case TypeKind::VARCHAR:
    case TypeKind::BINARY:
    case TypeKind::VARBINARY: {
      const int order = a.asString().compare(b.asString());
      return order < 0 ? -1 : (order > 0 ? 1 : 0);
    }
    default: return compareThree(a.asInt(), b.asInt());
  }
}

}  // namespace thalweg::samples
