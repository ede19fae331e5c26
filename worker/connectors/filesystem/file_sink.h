// FileSink: writes rows as part files below the table's folder, one open part per partition.
//
// Parts are hidden while they grow; stage() finishes them all, commit() gives them their names: readers see whole parts
// of completed checkpoints only. They also roll by size and age (sink.rolling-policy.*), judged when rows arrive.
// INSERT OVERWRITE removes, at commit, the files that stood in the table (or in a partition that got rows) when this
// writer first looked; all writers look before any commits. A repeated commit changes nothing.
// Names: part-<uuid of the writer>-<subtask>-<number>, and .gz or .zst where the table says so (sink.compression).
#pragma once

#include "worker/connectors/connector_registry.h"

namespace thalweg::worker {

Result<std::unique_ptr<SinkWriter>> makeFileSink(const SinkSpec& spec, const ConnectorEnvironment& environment);

}  // namespace thalweg::worker
