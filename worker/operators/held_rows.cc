#include "worker/operators/held_rows.h"

#include <utility>

namespace thalweg::worker {

namespace {

std::vector<SortKey> ascending(const std::vector<int>& columns) {
  std::vector<SortKey> keys;
  for (const int column : columns) keys.push_back({column});
  return keys;
}

std::vector<SortKey> joined(std::vector<SortKey> keys, const std::vector<SortKey>& more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

}  // namespace

HeldRows::HeldRows(const std::vector<int>& partition_keys, const std::vector<SortKey>& sort_keys, const std::vector<DataType>& types)
    : sorter_(joined(ascending(partition_keys), sort_keys), types), partitions_(ascending(partition_keys), types), sort_keys_(sort_keys, types) {}

Result<bool> HeldRows::next(Cut cut) {
  ASSIGN_OR_RETURN(const bool more, cut == Cut::ANYWHERE ? takeBatch() : takePartitions());
  if (more) compareRows();
  return more;
}

Result<bool> HeldRows::takeBatch() {
  ASSIGN_OR_RETURN(rows_, sorter_.next());
  return rows_.rows() > 0;
}

Result<bool> HeldRows::takePartitions() {
  std::vector<Batch> parts;
  size_t rows = 0;
  std::optional<std::string> before;      // the partition of the row before
  if (rest_.rows() > 0) {
    rows = rest_.rows();
    (void)lastBoundary(rest_, before);
    parts.push_back(std::exchange(rest_, Batch()));
  }
  while (true) {
    ASSIGN_OR_RETURN(const Batch batch, sorter_.next());
    if (batch.rows() == 0) break;
    const std::optional<size_t> boundary = lastBoundary(batch, before);
    rows += batch.rows();
    if (rows >= Batch::kRowsTarget && boundary) {
      if (*boundary > 0) parts.push_back(batch.slice(0, *boundary));
      rest_ = batch.slice(*boundary, batch.rows() - *boundary);
      break;
    }
    parts.push_back(batch);
  }
  rows_ = parts.empty() ? Batch() : concatBatches(parts);
  return rows_.rows() > 0;
}

std::optional<size_t> HeldRows::lastBoundary(const Batch& batch, std::optional<std::string>& before) {
  const auto keys = partitions_.encode(batch);
  std::optional<size_t> boundary;
  for (size_t i = batch.rows() - 1; i > 0 && !boundary; --i) {
    if (keys[i] != keys[i - 1]) boundary = i;
  }
  if (!boundary && before && keys[0] != *before) boundary = 0;
  before = std::string(keys[batch.rows() - 1]);
  return boundary;
}

void HeldRows::compareRows() {
  const size_t rows = rows_.rows();
  const auto partitions = partitions_.encode(rows_);
  const auto keys = sort_keys_.encode(rows_);
  same_partition_.resize(rows);
  same_keys_.resize(rows);
  same_partition_[0] = static_cast<uint8_t>(begun_ && partitions[0] == last_partition_);
  same_keys_[0] = static_cast<uint8_t>(same_partition_[0] != 0 && keys[0] == last_keys_);
  for (size_t i = 1; i < rows; ++i) {
    same_partition_[i] = static_cast<uint8_t>(partitions[i] == partitions[i - 1]);
    same_keys_[i] = static_cast<uint8_t>(same_partition_[i] != 0 && keys[i] == keys[i - 1]);
  }
  begun_ = true;
  last_partition_ = partitions[rows - 1];
  last_keys_ = keys[rows - 1];
}

}  // namespace thalweg::worker
