#include "worker/connectors/filesystem/path_columns.h"

#include <algorithm>

#include "common/plan/catalog/option_spec.h"
#include "common/types/cast_scalar.h"
#include "worker/connectors/filesystem/file_listing.h"

namespace thalweg::worker {
namespace {

bool isPartitionKey(const SourceSpec& spec, const std::string& name) {
  return std::find(spec.partition_keys.begin(), spec.partition_keys.end(), name) != spec.partition_keys.end();
}

}  // namespace

Result<PathColumns::Origin> PathColumns::metadataOrigin(const std::string& key) {
  if (key == "file.path") return Origin::PATH;
  if (key == "file.name") return Origin::NAME;
  if (key == "file.size") return Origin::SIZE;
  if (key == "file.modification-time") return Origin::MODIFIED;
  return Status::plan("the filesystem connector has no metadata '" + key + "'; it has file.path, file.name, file.size, file.modification-time");
}

Result<PathColumns> PathColumns::of(const SourceSpec& spec, const std::string& root, DecoderSpec& decoder) {
  PathColumns columns;
  columns.root_ = root;
  columns.default_partition_ = optionValue(spec.options, "partition.default-name", "__DEFAULT_PARTITION__");
  std::vector<Column> record;
  std::vector<int> record_column(spec.physical.size(), -1);
  for (size_t i = 0; i < spec.physical.size(); ++i) {
    if (isPartitionKey(spec, spec.physical.column(i).name)) continue;
    record_column[i] = static_cast<int>(record.size());
    record.push_back(spec.physical.column(i));
  }
  decoder.format = optionValue(spec.options, "format");
  decoder.options = spec.options;
  decoder.record = Schema(std::move(record));
  for (const SourceSpec::Output& wanted : spec.outputs) {
    Output output;
    output.type = wanted.type;
    if (!wanted.metadata_key.empty()) {
      ASSIGN_OR_RETURN(output.origin, metadataOrigin(wanted.metadata_key));
    } else if (const int column = record_column[static_cast<size_t>(wanted.physical_column)]; column >= 0) {
      output.decoded = decoder.wanted.size();
      decoder.wanted.push_back({column, wanted.used_paths});
    } else {
      output.origin = Origin::PARTITION;
      output.partition_key = spec.physical.column(static_cast<size_t>(wanted.physical_column)).name;
    }
    columns.outputs_.push_back(std::move(output));
  }
  return columns;
}

Status PathColumns::openFile(const FileSplit& split, const TimeZone& zone) {
  const auto partition = partitionValuesOf(root_, split.path);
  // A metadata column may be declared with another type than the connector's: then the value is cast.
  const auto metadata = [&](Output& output, const Value& value, const DataType& native) -> Status {
    ASSIGN_OR_RETURN(output.value, castValue(value, native, output.type, zone));
    return {};
  };
  for (Output& output : outputs_) {
    switch (output.origin) {
      case Origin::RECORD: break;
      case Origin::PARTITION: {
        ASSIGN_OR_RETURN(output.value, partitionValue(output, partition, zone));
        break;
      }
      case Origin::PATH: RETURN_IF_ERROR(metadata(output, Value::string(split.path), DataType::string(false))); break;
      case Origin::NAME: RETURN_IF_ERROR(metadata(output, Value::string(std::string(fileNameOf(split.path))), DataType::string(false))); break;
      case Origin::SIZE: RETURN_IF_ERROR(metadata(output, Value::integer(split.size_bytes), DataType::bigint(false))); break;
      case Origin::MODIFIED: RETURN_IF_ERROR(metadata(output, Value::timestamp({split.modified_ms, 0, 0}), DataType::timestampLtz(3, false))); break;
    }
  }
  return {};
}

Result<Value> PathColumns::partitionValue(const Output& output, const std::map<std::string, std::string>& partition, const TimeZone& zone) const {
  const auto found = partition.find(output.partition_key);
  if (found == partition.end() || found->second == default_partition_) return Value::null();
  std::string text = found->second;
  // A sink writes timestamps in ISO form.
  if (output.type.isTimestamp() && text.size() > 10 && text[10] == 'T') text[10] = ' ';
  if (output.type.isTimestamp() && text.size() == 16) text += ":00";
  const auto value = castValue(Value::string(text), DataType::string(), output.type, zone);
  if (value.isOk()) return value;
  return Status::runtime("partition column '" + output.partition_key + "': expected " + output.type.asNullable().toString() +
                         " in the folder's name, found '" + found->second + "'");
}

Batch PathColumns::complete(const Batch& decoded) const {
  std::vector<VectorPtr> columns;
  for (const Output& output : outputs_) {
    if (output.origin == Origin::RECORD) columns.push_back(decoded.column(output.decoded));
    else columns.push_back(Vector::constant(output.type, output.value, decoded.rows()));
  }
  return decoded.withColumns(std::move(columns));
}

}  // namespace thalweg::worker
