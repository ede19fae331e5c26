// The `nexmark` connector: the public benchmark's event stream, made on the fly.
//
// Event numbers are dealt to subtasks in blocks, in turn, so that each subtask's times ascend. A split is a subtask's
// share: first block, stride, next event. The table must have the suite's columns: event_type, person, auction, bid.
#pragma once

#include "worker/connectors/connector_registry.h"

namespace thalweg::worker {

Result<std::unique_ptr<SourceReader>> makeNexmarkReader(const SourceSpec& spec, const Schema& output, const ConnectorEnvironment& environment);
Result<std::unique_ptr<SplitEnumerator>> makeNexmarkEnumerator(const SourceSpec& spec, int parallelism,
                                                               const ConnectorEnvironment& environment);

}  // namespace thalweg::worker
