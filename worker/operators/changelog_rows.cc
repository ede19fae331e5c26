#include "worker/operators/changelog_rows.h"

#include <cmath>

#include "common/columnar/bitmap.h"
#include "common/columnar/column_reader.h"

namespace thalweg::worker {
namespace {

template <typename T>
bool same(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) return a == b || (std::isnan(a) && std::isnan(b));
  else return a == b;
}

template <typename T>
void markTyped(const Vector& a, const Vector& b, std::span<uint8_t> unequal) {
  const ColumnReader<T> left(a);
  const ColumnReader<T> right(b);
  if (!left.mayHaveNulls() && !right.mayHaveNulls()) {
    for (size_t i = 0; i < unequal.size(); ++i) unequal[i] |= static_cast<uint8_t>(!same(left[i], right[i]));
    return;
  }
  for (size_t i = 0; i < unequal.size(); ++i) {
    const bool left_null = left.isNull(i);
    const bool right_null = right.isNull(i);
    unequal[i] |= static_cast<uint8_t>(left_null != right_null || (!left_null && !same(left[i], right[i])));
  }
}

BufferPtr pickValidity(const Vector& before, const Vector& after, std::span<const RowIndex> images) {
  const uint64_t* bits[2] = {before.validity(), after.validity()};
  if (bits[0] == nullptr && bits[1] == nullptr) return nullptr;
  auto picked = Buffer::allocateZeroed(bitmapBytes(images.size()));
  for (size_t i = 0; i < images.size(); ++i) {
    const uint64_t* from = bits[images[i] % 2];
    if (from == nullptr || bitIsSet(from, images[i] / 2)) setBit(picked->mutableAs<uint64_t>(), i);
  }
  return picked;
}

/// The images of a column, of which numbers of 8 bytes (most results of aggregates) are picked from where they are.
VectorPtr pickImages(const Vector& before, const Vector& after, std::span<const RowIndex> images) {
  const bool words = after.physicalType() == PhysicalType::INT64 || after.physicalType() == PhysicalType::FLOAT64;
  if (words && before.isFlat() && after.isFlat()) {
    const uint64_t* sources[2] = {before.data<uint64_t>(), after.data<uint64_t>()};
    auto data = Buffer::allocate(images.size() * sizeof(uint64_t));
    auto* out = data->mutableAs<uint64_t>();
    for (size_t i = 0; i < images.size(); ++i) out[i] = sources[images[i] % 2][images[i] / 2];
    return Vector::flat({.type = after.type(), .size = images.size(), .validity = pickValidity(before, after, images), .data = std::move(data)});
  }
  const VectorPtr parts[] = {before.shared_from_this(), after.shared_from_this()};
  std::vector<RowIndex> rows(images.size());
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<RowIndex>(images[i] / 2 + (images[i] % 2) * after.size());
  return gather(*concat(after.type(), parts), rows);
}

}  // namespace

void markUnequal(const Vector& a, const Vector& b, std::span<uint8_t> unequal) {
  switch (a.physicalType()) {
    case PhysicalType::NONE: return;
    case PhysicalType::BOOL: return markTyped<bool>(a, b, unequal);
    case PhysicalType::INT8: return markTyped<int8_t>(a, b, unequal);
    case PhysicalType::INT16: return markTyped<int16_t>(a, b, unequal);
    case PhysicalType::INT32: return markTyped<int32_t>(a, b, unequal);
    case PhysicalType::INT64: return markTyped<int64_t>(a, b, unequal);
    case PhysicalType::INT128: return markTyped<int128>(a, b, unequal);
    case PhysicalType::FLOAT32: return markTyped<float>(a, b, unequal);
    case PhysicalType::FLOAT64: return markTyped<double>(a, b, unequal);
    case PhysicalType::STRING: return markTyped<std::string_view>(a, b, unequal);
    case PhysicalType::TIMESTAMP_NANOS: return markTyped<TimestampValue>(a, b, unequal);
    case PhysicalType::LIST:
    case PhysicalType::MAP:
    case PhysicalType::ROW:
      for (size_t i = 0; i < unequal.size(); ++i) {
        if (!unequal[i]) unequal[i] = static_cast<uint8_t>(!(a.valueAt(i) == b.valueAt(i)));
      }
      return;
  }
}

Batch ChangelogRows::take(std::span<const VectorPtr> common, std::span<const VectorPtr> before,
                          std::span<const VectorPtr> after) const {
  std::vector<VectorPtr> columns;
  columns.reserve(common.size() + after.size());
  std::vector<RowIndex> rows(rows_.size());
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = rows_[i] / 2;
  for (const VectorPtr& column : common) columns.push_back(gather(*column, rows));
  for (size_t k = 0; k < after.size(); ++k) columns.push_back(pickImages(*before[k], *after[k], rows_));
  return Batch(rows_.size(), std::move(columns)).withRowKinds(makeRowKinds(kinds_));
}

}  // namespace thalweg::worker
