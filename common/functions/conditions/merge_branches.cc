#include "common/functions/conditions/merge_branches.h"

#include <algorithm>

#include "common/columnar/builder.h"
#include "common/columnar/column_reader.h"

namespace thalweg {

namespace {

struct Choice {
  std::span<const uint16_t> branch;
  std::span<const RowIndex> positions;
  size_t position(size_t row) const { return positions.empty() ? row : positions[row]; }
};

template <typename T>
VectorPtr mergeFixed(const DataType& type, std::span<const VectorPtr> branches, const Choice& choice) {
  std::vector<ColumnReader<T>> readers;
  bool any_nulls = false;
  for (const VectorPtr& branch : branches) {
    readers.emplace_back(*branch);
    any_nulls = any_nulls || readers.back().mayHaveNulls();
  }
  const size_t rows = choice.branch.size();
  FlatBuilder<T> builder(type, rows);
  auto* out = builder.raw();
  if (!any_nulls) {
    for (size_t row = 0; row < rows; ++row) out[row] = readers[choice.branch[row]].stored(choice.position(row));
    return builder.finish();
  }
  for (size_t row = 0; row < rows; ++row) {
    const ColumnReader<T>& reader = readers[choice.branch[row]];
    const size_t position = choice.position(row);
    if (reader.isNull(position))
      builder.setNull(row);
    else
      out[row] = reader.stored(position);
  }
  return builder.finish();
}

/// Shares the branches' string buffers: each branch's buffers follow those of the branches before it.
VectorPtr mergeStrings(const DataType& type, std::span<const VectorPtr> branches, const Choice& choice) {
  std::vector<ColumnReader<std::string_view>> readers;
  std::vector<uint32_t> first_buffer;
  Vector::Flat parts{.type = type, .size = choice.branch.size()};
  for (const VectorPtr& branch : branches) {
    readers.emplace_back(*branch);
    first_buffer.push_back(static_cast<uint32_t>(parts.strings.size()));
    const std::vector<BufferPtr>& buffers = readers.back().mapping().flat().stringBuffers();
    parts.strings.insert(parts.strings.end(), buffers.begin(), buffers.end());
  }
  const size_t rows = choice.branch.size();
  MutableBufferPtr refs = Buffer::allocate(rows * sizeof(StringRef));
  MutableBufferPtr validity;
  auto* out = refs->mutableAs<StringRef>();
  for (size_t row = 0; row < rows; ++row) {
    const size_t branch = choice.branch[row];
    const size_t position = choice.position(row);
    if (readers[branch].isNull(position)) {
      out[row] = StringRef{};
      if (validity == nullptr) {
        validity = Buffer::allocate(bitmapBytes(rows));
        std::memset(validity->mutableData(), 0xff, bitmapBytes(rows));
      }
      clearBit(validity->mutableAs<uint64_t>(), row);
      continue;
    }
    StringRef ref = readers[branch].stored(position);
    if (!ref.isInline()) ref.buffer_index += first_buffer[branch];
    out[row] = ref;
  }
  parts.data = std::move(refs);
  parts.validity = std::move(validity);
  return Vector::flat(std::move(parts));
}

VectorPtr mergeNested(const DataType& type, std::span<const VectorPtr> branches, const Choice& choice) {
  const std::unique_ptr<ColumnBuilder> builder = ColumnBuilder::make(type, choice.branch.size());
  for (size_t row = 0; row < choice.branch.size(); ++row) {
    builder->appendRow(*branches[choice.branch[row]], choice.position(row));
  }
  return builder->finish();
}

}  // namespace

VectorPtr mergeBranches(const DataType& type, std::span<const VectorPtr> branches, std::span<const uint16_t> branch,
                        std::span<const RowIndex> positions) {
  const Choice choice{branch, positions};
  switch (type.physicalType()) {
    case PhysicalType::NONE: return Vector::nulls(type, branch.size());
    case PhysicalType::BOOL: return mergeFixed<bool>(type, branches, choice);
    case PhysicalType::INT8: return mergeFixed<int8_t>(type, branches, choice);
    case PhysicalType::INT16: return mergeFixed<int16_t>(type, branches, choice);
    case PhysicalType::INT32: return mergeFixed<int32_t>(type, branches, choice);
    case PhysicalType::INT64: return mergeFixed<int64_t>(type, branches, choice);
    case PhysicalType::INT128: return mergeFixed<int128>(type, branches, choice);
    case PhysicalType::FLOAT32: return mergeFixed<float>(type, branches, choice);
    case PhysicalType::FLOAT64: return mergeFixed<double>(type, branches, choice);
    case PhysicalType::TIMESTAMP_NANOS: return mergeFixed<TimestampValue>(type, branches, choice);
    case PhysicalType::STRING: return mergeStrings(type, branches, choice);
    case PhysicalType::LIST:
    case PhysicalType::MAP:
    case PhysicalType::ROW: return mergeNested(type, branches, choice);
  }
  return nullptr;
}

}  // namespace thalweg
