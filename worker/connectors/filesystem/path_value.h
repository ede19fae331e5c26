// PathValue: a column that is the same for all rows of a file, because the path or the file's attributes tell it: partition
// columns and metadata.
//
// Errors: PLAN_ERROR for metadata that does not exist; RUNTIME_ERROR for partition values that are not of the column's type.
// Threads: immutable.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "common/plan/operator_spec.h"
#include "common/types/time_zone.h"
#include "worker/connectors/filesystem/file_split.h"

namespace thalweg::worker {

/// `k=v` folders between a table's root and a file, unescaped.
using PartitionValues = std::map<std::string, std::string>;

class PathValue {
 public:
  /// Nothing for columns that stand in the records.
  static Result<std::optional<PathValue>> of(const SourceSpec& spec, const SourceSpec::Output& column);

  const DataType& type() const { return type_; }
  /// Whether the folders alone tell it, and these do.
  bool isToldBy(const PartitionValues& partition) const { return origin_ == Origin::PARTITION && partition.contains(partition_key_); }
  /// Of a file; of a folder, if its partition values tell this one.
  Result<Value> of(const FileSplit& file, const PartitionValues& partition, const TimeZone& zone) const;

 private:
  enum class Origin : uint8_t { PARTITION, PATH, NAME, SIZE, MODIFIED };

  static Result<Origin> metadataOrigin(const std::string& key);
  Result<Value> partitionValue(const PartitionValues& partition, const TimeZone& zone) const;

  Origin origin_ = Origin::PARTITION;
  std::string partition_key_;
  std::string default_partition_;
  DataType type_;
};

}  // namespace thalweg::worker
