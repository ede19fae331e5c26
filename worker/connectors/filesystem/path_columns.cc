#include "worker/connectors/filesystem/path_columns.h"

#include <algorithm>

#include "common/plan/catalog/option_spec.h"
#include "worker/connectors/filesystem/file_listing.h"

namespace thalweg::worker {

Result<PathColumns> PathColumns::of(const SourceSpec& spec, const std::string& root, DecoderSpec& decoder) {
  PathColumns columns;
  columns.root_ = root;
  std::vector<Column> record;
  std::vector<int> record_column(spec.physical.size(), -1);
  for (size_t i = 0; i < spec.physical.size(); ++i) {
    const std::string& name = spec.physical.column(i).name;
    if (std::find(spec.partition_keys.begin(), spec.partition_keys.end(), name) != spec.partition_keys.end()) continue;
    record_column[i] = static_cast<int>(record.size());
    record.push_back(spec.physical.column(i));
  }
  decoder.format = optionValue(spec.options, "format");
  decoder.options = spec.options;
  decoder.record = Schema(std::move(record));
  for (const SourceSpec::Output& wanted : spec.outputs) {
    Output output;
    ASSIGN_OR_RETURN(output.path, PathValue::of(spec, wanted));
    if (!output.path) {
      output.decoded = decoder.wanted.size();
      decoder.wanted.push_back({record_column[static_cast<size_t>(wanted.physical_column)], wanted.used_paths});
    }
    columns.outputs_.push_back(std::move(output));
  }
  return columns;
}

Status PathColumns::openFile(const FileSplit& split, const TimeZone& zone) {
  const PartitionValues partition = partitionValuesOf(root_, split.path);
  for (Output& output : outputs_) {
    if (!output.path) continue;
    ASSIGN_OR_RETURN(output.value, output.path->of(split, partition, zone));
  }
  return {};
}

Batch PathColumns::complete(const Batch& decoded) const {
  std::vector<VectorPtr> columns;
  for (const Output& output : outputs_) {
    columns.push_back(output.path ? Vector::constant(output.path->type(), output.value, decoded.rows()) : decoded.column(output.decoded));
  }
  return decoded.withColumns(std::move(columns));
}

}  // namespace thalweg::worker
