// PathColumns: the columns of a filesystem table that a file's path and attributes tell — partition values and metadata —
// put beside the columns that were decoded from it.
//
// Errors: those of PathValue. Threads: one owner.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/columnar/batch.h"
#include "common/formats/format_decoder.h"
#include "common/plan/operator_spec.h"
#include "worker/connectors/filesystem/path_value.h"

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
  struct Output {
    std::optional<PathValue> path;   // none: of the records
    size_t decoded = 0;              // its position among the decoded columns
    Value value = {};                // in the open file
  };

  std::string root_;
  std::vector<Output> outputs_;
};

}  // namespace thalweg::worker
