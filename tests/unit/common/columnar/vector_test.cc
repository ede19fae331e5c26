#include "common/columnar/vector.h"


#include "tests/unit/common/columnar/column_samples.h"
#include "common/columnar/builder.h"
#include "common/columnar/column_reader.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

using samples::Random;
using samples::Sample;
using samples::valuesOf;

constexpr size_t kRounds = 12;

BufferPtr indexBuffer(const std::vector<RowIndex>& indices) {
  return Buffer::copyOf({reinterpret_cast<const uint8_t*>(indices.data()), indices.size() * sizeof(RowIndex)});
}

std::vector<RowIndex> anyRows(size_t below, size_t count, Random& random) {
  std::vector<RowIndex> rows(count);
  for (RowIndex& row : rows) row = static_cast<RowIndex>(random.below(below));
  return rows;
}

// Calls check(type, sample, random) with columns of every type and encoding.
template <typename Check>
void forSamples(uint64_t seed, Check&& check) {
  Random random(seed);
  for (const DataType& type : samples::allTypes()) {
    INFO(type.toString());
    for (size_t round = 0; round < kRounds; ++round) {
      const Sample sample = samples::randomSample(type, 1 + random.below(150), random);
      REQUIRE(valuesOf(*sample.vector) == sample.values);
      check(type, sample, random);
    }
  }
}

TEST_CASE("slices hold the rows in range") {
  forSamples(1, [](const DataType&, const Sample& sample, Random& random) {
    const size_t offset = random.below(sample.values.size() + 1);
    const size_t length = random.below(sample.values.size() - offset + 1);
    const VectorPtr slice = sample.vector->slice(offset, length);
    const auto begin = sample.values.begin() + static_cast<ptrdiff_t>(offset);
    REQUIRE(slice->size() == length);
    REQUIRE(valuesOf(*slice) == std::vector<Value>(begin, begin + static_cast<ptrdiff_t>(length)));
    if (length == 0) return;
    REQUIRE(valuesOf(*slice->slice(length / 2, length - length / 2)) ==
            std::vector<Value>(begin + static_cast<ptrdiff_t>(length / 2), begin + static_cast<ptrdiff_t>(length)));
  });
}

TEST_CASE("flatten and compact keep the rows") {
  forSamples(2, [](const DataType&, const Sample& sample, Random&) {
    const VectorPtr flat = sample.vector->flatten();
    REQUIRE(flat->isFlat());
    REQUIRE(valuesOf(*flat) == sample.values);
    const VectorPtr compact = sample.vector->compact();
    REQUIRE(compact->isFlat());
    REQUIRE(valuesOf(*compact) == sample.values);
  });
}

TEST_CASE("gather takes any rows in any order") {
  forSamples(3, [](const DataType&, const Sample& sample, Random& random) {
    const std::vector<RowIndex> rows = anyRows(sample.values.size(), random.below(100), random);
    const VectorPtr gathered = gather(*sample.vector, rows);
    REQUIRE(gathered->isFlat());
    REQUIRE(valuesOf(*gathered) == samples::pick(sample.values, rows));
  });
}

TEST_CASE("dictionaries over any encoding are one level deep") {
  forSamples(4, [](const DataType&, const Sample& sample, Random& random) {
    const std::vector<RowIndex> rows = anyRows(sample.values.size(), 1 + random.below(100), random);
    std::vector<Value> expected = samples::pick(sample.values, rows);
    BufferPtr validity;
    if (random.chance(50)) {
      MutableBufferPtr bits = Buffer::allocateZeroed(bitmapBytes(rows.size()));
      for (size_t i = 0; i < rows.size(); ++i) {
        if (random.chance(70)) setBit(bits->mutableAs<uint64_t>(), i);
        else expected[i] = Value();
      }
      validity = bits;
    }
    const VectorPtr dictionary = Vector::dictionary(sample.vector, indexBuffer(rows), rows.size(), validity);
    REQUIRE((dictionary->isFlat() || dictionary->base()->isFlat()));
    REQUIRE(valuesOf(*dictionary) == expected);
    REQUIRE(valuesOf(*dictionary->compact()) == expected);
    REQUIRE(valuesOf(*dictionary->flatten()) == expected);
  });
}

