#include "common/expr/kleene.h"

#include <algorithm>

#include "common/columnar/builder.h"
#include "common/columnar/column_reader.h"

namespace thalweg {

std::vector<uint8_t> kleeneOf(const Vector& column) {
  const size_t rows = column.size();
  std::vector<uint8_t> truth(rows, kKleeneUnknown);
  if (column.physicalType() == PhysicalType::NONE) return truth;
  const ColumnReader<bool> reader(column);
  if (reader.isIdentity()) {
    const uint8_t* values = reader.raw();
    for (size_t row = 0; row < rows; ++row) truth[row] = static_cast<uint8_t>(values[row] * kKleeneTrue);
  } else {
    for (size_t row = 0; row < rows; ++row) truth[row] = reader[row] ? kKleeneTrue : kKleeneFalse;
  }
  if (!reader.mayHaveNulls()) return truth;
  for (size_t row = 0; row < rows; ++row) truth[row] = reader.isNull(row) ? kKleeneUnknown : truth[row];
  return truth;
}

VectorPtr columnOfKleene(std::span<const uint8_t> truth, const DataType& type) {
  FlatBuilder<bool> builder(type, truth.size());
  uint8_t* __restrict values = builder.raw();
  uint8_t any_unknown = 0;
  for (size_t row = 0; row < truth.size(); ++row) {
    values[row] = truth[row] == kKleeneTrue;
    any_unknown |= static_cast<uint8_t>(truth[row] == kKleeneUnknown);
  }
  if (any_unknown != 0) {
    for (size_t row = 0; row < truth.size(); ++row) {
      if (truth[row] == kKleeneUnknown) builder.setNull(row);
    }
  }
  return builder.finish();
}

void kleeneAnd(std::span<uint8_t> target, std::span<const uint8_t> other) {
  for (size_t i = 0; i < target.size(); ++i) target[i] = std::min(target[i], other[i]);
}

void kleeneOr(std::span<uint8_t> target, std::span<const uint8_t> other) {
  for (size_t i = 0; i < target.size(); ++i) target[i] = std::max(target[i], other[i]);
}

void appendTrueRows(const Vector& column, std::vector<RowIndex>& rows) {
  const size_t size = column.size();
  if (size == 0 || column.physicalType() == PhysicalType::NONE) return;
  const ColumnReader<bool> reader(column);
  const size_t start = rows.size();
  rows.resize(start + size);
  RowIndex* out = rows.data() + start;
  size_t count = 0;
  // Without branches: a row is written always and kept when true.
  if (reader.isIdentity() && !reader.mayHaveNulls()) {
    const uint8_t* values = reader.raw();
    for (size_t row = 0; row < size; ++row) {
      out[count] = static_cast<RowIndex>(row);
      count += values[row];
    }
  } else {
    for (size_t row = 0; row < size; ++row) {
      out[count] = static_cast<RowIndex>(row);
      count += reader[row] && !reader.isNull(row) ? 1 : 0;
    }
  }
  rows.resize(start + count);
}

}  // namespace thalweg
