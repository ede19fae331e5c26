// The `datagen` connector: rows made at random or from sequences, as fast as `rows-per-second` allows.
//
// Row k of the table is made by subtask k mod parallelism, so sequences are shared out without gaps. The table ends after
// `number-of-rows`, or with its shortest sequence, whichever is first. A split is stride and next row.
#pragma once

#include "worker/connectors/connector_registry.h"

namespace thalweg::worker {

Result<std::unique_ptr<SourceReader>> makeDatagenReader(const SourceSpec& spec, const Schema& output, const ConnectorEnvironment& environment);
Result<std::unique_ptr<SplitEnumerator>> makeDatagenEnumerator(const SourceSpec& spec, int parallelism, const ConnectorEnvironment& environment);

}  // namespace thalweg::worker
