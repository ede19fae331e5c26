// PathColumns: the columns of a filesystem table that a file's path and attributes tell — partition values and metadata —
// put beside the columns that were decoded from it.
//
// Errors: RUNTIME_ERROR for partition values that are not of the column's type. Threads: one owner.
#pragma once

#include <string>
#include <vector>

#include "common/columnar/batch.h"
#include "common/formats/format_decoder.h"
#include "common/plan/operator_spec.h"
#include "common/types/time_zone.h"
#include "worker/connectors/filesystem/file_split.h"

namespace thalweg::worker {

class PathColumns {
 public:
  /// `decoder` gets the columns that must come from the records.
  static Result<PathColumns> of(const SourceSpec& spec, const std::string& root, DecoderSpec& decoder);

  /// The file whose rows come next.
  Status openFile(const FileSplit& split, const TimeZone& zone);
  /// `decoded` with all output columns, in the spec's order.
  Batch complete(const Batch& decoded) const;

 private:
  enum class Origin : uint8_t { RECORD, PARTITION, PATH, NAME, SIZE, MODIFIED };
  struct Output {
    Origin origin = Origin::RECORD;
    size_t decoded = 0;          // RECORD: position among the decoded columns
    std::string partition_key = {};
    DataType type = {};
    Value value = {};            // of the open file
  };

  static Result<Origin> metadataOrigin(const std::string& key);
  Result<Value> partitionValue(const Output& output, const std::map<std::string, std::string>& partition, const TimeZone& zone) const;

  std::string root_;
  std::string default_partition_;
  std::vector<Output> outputs_;
};

}  // namespace thalweg::worker
