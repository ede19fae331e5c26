#include "worker/task/hash_writer.h"

#include <algorithm>

#include "common/base/hash.h"

namespace thalweg::worker {

HashWriter::HashWriter(std::vector<int> keys, std::vector<DataType> types, uint32_t max_parallelism, size_t batch_rows_max,
                       std::vector<ChannelSender> targets)
    : EdgeWriter(std::move(targets)), types_(std::move(types)), max_parallelism_(max_parallelism),
      batch_rows_max_(batch_rows_max), encoder_(std::move(keys), types_), waiting_(this->targets().size()) {
  const auto parallelism = static_cast<uint32_t>(waiting_.size());
  for (uint32_t group = 0; group < max_parallelism; ++group) {
    target_of_group_.push_back(subtaskOfKeyGroup(group, max_parallelism, parallelism));
  }
}

HashWriter::HashWriter(std::vector<int> column, std::vector<DataType> types, size_t batch_rows_max, std::vector<ChannelSender> targets)
    : EdgeWriter(std::move(targets)), route_column_(column[0]), types_(std::move(types)), max_parallelism_(1),
      batch_rows_max_(batch_rows_max), encoder_({}, types_), waiting_(this->targets().size()) {}

void HashWriter::Waiting::addMark(size_t offset, EventTime value) {
  // The end of time replaces no mark: what fires then can tell how far time had come.
  if (!marks.empty() && marks.back().offset == offset && value != kMaxWatermark) marks.back().value = value;
  else marks.push_back({static_cast<RowIndex>(offset), value});
}

void HashWriter::findTargets(const Batch& batch) {
  const size_t rows = batch.rows();
  target_of_row_.resize(rows);
  if (route_column_ >= 0) {
    const ColumnReader<int32_t> routes(*batch.column(static_cast<size_t>(route_column_)));
    const auto receivers = static_cast<uint32_t>(waiting_.size());
    for (size_t row = 0; row < rows; ++row) target_of_row_[row] = static_cast<uint32_t>(routes[row]) % receivers;
    return;
  }
  const KeyBatch& keys = encoder_.encode(batch);
  for (size_t row = 0; row < rows; ++row) target_of_row_[row] = target_of_group_[keyGroupOf(keys.hashes[row], max_parallelism_)];
}

void HashWriter::sortByTarget(const Batch& batch) {
  const size_t rows = batch.rows();
  findTargets(batch);
  target_begin_.assign(waiting_.size() + 1, 0);
  for (size_t row = 0; row < rows; ++row) ++target_begin_[target_of_row_[row] + 1];
  for (size_t target = 1; target < target_begin_.size(); ++target) target_begin_[target] += target_begin_[target - 1];
  fill_.assign(target_begin_.begin(), target_begin_.end() - 1);
  sorted_rows_.resize(rows);
  for (size_t row = 0; row < rows; ++row) sorted_rows_[fill_[target_of_row_[row]]++] = static_cast<RowIndex>(row);
}

/// Puts every mark behind as many rows of each receiver as came before it.
void HashWriter::addMarks(const Batch& batch) {
  std::vector<size_t>& before = fill_;
  for (size_t target = 0; target < waiting_.size(); ++target) before[target] = waiting_[target].rows;
  size_t row = 0;
  for (const WatermarkMark& mark : batch.marks()) {
    for (; row < mark.offset; ++row) ++before[target_of_row_[row]];
    for (size_t target = 0; target < waiting_.size(); ++target) waiting_[target].addMark(before[target], mark.value);
  }
}

Status HashWriter::write(const Batch& batch) {
  if (batch.rows() == 0) {
    fill_.resize(waiting_.size());
    addMarks(batch);
    return {};
  }
  sortByTarget(batch);
  for (size_t target = 0; target < waiting_.size(); ++target) {
    const size_t rows = target_begin_[target + 1] - target_begin_[target];
    if (waiting_[target].rows > 0 && waiting_[target].rows + rows > batch_rows_max_) send(target);
  }
  if (batch.hasMarks()) addMarks(batch);
  for (size_t target = 0; target < waiting_.size(); ++target) {
    const size_t begin = target_begin_[target];
    const size_t rows = target_begin_[target + 1] - begin;
    if (rows > 0) addRows(waiting_[target], batch, {sorted_rows_.data() + begin, rows});
  }
  return {};
}

void HashWriter::addRows(Waiting& waiting, const Batch& batch, std::span<const RowIndex> rows) {
  if (waiting.columns.empty()) {
    const size_t hint = std::min(batch_rows_max_, std::max<size_t>(rows.size() * 2, 64));
    for (size_t i = 0; i < batch.columnCount(); ++i) waiting.columns.push_back(ColumnBuilder::make(types_[i], hint));
  }
  for (size_t i = 0; i < batch.columnCount(); ++i) waiting.columns[i]->appendRows(*batch.column(i), rows);
  if (!batch.isInsertOnly() || !waiting.kinds.empty()) {
    waiting.kinds.resize(waiting.rows, RowKind::INSERT);
    for (const RowIndex row : rows) waiting.kinds.push_back(batch.rowKind(row));
  }
  if (batch.timestamps() != nullptr || !waiting.timestamps.empty()) {
    waiting.timestamps.resize(waiting.rows, 0);
    for (const RowIndex row : rows) waiting.timestamps.push_back(batch.timestamps() != nullptr ? batch.timestamps()[row] : 0);
  }
  waiting.rows += rows.size();
}

void HashWriter::send(size_t target) {
  Waiting& waiting = waiting_[target];
  if (waiting.rows == 0 && waiting.marks.empty()) return;
  std::vector<VectorPtr> columns;
  for (const auto& column : waiting.columns) columns.push_back(column->finish());
  Batch batch(waiting.rows, std::move(columns));
  if (!waiting.kinds.empty()) batch = batch.withRowKinds(makeRowKinds(waiting.kinds));
  if (!waiting.timestamps.empty()) {
    const std::span<const EventTime> times(waiting.timestamps);
    batch = batch.withTimestamps(Buffer::copyOf({reinterpret_cast<const uint8_t*>(times.data()), times.size_bytes()}));
  }
  if (!waiting.marks.empty()) batch = batch.withMarks(std::move(waiting.marks));
  waiting = Waiting{};
  targets()[target].pushBatch(std::move(batch));
}

void HashWriter::flush() {
  for (size_t target = 0; target < waiting_.size(); ++target) send(target);
}

void HashWriter::flushToIdle() {
  for (size_t target = 0; target < waiting_.size(); ++target) {
    if (targets()[target].isIdle()) send(target);
  }
}

}  // namespace thalweg::worker
