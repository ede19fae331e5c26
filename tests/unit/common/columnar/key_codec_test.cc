#include "common/columnar/key_codec.h"

#include <algorithm>

#include "tests/unit/common/columnar/column_samples.h"
#include "common/base/hash.h"
#include "common/columnar/builder.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

using samples::Random;
using samples::Sample;

bool isMap(const DataType& type) { return type.kind() == TypeKind::MAP || type.kind() == TypeKind::MULTISET; }

bool hasMap(const DataType& type) {
  if (isMap(type)) return true;
  for (size_t i = 0; i < type.childCount(); ++i) {
    if (hasMap(type.child(i))) return true;
  }
  return false;
}

// The key bytes of every row, words as their big-endian bytes.
std::vector<std::string> keyBytes(const KeyBatch& keys) {
  std::vector<std::string> bytes;
  for (size_t i = 0; i < keys.size; ++i) {
    char buffer[8];
    bytes.emplace_back(keys.fixed ? storeKeyWord(keys.words[i], buffer) : keys.bytes[i]);
  }
  return bytes;
}

// -0.0 comes back from keys as 0.0, maps in another order: equal as keys.
void requireSameKeys(const DataType& type, const Vector& decoded, const std::vector<Value>& values) {
  REQUIRE(decoded.size() == values.size());
  for (size_t i = 0; i < values.size(); ++i) REQUIRE(samples::compareValues(type, decoded.valueAt(i), values[i]) == 0);
}

int signOf(int order) { return order < 0 ? -1 : (order > 0 ? 1 : 0); }

TEST_CASE("single keys of every type sort, compare and hash like their values") {
  Random random(1);
  for (const DataType& type : samples::allTypes()) {
    INFO(type.toString());
    KeyEncoder encoder({1}, {DataType::bigint(), type});
    for (int round = 0; round < 6; ++round) {
      const Sample sample = samples::randomSample(type, 1 + random.below(60), random);
      const size_t rows = sample.values.size();
      const Batch batch(rows, {Vector::nulls(DataType::bigint(), rows), sample.vector});
      const KeyBatch& keys = encoder.encode(batch);
      REQUIRE(keys.size == rows);
      const std::vector<std::string> bytes = keyBytes(keys);
      for (size_t i = 0; i < rows; ++i) {
        REQUIRE(keys.hashes[i] == hashBytes(bytes[i]));
        REQUIRE(encoder.hasNull(i) == sample.values[i].isNull());
        for (size_t j = 0; j < rows; ++j) {
          const int order = samples::compareValues(type, sample.values[i], sample.values[j]);
          REQUIRE((bytes[i] == bytes[j]) == (order == 0));
          if (!hasMap(type)) REQUIRE(signOf(bytes[i].compare(bytes[j])) == order);
          if (keys.has_words && !encoder.hasNull(i) && !encoder.hasNull(j)) {
            REQUIRE((keys.words[i] < keys.words[j]) == (order < 0));
          }
        }
      }
      std::vector<VectorPtr> decoded;
      const std::vector<std::string_view> views(bytes.begin(), bytes.end());
      REQUIRE(decodeKeys(views, {type}, decoded).isOk());
      requireSameKeys(type, *decoded[0], sample.values);
      if (keys.fixed) requireSameKeys(type, *decodeKeyWords(keys.words, type), sample.values);
    }
  }
}

TEST_CASE("keys of several columns sort by the first that differs") {
  Random random(2);
  const std::vector<DataType>& all = samples::allTypes();
  for (int round = 0; round < 300; ++round) {
    std::vector<DataType> types;
    std::vector<int> columns;
    std::vector<VectorPtr> vectors;
    std::vector<std::vector<Value>> values;
    const size_t rows = 1 + random.below(25);
    for (size_t c = 0; c < 2 + random.below(3); ++c) {
      types.push_back(all[random.below(all.size())]);
      columns.push_back(static_cast<int>(c));
      const std::vector<Value> few = samples::randomValues(types.back(), 3, random);
      values.emplace_back();
      for (size_t i = 0; i < rows; ++i) values.back().push_back(few[random.below(few.size())]);
      vectors.push_back(samples::encodeRandomly(types.back(), values.back(), random));
    }
    KeyEncoder encoder(columns, types);
    const KeyBatch& keys = encoder.encode(Batch(rows, vectors));
    REQUIRE_FALSE(keys.fixed);
    for (size_t i = 0; i < rows; ++i) {
      REQUIRE(keys.hashes[i] == hashBytes(keys.bytes[i]));
      for (size_t j = 0; j < rows; ++j) {
        int order = 0;
        bool ordered = true;
        bool null = false;
        for (size_t c = 0; c < types.size(); ++c) {
          null = null || values[c][i].isNull();
          if (order == 0) order = samples::compareValues(types[c], values[c][i], values[c][j]);
          ordered = ordered && !hasMap(types[c]);
        }
        REQUIRE(encoder.hasNull(i) == null);
        REQUIRE((keys.bytes[i] == keys.bytes[j]) == (order == 0));
        if (ordered) REQUIRE(signOf(keys.bytes[i].compare(keys.bytes[j])) == order);
      }
    }
    std::vector<VectorPtr> decoded;
    REQUIRE(decodeKeys(keys.bytes, types, decoded).isOk());
    for (size_t c = 0; c < types.size(); ++c) requireSameKeys(types[c], *decoded[c], values[c]);
  }
}

