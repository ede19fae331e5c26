// FileEnumerator: the files of a table as splits, one per file; with source.monitor-interval new files keep coming.
//
// A split is the fields path, offset, size (at discovery), modification time. Listing happens in next(), first when the
// first reader asks. A snapshot holds the splits not handed out and the paths already seen.
#pragma once

#include <set>

#include "worker/connectors/connector_registry.h"
#include "worker/connectors/split_list.h"

namespace thalweg::worker {

struct FileSplit {
  std::string path;
  int64_t offset = 0;
  int64_t size_bytes = 0;
  int64_t modified_ms = 0;

  std::string encode() const;
  static Result<FileSplit> decode(std::string_view bytes);
};

Result<std::unique_ptr<SplitEnumerator>> makeFileEnumerator(const SourceSpec& spec, int parallelism,
                                                            const ConnectorEnvironment& environment);

}  // namespace thalweg::worker
