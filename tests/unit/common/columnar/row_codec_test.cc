#include "common/columnar/row_codec.h"

#include <cmath>

#include "tests/unit/common/columnar/column_samples.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

using samples::Random;
using samples::valuesOf;

/// Columns of random types with rows drawn from few values, so that equal rows occur.
struct SampleRows {
  std::vector<DataType> types;
  std::vector<VectorPtr> vectors;
  std::vector<std::vector<Value>> values;
  size_t rows = 0;
};

SampleRows randomRows(Random& random) {
  const std::vector<DataType>& all = samples::allTypes();
  SampleRows sample;
  sample.rows = random.below(25);
  for (size_t c = random.below(11); c > 0; --c) {
    sample.types.push_back(all[random.below(all.size())]);
    const std::vector<Value> few = samples::randomValues(sample.types.back(), 2, random);
    sample.values.emplace_back();
    for (size_t i = 0; i < sample.rows; ++i) sample.values.back().push_back(few[random.below(few.size())]);
    sample.vectors.push_back(samples::encodeRandomly(sample.types.back(), sample.values.back(), random));
  }
  return sample;
}

std::vector<std::string_view> rowViews(const std::string& arena, const std::vector<size_t>& ends, size_t begin) {
  std::vector<std::string_view> rows;
  for (const size_t end : ends) {
    rows.push_back(std::string_view(arena).substr(begin, end - begin));
    begin = end;
  }
  return rows;
}

TEST_CASE("rows of every type come back from their bytes") {
  Random random(1);
  for (int round = 0; round < 400; ++round) {
    const SampleRows sample = randomRows(random);
    const RowCodec codec(sample.types);
    std::string arena = "before";
    std::vector<size_t> ends;
    codec.encode(sample.vectors, sample.rows, arena, ends);
    REQUIRE(ends.size() == sample.rows);
    const std::vector<std::string_view> rows = rowViews(arena, ends, 6);
    const std::vector<VectorPtr> all = codec.decodeAll(rows);
    std::vector<std::unique_ptr<ColumnBuilder>> builders;
    for (const DataType& type : sample.types) builders.push_back(ColumnBuilder::make(type, 0));
    std::string single;
    for (size_t i = 0; i < sample.rows; ++i) {
      REQUIRE(codec.validate(rows[i]));
      codec.encodeRow(sample.vectors, i, single);
      REQUIRE(single == rows[i]);
      codec.decode(rows[i], builders);
    }
    for (size_t c = 0; c < sample.types.size(); ++c) {
      INFO(sample.types[c].toString());
      REQUIRE(valuesOf(*all[c]) == sample.values[c]);
      REQUIRE(valuesOf(*builders[c]->finish()) == sample.values[c]);
    }
  }
}

TEST_CASE("equal rows have equal bytes, other rows other bytes") {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const SampleRows sample = randomRows(random);
    const RowCodec codec(sample.types);
    std::string arena;
    std::vector<size_t> ends;
    codec.encode(sample.vectors, sample.rows, arena, ends);
    const std::vector<std::string_view> rows = rowViews(arena, ends, 0);
    for (size_t i = 0; i < sample.rows; ++i) {
      for (size_t j = 0; j < sample.rows; ++j) {
        bool equal = true;
        for (size_t c = 0; c < sample.types.size(); ++c) {
          equal = equal && sample.values[c][i] == sample.values[c][j];
        }
        if (rows[i] == rows[j]) REQUIRE(equal);
        // 0.0 and -0.0 are equal values of different bytes, so only rows without them are asked.
        bool has_zero = false;
        for (const DataType& type : sample.types) has_zero = has_zero || type.isApproximateNumeric();
        if (equal && !has_zero) REQUIRE(rows[i] == rows[j]);
      }
    }
  }
}

TEST_CASE("all NaN have one form, zeros keep their sign") {
  const RowCodec codec({DataType::float64()});
  std::string quiet;
  std::string negative;
  const std::vector<Value> values = {Value::floating(std::nan("1")), Value::floating(-std::nan("2")), Value::floating(-0.0)};
  const std::vector<VectorPtr> columns = {makeVector(DataType::float64(), values)};
  codec.encodeRow(columns, 0, quiet);
  codec.encodeRow(columns, 1, negative);
  REQUIRE(quiet == negative);
  codec.encodeRow(columns, 2, negative);
  const std::string_view view = negative;
  REQUIRE(std::signbit(codec.decodeAll({&view, 1})[0]->valueAt(0).asDouble()));
}

TEST_CASE("multisets have one form in whatever order they were put together") {
  const DataType type = DataType::multiset(DataType::string());
  const std::pair<Value, Value> a{Value::string("a"), Value::integer(1)};
  const std::pair<Value, Value> b{Value(), Value::integer(2)};
  const std::vector<VectorPtr> columns = {makeVector(type, std::vector<Value>{Value::map({a, b}), Value::map({b, a})})};
  const RowCodec codec({type});
  std::string first;
  std::string second;
  codec.encodeRow(columns, 0, first);
  codec.encodeRow(columns, 1, second);
  REQUIRE(first == second);
}

TEST_CASE("absent fields are NULL in the bytes") {
  const DataType type = DataType::row({{"a", DataType::bigint()}, {"b", DataType::string()}});
  const VectorPtr child = makeVector(DataType::bigint(), std::vector<Value>{Value::integer(7)});
  const std::vector<VectorPtr> columns = {Vector::flat({.type = type, .size = 1, .children = {child, nullptr}})};
  const RowCodec codec({type});
  std::string bytes;
  codec.encodeRow(columns, 0, bytes);
  const std::string_view view = bytes;
  REQUIRE(codec.decodeAll({&view, 1})[0]->valueAt(0) == Value::row({Value::integer(7), Value()}));
}

TEST_CASE("the format of rows is the documented one") {
  const RowCodec codec({DataType::integer(), DataType::string(), DataType::bigint(), DataType::string()});
  const std::vector<VectorPtr> columns = {
      makeVector(DataType::integer(), std::vector<Value>{Value::integer(258)}),
      makeVector(DataType::string(), std::vector<Value>{Value::string("abc")}),
      makeVector(DataType::bigint(), std::vector<Value>{Value()}),
      makeVector(DataType::string(), std::vector<Value>{Value::string("de")})};
  std::string bytes;
  codec.encodeRow(columns, 0, bytes);
  const std::string expected("\x04" "\x02\x01\0\0" "\x03\0\0\0" "\0\0\0\0\0\0\0\0" "\x05\0\0\0" "abcde", 26);
  REQUIRE(bytes == expected);
}

TEST_CASE("validation refuses damaged rows and never reads past them") {
  Random random(3);
  size_t refused = 0;
  for (int round = 0; round < 3000; ++round) {
    SampleRows sample = randomRows(random);
    if (sample.rows == 0 || sample.types.empty()) continue;
    const RowCodec codec(sample.types);
    std::string bytes;
    codec.encodeRow(sample.vectors, 0, bytes);
    REQUIRE_FALSE(codec.validate(bytes + "x"));
    REQUIRE_FALSE(codec.validate(std::string_view(bytes).substr(0, bytes.size() - 1)));
    for (int i = 0; i < 3; ++i) bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    if (!codec.validate(bytes)) {
      ++refused;
      continue;
    }
    const std::string_view view = bytes;
    for (const VectorPtr& column : codec.decodeAll({&view, 1})) (void)valuesOf(*column);
  }
  REQUIRE(refused > 100);
}

}  // namespace
}  // namespace thalweg