TEST_CASE("constants repeat their first row") {
  forSamples(5, [](const DataType& type, const Sample& sample, Random& random) {
    const size_t size = random.below(20);
    const std::vector<Value> expected(size, sample.values[0]);
    REQUIRE(valuesOf(*Vector::constant(sample.vector, size)) == expected);
    REQUIRE(valuesOf(*Vector::constant(type, sample.values[0], size)) == expected);
    REQUIRE(valuesOf(*Vector::nulls(type, size)) == std::vector<Value>(size));
  });
}

TEST_CASE("concat joins columns of any encoding") {
  Random random(6);
  for (const DataType& type : samples::allTypes()) {
    INFO(type.toString());
    for (size_t round = 0; round < kRounds; ++round) {
      std::vector<VectorPtr> parts;
      std::vector<Value> expected;
      for (size_t i = random.below(5); i > 0; --i) {
        const Sample sample = samples::randomSample(type, random.below(80), random);
        parts.push_back(sample.vector);
        expected.insert(expected.end(), sample.values.begin(), sample.values.end());
      }
      const VectorPtr joined = concat(type, parts);
      REQUIRE(joined->isFlat());
      REQUIRE(valuesOf(*joined) == expected);
    }
  }
}

TEST_CASE("validity of rows agrees with their values") {
  forSamples(7, [](const DataType&, const Sample& sample, Random&) {
    const BufferPtr validity = rowValidity(*sample.vector);
    for (size_t i = 0; i < sample.values.size(); ++i) {
      REQUIRE(sample.vector->isNull(i) == sample.values[i].isNull());
      REQUIRE((validity != nullptr && !bitIsSet(validity->as<uint64_t>(), i)) == sample.values[i].isNull());
      if (sample.values[i].isNull()) REQUIRE(sample.vector->mayHaveNulls());
    }
  });
}

TEST_CASE("strings of null rows are empty in flat vectors") {
  forSamples(8, [](const DataType& type, const Sample& sample, Random& random) {
    if (type.physicalType() != PhysicalType::STRING) return;
    const std::vector<RowIndex> rows = samples::randomRows(sample.values.size(), 60, random);
    for (const VectorPtr& flat : {sample.vector->flatten(), sample.vector->compact(), gather(*sample.vector, rows)}) {
      for (size_t i = 0; i < flat->size(); ++i) {
        if (flat->isNull(i)) REQUIRE(flat->data<StringRef>()[i].length == 0);
      }
    }
  });
}

TEST_CASE("a field of a row column is NULL where the row is") {
  forSamples(9, [](const DataType& type, const Sample& sample, Random&) {
    if (type.kind() != TypeKind::ROW) return;
    for (size_t f = 0; f < type.childCount(); ++f) {
      const VectorPtr field = rowField(*sample.vector, f);
      REQUIRE(field->size() == sample.values.size());
      for (size_t i = 0; i < sample.values.size(); ++i) {
        REQUIRE(field->valueAt(i) == (sample.values[i].isNull() ? Value() : sample.values[i].asRow()[f]));
      }
    }
  });
}

TEST_CASE("fields of any encoding take the nulls of their row") {
  Random random(10);
  const DataType type = DataType::row({{"s", DataType::string()}, {"n", DataType::bigint()}});
  for (size_t round = 0; round < 50; ++round) {
    const size_t size = 1 + random.below(80);
    const Sample text = samples::randomSample(DataType::string(), size, random);
    const Sample number = samples::randomSample(DataType::bigint(), size, random);
    MutableBufferPtr validity = Buffer::allocateZeroed(bitmapBytes(size));
    for (size_t i = 0; i < size; ++i) {
      if (random.chance(70)) setBit(validity->mutableAs<uint64_t>(), i);
    }
    const VectorPtr rows =
        Vector::flat({.type = type, .size = size, .validity = validity, .children = {text.vector, number.vector}});
    for (size_t i = 0; i < size; ++i) {
      const bool valid = bitIsSet(validity->as<uint64_t>(), i);
      REQUIRE(rowField(*rows, 0)->valueAt(i) == (valid ? text.values[i] : Value()));
      REQUIRE(rowField(*rows, 1)->valueAt(i) == (valid ? number.values[i] : Value()));
      REQUIRE(rows->compact()->valueAt(i) == rows->valueAt(i));
    }
  }
}