TEST_CASE("the same key has the same bytes whether its column may be NULL or not") {
  Random random(3);
  for (const DataType& type : samples::allTypes()) {
    if (type.isNull()) continue;
    INFO(type.toString());
    const Sample sample = samples::randomSample(type.notNull(), 20, random);
    const Batch batch(20, {sample.vector, sample.vector});
    for (const std::vector<int>& columns : {std::vector<int>{0}, std::vector<int>{0, 1}}) {
      KeyEncoder strict(columns, {type.notNull(), type.notNull()});
      KeyEncoder lax(columns, {type.asNullable(), type.asNullable()});
      const KeyBatch& strict_keys = strict.encode(batch);
      const KeyBatch& lax_keys = lax.encode(batch);
      REQUIRE(keyBytes(strict_keys) == keyBytes(lax_keys));
      REQUIRE(strict_keys.hashes == lax_keys.hashes);
      REQUIRE(strict_keys.words == lax_keys.words);
    }
  }
}

TEST_CASE("a single not null key of at most 8 bytes is a word with the hash of its big-endian bytes") {
  KeyEncoder encoder({0}, {DataType::bigint(false)});
  REQUIRE(encoder.isFixed());
  const std::vector<Value> values = {Value::integer(-1), Value::integer(0), Value::integer(INT64_MAX)};
  const KeyBatch& keys = encoder.encode(Batch(3, {makeVector(DataType::bigint(false), values)}));
  REQUIRE(keys.words == std::vector<uint64_t>{0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff});
  REQUIRE(keys.hashes[0] == hashBytes(std::string_view("\x7f\xff\xff\xff\xff\xff\xff\xff", 8)));
  REQUIRE(KeyEncoder({0}, {DataType::decimal(18, 2, false)}).isFixed());
  REQUIRE(KeyEncoder({0}, {DataType::timestamp(6, false)}).isFixed());
  REQUIRE(KeyEncoder({0}, {DataType::date(true)}).isFixed());
  REQUIRE_FALSE(KeyEncoder({0}, {DataType::bigint(true)}).isFixed());
  REQUIRE(KeyEncoder({0}, {DataType::bigint(true)}).hasWords());
  REQUIRE_FALSE(KeyEncoder({0}, {DataType::timestamp(9, false)}).hasWords());
}

TEST_CASE("the format of keys is the documented one") {
  const std::vector<DataType> types = {DataType::smallint(), DataType::string(), DataType::float64(),
                                       DataType::array(DataType::boolean()), DataType::timestamp(9), DataType::string()};
  const std::vector<Value> row = {Value::integer(-2),
                                  Value::string(std::string("a\0", 2)),
                                  Value::floating(-1.0),
                                  Value::list({Value::boolean(true), Value()}),
                                  Value::timestamp({1, 258, 0}),
                                  Value::string("\x01z")};
  std::vector<VectorPtr> columns;
  for (size_t c = 0; c < types.size(); ++c) columns.push_back(makeVector(types[c], {&row[c], 1}));
  KeyEncoder encoder({0, 1, 2, 3, 4, 5}, types);
  const std::string expected(
      "\x01\x7f\xfe"
      "\x01" "a\0\xff\0\0"
      "\x01\x40\x0f\xff\xff\xff\xff\xff\xff"
      "\x01" "\x01\x01\x01" "\x01\0" "\0"
      "\x01\x80\0\0\0\0\0\0\x01\0\0\x01\x02"
      "\x01\x01z", 3 + 6 + 9 + 7 + 13 + 3);
  REQUIRE(encoder.encode(Batch(1, columns)).bytes[0] == expected);
  KeyEncoder narrow({0}, types);
  REQUIRE(narrow.encode(Batch(1, columns)).words[0] == 0x1'7fff'fffe);
}

