// Batch: columns of equal length that flow together, with row kinds, record timestamps and watermark marks.
//
// A batch is an immutable value, cheap to copy and to hand to several receivers. Column types follow the schema
// of the edge it flows on; the batch itself does not carry the schema.
// Watermark marks say where watermarks stand among the rows: mark (offset, value) comes after row offset-1 and
// before row offset. Marks ascend in offset (equal offsets allowed) and strictly ascend in value. Processing a
// batch equals cutting it at its marks and processing the pieces and watermarks one after the other.
// A batch of zero rows may carry marks; it is how a bare watermark travels.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "common/columnar/vector.h"
#include "common/types/row_kind.h"

namespace thalweg {

/// Event time in milliseconds since the epoch.
using EventTime = int64_t;
constexpr EventTime kMinWatermark = std::numeric_limits<int64_t>::min();
/// The watermark at the end of input.
constexpr EventTime kMaxWatermark = std::numeric_limits<int64_t>::max();

struct WatermarkMark {
  RowIndex offset;
  EventTime value;
  bool operator==(const WatermarkMark&) const = default;
};

class Batch {
 public:
  static constexpr size_t kRowsTarget = 8192;
  static constexpr size_t kBytesTarget = size_t{1} << 20;

  Batch() = default;
  /// All columns have `rows` rows. A batch may have rows and no columns (SELECT COUNT(*)).
  Batch(size_t rows, std::vector<VectorPtr> columns);

  size_t rows() const { return rows_; }
  size_t columnCount() const { return columns_.size(); }
  const VectorPtr& column(size_t i) const { return columns_[i]; }
  const std::vector<VectorPtr>& columns() const { return columns_; }

  /// Kinds per row; null when all rows are INSERT.
  const RowKind* rowKinds() const { return row_kinds_ ? row_kinds_->as<RowKind>() : nullptr; }
  const BufferPtr& rowKindBuffer() const { return row_kinds_; }
  RowKind rowKind(size_t row) const { return row_kinds_ ? rowKinds()[row] : RowKind::INSERT; }
  bool isInsertOnly() const { return row_kinds_ == nullptr; }
  /// Record timestamps per row (StreamRecord timestamps, milliseconds); null when there are none.
  const EventTime* timestamps() const { return timestamps_ ? timestamps_->as<EventTime>() : nullptr; }
  const BufferPtr& timestampBuffer() const { return timestamps_; }
  std::span<const WatermarkMark> marks() const { return marks_ ? std::span<const WatermarkMark>(*marks_) : std::span<const WatermarkMark>(); }
  bool hasMarks() const { return marks_ && !marks_->empty(); }

  Batch withColumns(std::vector<VectorPtr> columns) const;   ///< same rows, other columns
  Batch withRowKinds(BufferPtr kinds) const;                 ///< null: all inserts
  Batch withTimestamps(BufferPtr timestamps) const;
  Batch withMarks(std::vector<WatermarkMark> marks) const;
  Batch withoutMarks() const;
  /// Zero rows (but `columns` of zero length are not needed) and one mark at offset 0.
  static Batch watermark(EventTime value);

  /// Rows `rows` (ascending, without repeats): this batch itself if that is all of them; else each column as a
  /// dictionary over shared indices, or gathered when under a quarter of its base rows is left. Kinds and
  /// timestamps are gathered. Marks move to the number of selected rows before them; of marks that come to
  /// stand on one place with no row between them only the last is kept, since firing for it alone emits the
  /// same rows in the same order.
  Batch select(std::span<const RowIndex> rows) const;
  /// Rows [offset, offset+length), without marks.
  Batch slice(size_t offset, size_t length) const;
  /// Same content, all columns flat and nothing foreign pinned.
  Batch compact() const;
  /// Bytes kept alive, each buffer counted once (see Vector::retainedBytes).
  size_t retainedBytes() const;

 private:
  size_t rows_ = 0;
  std::vector<VectorPtr> columns_;
  BufferPtr row_kinds_;
  BufferPtr timestamps_;
  std::shared_ptr<const std::vector<WatermarkMark>> marks_;
};

/// A row-kind buffer for `kinds`, or null if all are INSERT.
BufferPtr makeRowKinds(std::span<const RowKind> kinds);

/// Calls `on_range(size_t begin, size_t end)` for the rows between marks and `on_watermark(EventTime)` in order, both
/// returning Status: forEachPiece() without making pieces, for operators whose marks may stand after every row.
template <typename OnRange, typename OnWatermark>
auto forEachRange(const Batch& batch, OnRange&& on_range, OnWatermark&& on_watermark) -> decltype(on_range(size_t{}, size_t{})) {
  size_t begin = 0;
  for (const WatermarkMark& mark : batch.marks()) {
    if (mark.offset > begin) {
      if (auto status = on_range(begin, size_t{mark.offset}); !status.isOk()) return status;
      begin = mark.offset;
    }
    if (auto status = on_watermark(mark.value); !status.isOk()) return status;
  }
  if (begin < batch.rows()) return on_range(begin, batch.rows());
  return {};
}

/// Calls `on_rows(Batch piece)` and `on_watermark(EventTime)` in order; both return Status. A piece costs a
/// slice of every column.
template <typename OnRows, typename OnWatermark>
auto forEachPiece(const Batch& batch, OnRows&& on_rows, OnWatermark&& on_watermark) -> decltype(on_rows(batch)) {
  if (!batch.hasMarks()) return on_rows(batch);
  size_t begin = 0;
  for (const WatermarkMark& mark : batch.marks()) {
    if (mark.offset > begin) {
      if (auto status = on_rows(batch.slice(begin, mark.offset - begin)); !status.isOk()) return status;
      begin = mark.offset;
    }
    if (auto status = on_watermark(mark.value); !status.isOk()) return status;
  }
  if (begin < batch.rows()) return on_rows(batch.slice(begin, batch.rows() - begin));
  return {};
}

/// Joins batches of one edge into one, in order, columns flat and compact (one batch alone stays as it is); marks
/// are kept as select() keeps them.
Batch concatBatches(std::span<const Batch> batches);

}  // namespace thalweg