TEST_CASE("absent fields survive every operation") {
  const DataType type = DataType::row({{"a", DataType::bigint()}, {"b", DataType::string()}});
  const std::vector<Value> numbers = {Value::integer(1), Value::integer(2), Value::integer(3)};
  const VectorPtr rows =
      Vector::flat({.type = type, .size = 3, .children = {makeVector(DataType::bigint(), numbers), nullptr}});
  const std::vector<RowIndex> picked = {2, 0};
  const VectorPtr dictionary = Vector::dictionary(rows, indexBuffer(picked), 2);
  const std::vector<VectorPtr> parts = {rows, dictionary};
  for (const VectorPtr& result : {rows->slice(1, 2), dictionary->flatten(), rows->compact(), gather(*rows, picked),
                                  concat(type, parts), rows->withType(type.notNull())}) {
    REQUIRE(result->child(1) == nullptr);
    REQUIRE(result->valueAt(0).asRow()[1].isNull());
    REQUIRE(rowField(*result, 1) == nullptr);
  }
  REQUIRE(rowField(*dictionary, 1) == nullptr);
  REQUIRE(dictionary->valueAt(0) == Value::row({Value::integer(3), Value()}));
  REQUIRE(rows->retainedBytes() == 3 * sizeof(int64_t));
}

TEST_CASE("withType renames without touching the rows") {
  const DataType before = DataType::row({{"a", DataType::integer()}});
  const DataType after = DataType::row({{"b", DataType::date(false)}}, false);
  const VectorPtr rows = makeVector(before, std::vector<Value>{Value::row({Value::integer(7)})});
  const VectorPtr renamed = Vector::constant(rows, 5)->withType(after);
  REQUIRE(renamed->type() == after);
  REQUIRE(renamed->base()->child(0)->type() == DataType::date(false));
  REQUIRE(renamed->valueAt(4) == Value::row({Value::integer(7)}));
  REQUIRE(valuesOf(*Vector::nulls(DataType::null(), 2)->withType(DataType::bigint())) == std::vector<Value>(2));
}

TEST_CASE("compact lets go of the text it does not hold") {
  const std::string text(1000, 'x');
  const std::vector<Value> values(100, Value::string(text));
  const VectorPtr whole = makeVector(DataType::string(), values);
  const VectorPtr slice = whole->slice(10, 1);
  REQUIRE(slice->retainedBytes() > 100 * text.size());
  REQUIRE(slice->compact()->retainedBytes() == text.size() + sizeof(StringRef));
  REQUIRE(slice->compact()->valueAt(0) == values[0]);
}

TEST_CASE("buffers held twice count once") {
  const VectorPtr base = makeVector(DataType::bigint(), std::vector<Value>(64, Value::integer(1)));
  const DataType type = DataType::row({{"a", DataType::bigint()}, {"b", DataType::bigint()}});
  const VectorPtr rows = Vector::flat({.type = type, .size = 64, .children = {base, base}});
  REQUIRE(rows->retainedBytes() == 64 * sizeof(int64_t));
}

TEST_CASE("readers see the same rows in every encoding") {
  Random random(11);
  for (size_t round = 0; round < 100; ++round) {
    const Sample numbers = samples::randomSample(DataType::bigint(), 1 + random.below(100), random);
    const ColumnReader<int64_t> reader(*numbers.vector);
    for (size_t i = 0; i < numbers.values.size(); ++i) {
      REQUIRE(reader.isNull(i) == numbers.values[i].isNull());
      if (!reader.isNull(i)) REQUIRE(reader[i] == numbers.values[i].asInt());
    }
    for (const int precision : {0, 3, 6, 9}) {
      const Sample times = samples::randomSample(DataType::timestamp(precision), 20, random);
      const TimestampReader time_reader(*times.vector);
      for (size_t i = 0; i < times.values.size(); ++i) {
        if (times.values[i].isNull()) continue;
        REQUIRE(time_reader[i] == times.values[i].asTimestamp());
        REQUIRE(time_reader.millis(i) == times.values[i].asTimestamp().millis);
      }
    }
  }
}

}  // namespace
}  // namespace thalweg
