#include "common/columnar/batch.h"

#include <algorithm>
#include <cstring>

#include "common/base/check.h"

namespace thalweg {
namespace {

using Marks = std::vector<WatermarkMark>;

// Index buffers of this call's result by the index buffers they were made from, so that columns that shared an
// index buffer still share one afterwards. The null key stands for columns without indices.
class SharedIndices {
 public:
  template <typename Make>
  const BufferPtr& get(const BufferPtr& source, Make&& make) {
    for (const auto& [key, made] : known_) {
      if (key == source.get()) return made;
    }
    return known_.emplace_back(source.get(), make()).second;
  }

 private:
  std::vector<std::pair<const Buffer*, BufferPtr>> known_;
};

BufferPtr copyIndices(std::span<const RowIndex> rows) {
  return Buffer::copyOf({reinterpret_cast<const uint8_t*>(rows.data()), rows.size_bytes()});
}

BufferPtr composeIndices(const RowIndex* inner, std::span<const RowIndex> rows) {
  MutableBufferPtr composed = Buffer::allocate(rows.size_bytes());
  auto* target = composed->mutableAs<RowIndex>();
  for (size_t i = 0; i < rows.size(); ++i) target[i] = inner[rows[i]];
  return composed;
}

template <typename T>
BufferPtr gatherValues(const BufferPtr& source, std::span<const RowIndex> rows) {
  if (source == nullptr) return nullptr;
  MutableBufferPtr result = Buffer::allocate(rows.size() * sizeof(T));
  const T* from = source->as<T>();
  T* target = result->mutableAs<T>();
  for (size_t i = 0; i < rows.size(); ++i) target[i] = from[rows[i]];
  return result;
}

template <typename T>
BufferPtr sliceValues(const BufferPtr& source, size_t offset, size_t length) {
  if (source == nullptr) return nullptr;
  return Buffer::borrow({source->data() + offset * sizeof(T), length * sizeof(T)}, source);
}

template <typename T>
BufferPtr copyValues(const BufferPtr& source, size_t rows) {
  if (source == nullptr) return nullptr;
  return Buffer::copyOf({source->data(), rows * sizeof(T)});
}

VectorPtr selectColumn(const VectorPtr& column, std::span<const RowIndex> rows, SharedIndices& shared) {
  if (column->isConstant()) return Vector::constant(column->base(), rows.size());
  const size_t base_rows = column->isFlat() ? column->size() : column->base()->size();
  if (rows.size() * 4 < base_rows) return gather(*column, rows);
  if (column->isFlat()) {
    return Vector::dictionary(column, shared.get(nullptr, [&] { return copyIndices(rows); }), rows.size());
  }
  const BufferPtr& indices =
      shared.get(column->indicesBuffer(), [&] { return composeIndices(column->indices(), rows); });
  return Vector::dictionary(column->base(), indices, rows.size(), gatherBits(column->validityBuffer(), rows));
}

VectorPtr sliceColumn(const VectorPtr& column, size_t offset, size_t length, SharedIndices& shared) {
  if (column->encoding() != VectorEncoding::DICTIONARY) return column->slice(offset, length);
  const BufferPtr& indices = shared.get(column->indicesBuffer(), [&] {
    return sliceValues<RowIndex>(column->indicesBuffer(), offset, length);
  });
  return Vector::dictionary(column->base(), indices, length, sliceBits(column->validityBuffer(), offset, length));
}

// Appends a mark; one at the same place as the last replaces it, but the end of time (+inf) replaces none: what fires
// then can tell how far time had come.
void addMark(Marks& marks, WatermarkMark mark) {
  if (!marks.empty() && marks.back().offset == mark.offset && mark.value != kMaxWatermark) marks.back() = mark;
  else marks.push_back(mark);
}

std::shared_ptr<const Marks> shareMarks(Marks marks) {
  return marks.empty() ? nullptr : std::make_shared<const Marks>(std::move(marks));
}

Marks selectMarks(std::span<const WatermarkMark> marks, std::span<const RowIndex> rows) {
  Marks moved;
  auto from = rows.begin();
  for (const WatermarkMark& mark : marks) {
    from = std::lower_bound(from, rows.end(), mark.offset);
    addMark(moved, {static_cast<RowIndex>(from - rows.begin()), mark.value});
  }
  return moved;
}

}  // namespace

Batch::Batch(size_t rows, std::vector<VectorPtr> columns) : rows_(rows), columns_(std::move(columns)) {
  for (const VectorPtr& column : columns_) CHECK(column->size() == rows_);
}

Batch Batch::withColumns(std::vector<VectorPtr> columns) const {
  Batch result(rows_, std::move(columns));
  result.row_kinds_ = row_kinds_;
  result.timestamps_ = timestamps_;
  result.marks_ = marks_;
  return result;
}

Batch Batch::withRowKinds(BufferPtr kinds) const {
  DCHECK(kinds == nullptr || kinds->sizeBytes() >= rows_ * sizeof(RowKind));
  Batch result = *this;
  result.row_kinds_ = std::move(kinds);
  return result;
}

Batch Batch::withTimestamps(BufferPtr timestamps) const {
  DCHECK(timestamps == nullptr || timestamps->sizeBytes() >= rows_ * sizeof(EventTime));
  Batch result = *this;
  result.timestamps_ = std::move(timestamps);
  return result;
}

Batch Batch::withMarks(std::vector<WatermarkMark> marks) const {
  for (size_t i = 0; i < marks.size(); ++i) {
    DCHECK(marks[i].offset <= rows_);
    DCHECK(i == 0 || (marks[i - 1].offset <= marks[i].offset && marks[i - 1].value < marks[i].value));
  }
  Batch result = *this;
  result.marks_ = shareMarks(std::move(marks));
  return result;
}

Batch Batch::withoutMarks() const {
  Batch result = *this;
  result.marks_ = nullptr;
  return result;
}

Batch Batch::watermark(EventTime value) { return Batch().withMarks({{0, value}}); }

Batch Batch::select(std::span<const RowIndex> rows) const {
  if (rows.size() == rows_) return *this;
  CHECK(rows.size() < rows_);
  Batch result;
  result.rows_ = rows.size();
  result.columns_.reserve(columns_.size());
  SharedIndices shared;
  for (const VectorPtr& column : columns_) {
    result.columns_.push_back(rows.empty() ? column->slice(0, 0) : selectColumn(column, rows, shared));
  }
  result.row_kinds_ = gatherValues<RowKind>(row_kinds_, rows);
  result.timestamps_ = gatherValues<EventTime>(timestamps_, rows);
  if (hasMarks()) result.marks_ = shareMarks(selectMarks(*marks_, rows));
  return result;
}

Batch Batch::slice(size_t offset, size_t length) const {
  CHECK(offset + length <= rows_);
  if (length == rows_) return withoutMarks();
  Batch result;
  result.rows_ = length;
  result.columns_.reserve(columns_.size());
  SharedIndices shared;
  for (const VectorPtr& column : columns_) result.columns_.push_back(sliceColumn(column, offset, length, shared));
  result.row_kinds_ = sliceValues<RowKind>(row_kinds_, offset, length);
  result.timestamps_ = sliceValues<EventTime>(timestamps_, offset, length);
  return result;
}

Batch Batch::compact() const {
  Batch result = *this;
  for (VectorPtr& column : result.columns_) column = column->compact();
  result.row_kinds_ = copyValues<RowKind>(row_kinds_, rows_);
  result.timestamps_ = copyValues<EventTime>(timestamps_, rows_);
  return result;
}

size_t Batch::retainedBytes() const {
  std::vector<const Buffer*> buffers;
  for (const VectorPtr& column : columns_) column->collectBuffers(buffers);
  for (const BufferPtr& buffer : {row_kinds_, timestamps_}) {
    if (buffer != nullptr) buffers.push_back(buffer.get());
  }
  return totalBytes(std::move(buffers)) + (marks_ ? marks_->size() * sizeof(WatermarkMark) : 0);
}

BufferPtr makeRowKinds(std::span<const RowKind> kinds) {
  if (std::all_of(kinds.begin(), kinds.end(), [](RowKind kind) { return kind == RowKind::INSERT; })) return nullptr;
  return Buffer::copyOf({reinterpret_cast<const uint8_t*>(kinds.data()), kinds.size_bytes()});
}

namespace {

// One buffer of T for the rows of all batches, `missing` where a batch has none; null if no batch has one.
template <typename T, typename BufferOf>
BufferPtr concatValues(std::span<const Batch> batches, size_t rows, T missing, BufferOf&& buffer_of) {
  const auto has = [&](const Batch& batch) { return batch.rows() > 0 && buffer_of(batch) != nullptr; };
  if (std::none_of(batches.begin(), batches.end(), has)) return nullptr;
  MutableBufferPtr result = Buffer::allocate(rows * sizeof(T));
  T* target = result->mutableAs<T>();
  for (const Batch& batch : batches) {
    if (has(batch)) std::memcpy(target, buffer_of(batch)->data(), batch.rows() * sizeof(T));
    else std::fill_n(target, batch.rows(), missing);
    target += batch.rows();
  }
  return result;
}

}  // namespace

Batch concatBatches(std::span<const Batch> batches) {
  if (batches.size() == 1) return batches[0];
  size_t rows = 0;
  Marks marks;
  const Batch* first = nullptr;  // with columns; a bare watermark may have none
  for (const Batch& batch : batches) {
    for (const WatermarkMark& mark : batch.marks()) addMark(marks, {static_cast<RowIndex>(rows + mark.offset), mark.value});
    rows += batch.rows();
    if (first == nullptr && batch.columnCount() > 0) first = &batch;
  }
  std::vector<VectorPtr> columns;
  std::vector<VectorPtr> parts;
  for (size_t i = 0; first != nullptr && i < first->columnCount(); ++i) {
    parts.clear();
    for (const Batch& batch : batches) {
      if (batch.rows() > 0) parts.push_back(batch.column(i));
    }
    columns.push_back(concat(first->column(i)->type(), parts));
  }
  return Batch(rows, std::move(columns))
      .withRowKinds(concatValues(batches, rows, RowKind::INSERT, [](const Batch& b) { return b.rowKindBuffer(); }))
      .withTimestamps(concatValues(batches, rows, EventTime{0}, [](const Batch& b) { return b.timestampBuffer(); }))
      .withMarks(std::move(marks));
}

}  // namespace thalweg
