// FileEnumerator: the files of a table as splits (file_split.h); with source.monitor-interval new files keep coming.
//
// Listing happens in next(), first when the first reader asks. Of a partitioned table only files in folders that name all
// partition columns count, and of those the ones that the scan's conditions on paths admit (path_filter.h). A snapshot holds
// the splits not handed out and the paths already seen.
#pragma once

#include "worker/connectors/connector_registry.h"

namespace thalweg::worker {

Result<std::unique_ptr<SplitEnumerator>> makeFileEnumerator(const SourceSpec& spec, int parallelism,
                                                            const ConnectorEnvironment& environment);

}  // namespace thalweg::worker
