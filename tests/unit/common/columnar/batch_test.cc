#include "common/columnar/batch.h"


#include "tests/unit/common/columnar/column_samples.h"
#include "common/base/status.h"
#include "common/columnar/builder.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

using samples::Random;
using samples::Sample;
using samples::valuesOf;

/// A batch and its rows as Values, one vector per column.
struct SampleBatch {
  Batch batch;
  std::vector<std::vector<Value>> columns;
};

SampleBatch randomBatch(size_t rows, Random& random) {
  SampleBatch result;
  std::vector<VectorPtr> vectors;
  for (const DataType& type : samples::allTypes()) {
    Sample sample = samples::randomSample(type, rows, random);
    vectors.push_back(std::move(sample.vector));
    result.columns.push_back(std::move(sample.values));
  }
  std::vector<RowKind> kinds(rows);
  MutableBufferPtr timestamps = Buffer::allocate(rows * sizeof(EventTime));
  for (size_t i = 0; i < rows; ++i) {
    kinds[i] = static_cast<RowKind>(random.below(4));
    timestamps->mutableAs<EventTime>()[i] = static_cast<EventTime>(random.below(1000));
  }
  std::vector<WatermarkMark> marks;
  for (size_t i = 0; i <= rows; ++i) {
    if (random.chance(10)) marks.push_back({static_cast<RowIndex>(i), static_cast<EventTime>(i)});
  }
  result.batch = Batch(rows, vectors).withRowKinds(makeRowKinds(kinds)).withTimestamps(timestamps).withMarks(marks);
  return result;
}

std::vector<WatermarkMark> marksOf(const Batch& batch) { return {batch.marks().begin(), batch.marks().end()}; }

// The rows `picked` of `whole` must be the rows of `batch`.
void requireRows(const Batch& batch, const SampleBatch& whole, const std::vector<RowIndex>& picked) {
  REQUIRE(batch.rows() == picked.size());
  for (size_t c = 0; c < whole.columns.size(); ++c) {
    REQUIRE(valuesOf(*batch.column(c)) == samples::pick(whole.columns[c], picked));
  }
  for (size_t i = 0; i < picked.size(); ++i) {
    REQUIRE(batch.rowKind(i) == whole.batch.rowKind(picked[i]));
    REQUIRE(batch.timestamps()[i] == whole.batch.timestamps()[picked[i]]);
  }
}

TEST_CASE("select keeps rows, kinds, timestamps and marks") {
  Random random(1);
  for (int round = 0; round < 30; ++round) {
    const SampleBatch whole = randomBatch(1 + random.below(120), random);
    const std::vector<RowIndex> rows = samples::randomRows(whole.batch.rows(), static_cast<int>(random.below(101)), random);
    const Batch selected = whole.batch.select(rows);
    requireRows(selected, whole, rows);
    if (rows.size() == whole.batch.rows()) {
      REQUIRE(marksOf(selected) == marksOf(whole.batch));
      continue;
    }
    std::vector<WatermarkMark> expected;
    for (const WatermarkMark& mark : whole.batch.marks()) {
      RowIndex before = 0;
      for (const RowIndex row : rows) before += row < mark.offset ? 1 : 0;
      if (!expected.empty() && expected.back().offset == before) expected.pop_back();
      expected.push_back({before, mark.value});
    }
    REQUIRE(marksOf(selected) == expected);
    const std::vector<RowIndex> again = samples::randomRows(rows.size(), 70, random);
    requireRows(selected.select(again), whole, [&] {
      std::vector<RowIndex> composed;
      for (const RowIndex row : again) composed.push_back(rows[row]);
      return composed;
    }());
  }
}

TEST_CASE("columns that share indices still share them after select and slice") {
  const VectorPtr column = makeVector(DataType::bigint(), std::vector<Value>(100, Value::integer(1)));
  std::vector<RowIndex> rows(60);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<RowIndex>(i + 20);
  const Batch once = Batch(100, {column, column->compact()}).select(rows);
  REQUIRE(once.column(0)->encoding() == VectorEncoding::DICTIONARY);
  REQUIRE(once.column(0)->indicesBuffer() == once.column(1)->indicesBuffer());
  const Batch twice = once.select(std::span(rows).first(30));
  REQUIRE(twice.column(0)->indicesBuffer() == twice.column(1)->indicesBuffer());
  REQUIRE(twice.column(0)->indices()[0] == 40);
  const Batch slice = once.slice(5, 20);
  REQUIRE(slice.column(0)->indicesBuffer() == slice.column(1)->indicesBuffer());
  REQUIRE(slice.column(0)->indices()[0] == 25);
}

TEST_CASE("select gathers when less than a quarter of the base is left") {
  const VectorPtr column = makeVector(DataType::bigint(), std::vector<Value>(100, Value::integer(1)));
  std::vector<RowIndex> rows(25);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<RowIndex>(i);
  const Batch batch(100, {column});
  REQUIRE_FALSE(batch.select(rows).column(0)->isFlat());
  REQUIRE(batch.select(std::span(rows).first(24)).column(0)->isFlat());
  REQUIRE(batch.select(rows).select(std::span(rows).first(20)).column(0)->isFlat());
}

