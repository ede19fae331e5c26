#include "common/columnar/batch_wire.h"

#include <cstring>

#include "tests/unit/common/columnar/column_samples.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

using samples::Random;
using samples::valuesOf;

struct SampleBatch {
  Batch batch;
  std::vector<DataType> types;
  std::vector<std::vector<Value>> values;
};

SampleBatch randomBatch(Random& random, size_t rows) {
  SampleBatch sample;
  std::vector<VectorPtr> columns;
  for (const DataType& type : samples::allTypes()) {
    const samples::Sample column = samples::randomSample(type, rows, random);
    sample.types.push_back(type);
    columns.push_back(column.vector);
    sample.values.push_back(column.values);
  }
  sample.batch = Batch(rows, std::move(columns));
  if (random.chance(50) && rows > 0) {
    std::vector<RowKind> kinds;
    for (size_t i = 0; i < rows; ++i) kinds.push_back(static_cast<RowKind>(random.below(4)));
    sample.batch = sample.batch.withRowKinds(makeRowKinds(kinds));
  }
  if (random.chance(50)) sample.batch = sample.batch.withMarks({{0, 5}, {static_cast<RowIndex>(rows), 9}});
  return sample;
}

TEST_CASE("a batch of any types and encodings comes out of its bytes as it went in") {
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    const SampleBatch sample = randomBatch(random, round < 5 ? static_cast<size_t>(round) : random.below(700));
    const std::vector<BufferPtr> pieces = encodeBatch(sample.batch);
    for (const BufferPtr& piece : pieces) REQUIRE(piece->sizeBytes() % kWireAlignment == 0);
    const auto decoded = decodeBatch(joinPieces(pieces), 0, sample.types);
    INFO(decoded.status().toString());
    REQUIRE(decoded.isOk());
    REQUIRE(decoded->rows() == sample.batch.rows());
    REQUIRE(std::vector<WatermarkMark>(decoded->marks().begin(), decoded->marks().end()) ==
            std::vector<WatermarkMark>(sample.batch.marks().begin(), sample.batch.marks().end()));
    for (size_t row = 0; row < decoded->rows(); ++row) REQUIRE(decoded->rowKind(row) == sample.batch.rowKind(row));
    for (size_t c = 0; decoded->rows() > 0 && c < sample.types.size(); ++c) {
      INFO(sample.types[c].toString());
      REQUIRE(valuesOf(*decoded->column(c)) == sample.values[c]);
    }
  }
}

TEST_CASE("a frame with any byte changed, cut or made up is refused or harmless") {
  Random random(11);
  size_t refused = 0;
  for (int round = 0; round < 400; ++round) {
    const SampleBatch sample = randomBatch(random, 1 + random.below(40));
    const BufferPtr whole = joinPieces(encodeBatch(sample.batch));
    std::vector<uint8_t> bytes(whole->data(), whole->data() + whole->sizeBytes());
    for (size_t changes = 1 + random.below(4); changes > 0; --changes) bytes[random.below(std::min<size_t>(bytes.size(), 2048))] = static_cast<uint8_t>(random.word());
    if (random.chance(20)) bytes.resize(random.below(bytes.size()));
    const auto decoded = decodeBatch(Buffer::copyOf(bytes), 0, sample.types);
    if (!decoded.isOk()) {
      ++refused;
      continue;
    }
    for (const VectorPtr& column : decoded->columns()) valuesOf(*column->compact());   // nothing out of bounds is read
  }
  CHECK(refused > 100);
}

TEST_CASE("text that pins much more than it shows is copied before it is sent") {
  std::vector<Value> texts;
  for (int i = 0; i < 4000; ++i) texts.push_back(Value::string("a text that is too long to stand inline " + std::to_string(i)));
  Random random(1);
  const VectorPtr column = samples::encodeRandomly(DataType::string(), texts, random);
  const Batch few = Batch(4000, {column}).slice(0, 10);
  CHECK(piecesBytes(encodeBatch(few)) < 8192);
}

}  // namespace
}  // namespace thalweg
