// Folders of partitions as a sink makes them: `day=2024-01-01/country=de`, values in their text form, bytes that paths
// cannot hold escaped as %XX, as Hive and Flink do. The way back is in file_listing.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/columnar/batch.h"
#include "common/types/schema.h"

namespace thalweg::worker {

std::string escapePathName(std::string_view name);

/// Tells each row's folder, relative to the table's; empty for tables without partitions.
class PartitionPaths {
 public:
  PartitionPaths(const Schema& schema, const std::vector<std::string>& keys, std::string default_name);

  bool any() const { return !columns_.empty(); }
  /// Positions of the columns that stand in the files.
  const std::vector<size_t>& recordColumns() const { return record_columns_; }
  /// The folder of a row.
  std::string pathOf(const Batch& batch, size_t row) const;
  /// Whether two rows of a batch are in one folder, told cheaply; false may also mean it is not known.
  bool samePath(const Batch& batch, size_t row, size_t other) const;

 private:
  struct PartitionColumn {
    size_t index;
    DataType type;
    std::string prefix;  // `name=`
  };
  std::vector<PartitionColumn> columns_;
  std::vector<size_t> record_columns_;
  std::string default_name_;
};

}  // namespace thalweg::worker