TEST_CASE("slice and compact keep rows, kinds and timestamps") {
  Random random(2);
  for (int round = 0; round < 20; ++round) {
    const SampleBatch whole = randomBatch(1 + random.below(120), random);
    const size_t offset = random.below(whole.batch.rows());
    const size_t length = random.below(whole.batch.rows() - offset + 1);
    std::vector<RowIndex> rows(length);
    for (size_t i = 0; i < length; ++i) rows[i] = static_cast<RowIndex>(offset + i);
    const Batch slice = whole.batch.slice(offset, length);
    REQUIRE_FALSE(slice.hasMarks());
    requireRows(slice, whole, rows);
    requireRows(slice.compact(), whole, rows);
    const Batch compact = slice.compact();
    for (const VectorPtr& column : compact.columns()) REQUIRE(column->isFlat());
    REQUIRE(marksOf(whole.batch.compact()) == marksOf(whole.batch));
  }
}

TEST_CASE("pieces between marks come in order") {
  const VectorPtr column = makeVector(DataType::bigint(), std::vector<Value>{Value::integer(0), Value::integer(1), Value::integer(2)});
  const Batch batch = Batch(3, {column}).withMarks({{0, 5}, {2, 6}, {2, 7}, {3, 8}});
  std::string log;
  const auto on_rows = [&](const Batch& piece) -> Status {
    for (size_t i = 0; i < piece.rows(); ++i) log += "r" + std::to_string(piece.column(0)->valueAt(i).asInt());
    log += "|";
    return {};
  };
  const auto on_watermark = [&](EventTime time) -> Status {
    log += "w" + std::to_string(time) + "|";
    return {};
  };
  REQUIRE(forEachPiece(batch, on_rows, on_watermark).isOk());
  REQUIRE(log == "w5|r0r1|w6|w7|r2|w8|");
  log.clear();
  REQUIRE(forEachPiece(Batch::watermark(kMaxWatermark), on_rows, on_watermark).isOk());
  REQUIRE(log == "w9223372036854775807|");
}

TEST_CASE("ranges between marks are the pieces between marks") {
  Random random(4);
  for (int round = 0; round < 20; ++round) {
    const Batch batch = randomBatch(random.below(40), random).batch;
    std::string pieces;
    std::string ranges;
    const auto add = [](std::string& log, size_t rows) -> Status {
      if (rows > 0) log += std::to_string(rows) + "|";
      return {};
    };
    const auto mark = [](std::string& log, EventTime time) -> Status {
      log += "w" + std::to_string(time) + "|";
      return {};
    };
    REQUIRE(forEachPiece(batch, [&](const Batch& piece) { return add(pieces, piece.rows()); },
                         [&](EventTime time) { return mark(pieces, time); }).isOk());
    REQUIRE(forEachRange(batch, [&](size_t begin, size_t end) { return add(ranges, end - begin); },
                         [&](EventTime time) { return mark(ranges, time); }).isOk());
    REQUIRE(ranges == pieces);
  }
}

TEST_CASE("concatenated batches hold all rows and marks") {
  Random random(3);
  for (int round = 0; round < 15; ++round) {
    const SampleBatch first = randomBatch(1 + random.below(60), random);
    const SampleBatch second = randomBatch(1 + random.below(60), random);
    const auto rows = static_cast<RowIndex>(first.batch.rows());
    const Batch inserts = second.batch.withRowKinds(nullptr).withTimestamps(nullptr).withMarks({{0, 1001}});
    const Batch parts[] = {first.batch.withMarks({{rows, 999}}), Batch::watermark(1000), inserts};
    const Batch joined = concatBatches(parts);
    REQUIRE(joined.rows() == first.batch.rows() + second.batch.rows());
    REQUIRE(marksOf(joined) == std::vector<WatermarkMark>{{rows, 1001}});
    for (size_t c = 0; c < joined.columnCount(); ++c) {
      std::vector<Value> expected = first.columns[c];
      expected.insert(expected.end(), second.columns[c].begin(), second.columns[c].end());
      REQUIRE(valuesOf(*joined.column(c)) == expected);
    }
    for (size_t i = 0; i < joined.rows(); ++i) {
      REQUIRE(joined.rowKind(i) == (i < rows ? first.batch.rowKind(i) : RowKind::INSERT));
      REQUIRE(joined.timestamps()[i] == (i < rows ? first.batch.timestamps()[i] : 0));
    }
  }
  REQUIRE(concatBatches({}).rows() == 0);
}

TEST_CASE("row kinds are absent when all are inserts") {
  const std::vector<RowKind> inserts(5, RowKind::INSERT);
  REQUIRE(makeRowKinds(inserts) == nullptr);
  const std::vector<RowKind> mixed = {RowKind::INSERT, RowKind::DELETE};
  REQUIRE(Batch(2, {}).withRowKinds(makeRowKinds(mixed)).rowKind(1) == RowKind::DELETE);
}

}  // namespace
}  // namespace thalweg
