#include "worker/connectors/filesystem/path_value.h"

#include <algorithm>

#include "common/plan/catalog/option_spec.h"
#include "common/types/cast_scalar.h"

namespace thalweg::worker {

Result<PathValue::Origin> PathValue::metadataOrigin(const std::string& key) {
  if (key == "file.path") return Origin::PATH;
  if (key == "file.name") return Origin::NAME;
  if (key == "file.size") return Origin::SIZE;
  if (key == "file.modification-time") return Origin::MODIFIED;
  return Status::plan("the filesystem connector has no metadata '" + key + "'; it has file.path, file.name, file.size, file.modification-time");
}

Result<std::optional<PathValue>> PathValue::of(const SourceSpec& spec, const SourceSpec::Output& column) {
  PathValue value;
  value.type_ = column.type;
  if (!column.metadata_key.empty()) {
    ASSIGN_OR_RETURN(value.origin_, metadataOrigin(column.metadata_key));
    return std::optional<PathValue>(std::move(value));
  }
  value.partition_key_ = spec.physical.column(static_cast<size_t>(column.physical_column)).name;
  value.default_partition_ = optionValue(spec.options, "partition.default-name", "__DEFAULT_PARTITION__");
  const bool is_key = std::find(spec.partition_keys.begin(), spec.partition_keys.end(), value.partition_key_) != spec.partition_keys.end();
  return is_key ? std::optional<PathValue>(std::move(value)) : std::nullopt;
}

Result<Value> PathValue::of(const FileSplit& file, const PartitionValues& partition, const TimeZone& zone) const {
  // A metadata column may be declared with another type than the connector's: then the value is cast.
  switch (origin_) {
    case Origin::PARTITION: return partitionValue(partition, zone);
    case Origin::PATH: return castValue(Value::string(file.path), DataType::string(false), type_, zone);
    case Origin::NAME: return castValue(Value::string(std::string(fileNameOf(file.path))), DataType::string(false), type_, zone);
    case Origin::SIZE: return castValue(Value::integer(file.size_bytes), DataType::bigint(false), type_, zone);
    case Origin::MODIFIED: return castValue(Value::timestamp({file.modified_ms, 0, 0}), DataType::timestampLtz(3, false), type_, zone);
  }
  return Status::internal("unknown column of a path");
}

Result<Value> PathValue::partitionValue(const PartitionValues& partition, const TimeZone& zone) const {
  const auto found = partition.find(partition_key_);
  if (found == partition.end() || found->second == default_partition_) return Value::null();
  std::string text = found->second;
  // A sink writes timestamps in ISO form.
  if (type_.isTimestamp() && text.size() > 10 && text[10] == 'T') text[10] = ' ';
  if (type_.isTimestamp() && text.size() == 16) text += ":00";
  const auto value = castValue(Value::string(text), DataType::string(), type_, zone);
  if (value.isOk()) return value;
  return Status::runtime("partition column '" + partition_key_ + "': expected " + type_.asNullable().toString() +
                         " in the folder's name, found '" + found->second + "'");
}

}  // namespace thalweg::worker