TEST_CASE("CHAR and VARCHAR have the same keys") {
  const std::vector<Value> values = {Value::string("ab"), Value::string("a text of more than twelve bytes")};
  KeyEncoder fixed_length({0}, {DataType::character(2)});
  KeyEncoder any_length({0}, {DataType::string()});
  const Batch left(2, {makeVector(DataType::character(2), values)});
  const Batch right(2, {makeVector(DataType::string(), values)});
  REQUIRE(fixed_length.encode(left).hashes == any_length.encode(right).hashes);
}

TEST_CASE("maps are one key in whatever order they were put together") {
  const DataType type = DataType::map(DataType::string(), DataType::integer());
  const std::pair<Value, Value> a{Value::string("a"), Value::integer(1)};
  const std::pair<Value, Value> b{Value::string("b"), Value()};
  KeyEncoder encoder({0}, {type});
  const KeyBatch& keys = encoder.encode(Batch(2, {makeVector(type, std::vector<Value>{Value::map({a, b}), Value::map({b, a})})}));
  REQUIRE(keys.bytes[0] == keys.bytes[1]);
}

TEST_CASE("no key columns make one empty key") {
  KeyEncoder encoder({}, {DataType::bigint()});
  const KeyBatch& keys = encoder.encode(Batch(3, {Vector::nulls(DataType::bigint(), 3)}));
  REQUIRE(keys.size == 3);
  for (size_t i = 0; i < 3; ++i) {
    REQUIRE(keys.bytes[i].empty());
    REQUIRE(keys.hashes[i] == hashBytes(""));
  }
  REQUIRE(encoder.encode(Batch::watermark(1)).size == 0);
}

TEST_CASE("sort keys order rows by direction and place of NULLs") {
  Random random(4);
  std::vector<DataType> ordered;
  std::copy_if(samples::allTypes().begin(), samples::allTypes().end(), std::back_inserter(ordered),
               [](const DataType& type) { return !hasMap(type); });
  for (int round = 0; round < 300; ++round) {
    std::vector<DataType> types;
    std::vector<SortKey> sort_keys;
    std::vector<VectorPtr> vectors;
    std::vector<std::vector<Value>> values;
    const size_t rows = 1 + random.below(25);
    for (size_t c = 0; c < 1 + random.below(3); ++c) {
      types.push_back(ordered[random.below(ordered.size())]);
      sort_keys.push_back({static_cast<int>(c), random.chance(50) ? SortDirection::ASCENDING : SortDirection::DESCENDING,
                           random.chance(50) ? NullOrder::FIRST : NullOrder::LAST});
      const std::vector<Value> few = samples::randomValues(types.back(), 4, random);
      values.emplace_back();
      for (size_t i = 0; i < rows; ++i) values.back().push_back(few[random.below(few.size())]);
      vectors.push_back(samples::encodeRandomly(types.back(), values.back(), random));
    }
    SortKeyEncoder encoder(sort_keys, types);
    const std::span<const std::string_view> bytes = encoder.encode(Batch(rows, vectors));
    REQUIRE(bytes.size() == rows);
    const auto compare = [&](size_t i, size_t j) {
      for (size_t c = 0; c < types.size(); ++c) {
        const Value& a = values[c][i];
        const Value& b = values[c][j];
        int order = samples::compareValues(types[c], a, b);
        if (a.isNull() || b.isNull()) order *= sort_keys[c].nulls == NullOrder::FIRST ? 1 : -1;
        else order *= sort_keys[c].direction == SortDirection::ASCENDING ? 1 : -1;
        if (order != 0) return order;
      }
      return 0;
    };
    for (size_t i = 0; i < rows; ++i) {
      for (size_t j = 0; j < rows; ++j) REQUIRE(signOf(bytes[i].compare(bytes[j])) == compare(i, j));
    }
  }
}

TEST_CASE("bytes that are not keys are refused") {
  std::vector<VectorPtr> columns;
  const std::string_view bad[] = {"\x05 what"};
  for (const DataType& type : samples::allTypes()) {
    INFO(type.toString());
    REQUIRE_FALSE(decodeKeys(bad, {type, DataType::bigint()}, columns).isOk());
    REQUIRE(columns.empty());
  }
  REQUIRE_FALSE(decodeKeys(bad, {DataType::bigint()}, columns).isOk());
  Random random(5);
  for (int round = 0; round < 20000; ++round) {
    const std::vector<DataType> types = {samples::allTypes()[random.below(samples::allTypes().size())],
                                         samples::allTypes()[random.below(samples::allTypes().size())]};
    std::string noise(random.below(40), '\0');
    for (char& c : noise) c = static_cast<char>(random.chance(70) ? random.below(3) : random.below(256));
    const std::string_view view = noise;
    (void)decodeKeys({&view, 1}, types, columns).isOk();
  }
}

}  // namespace
}  // namespace thalweg
