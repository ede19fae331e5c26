#include "common/columnar/builder.h"


#include "tests/unit/common/columnar/column_samples.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

using samples::Random;
using samples::Sample;
using samples::valuesOf;

TEST_CASE("a flat builder writes values and nulls by position") {
  FlatBuilder<int32_t> builder(DataType::integer(), 70);
  for (size_t i = 0; i < 70; ++i) {
    if (i % 3 == 0) builder.setNull(i);
    else builder.set(i, static_cast<int32_t>(i));
  }
  const VectorPtr vector = builder.finish();
  for (size_t i = 0; i < 70; ++i) {
    REQUIRE(vector->valueAt(i) == (i % 3 == 0 ? Value() : Value::integer(static_cast<int64_t>(i))));
  }
}

TEST_CASE("nulls set after a shared validity add to it") {
  FlatBuilder<bool> first(DataType::boolean(), 3);
  for (size_t i = 0; i < 3; ++i) first.set(i, true);
  first.setNull(0);
  const VectorPtr source = first.finish();
  FlatBuilder<bool> second(DataType::boolean(), 3);
  for (size_t i = 0; i < 3; ++i) second.set(i, true);
  second.shareValidity(rowValidity(*source));
  second.setNull(2);
  REQUIRE(valuesOf(*second.finish()) == std::vector<Value>{Value(), Value::boolean(true), Value()});
  REQUIRE(valuesOf(*source) == std::vector<Value>{Value(), Value::boolean(true), Value::boolean(true)});
}

TEST_CASE("a string builder copies, writes in place, and shares parts of its input") {
  const std::string text = "a text that is longer than twelve bytes";
  const VectorPtr source = makeVector(DataType::string(), std::vector<Value>{Value(), Value::string(text)});
  StringBuilder builder(DataType::string(), 0);
  builder.append("an own text that is long enough");
  const size_t token = builder.adopt(*source);
  REQUIRE(builder.adopt(*Vector::constant(source->slice(1, 1), 4)) == token);
  const StringRef& ref = source->data<StringRef>()[1];
  const std::string_view view = ref.view(source->stringBases());
  builder.appendShared(view.substr(2), ref, token);
  builder.appendShared(view.substr(2, 4), ref, token);
  builder.appendNull();
  std::memcpy(builder.reserve(100), text.data(), text.size());
  builder.commit(text.size());
  std::memcpy(builder.reserve(100), "short", 5);
  builder.commit(5);
  builder.append("");
  const VectorPtr result = builder.finish();
  REQUIRE(valuesOf(*result) == std::vector<Value>{Value::string("an own text that is long enough"),
                                                  Value::string(text.substr(2)), Value::string("text"), Value(),
                                                  Value::string(text), Value::string("short"), Value::string("")});
  const StringRef& shared = result->data<StringRef>()[1];
  REQUIRE(shared.view(result->stringBases()).data() == view.data() + 2);
}

TEST_CASE("strings are equal by bytes whichever buffers they stand in") {
  Random random(1);
  const Sample left = samples::randomSample(DataType::string(false), 60, random);
  const VectorPtr a = left.vector->compact();
  const VectorPtr b = left.vector->flatten();
  for (size_t i = 0; i < a->size(); ++i) {
    for (size_t j = 0; j < b->size(); ++j) {
      REQUIRE(equalStrings(a->data<StringRef>()[i], a->stringBases(), b->data<StringRef>()[j], b->stringBases()) ==
              (left.values[i] == left.values[j]));
    }
  }
}

TEST_CASE("column builders append values, rows, ranges and nulls of every type") {
  Random random(2);
  for (const DataType& type : samples::allTypes()) {
    INFO(type.toString());
    for (int round = 0; round < 20; ++round) {
      auto builder = ColumnBuilder::make(type, random.below(100));
      std::vector<Value> expected;
      for (size_t step = random.below(12); step > 0; --step) {
        const Sample sample = samples::randomSample(type, 1 + random.below(90), random);
        const size_t row = random.below(sample.values.size());
        switch (random.below(6)) {
          case 0:
            builder->appendNulls(row);
            expected.resize(expected.size() + row);
            break;
          case 1:
            builder->appendValue(sample.values[row]);
            expected.push_back(sample.values[row]);
            break;
          case 2:
            builder->appendRow(*sample.vector, row);
            expected.push_back(sample.values[row]);
            break;
          case 3: {
            const std::vector<RowIndex> rows = samples::randomRows(sample.values.size(), 50, random);
            builder->appendRows(*sample.vector, rows);
            for (Value& value : samples::pick(sample.values, rows)) expected.push_back(std::move(value));
            break;
          }
          case 4:
            builder->appendRange(*sample.vector, row, sample.values.size() - row);
            expected.insert(expected.end(), sample.values.begin() + static_cast<ptrdiff_t>(row), sample.values.end());
            break;
          default:
            builder->appendAll(*Vector::nulls(DataType::null(), row));
            expected.resize(expected.size() + row);
        }
        REQUIRE(builder->size() == expected.size());
      }
      const VectorPtr result = builder->finish();
      REQUIRE(result->type() == type);
      REQUIRE(valuesOf(*result) == expected);
    }
  }
}

TEST_CASE("a bitmap exists only after a null") {
  Random random(3);
  auto builder = ColumnBuilder::make(DataType::bigint(), 0);
  builder->appendAll(*makeVector(DataType::bigint(), std::vector<Value>(100, Value::integer(1))));
  REQUIRE_FALSE(builder->finish()->mayHaveNulls());
}

}  // namespace
}  // namespace thalweg
