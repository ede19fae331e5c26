// FileReader: reads file splits through a format's decoder, and adds what the path knows (partition values, metadata).
#pragma once

#include "worker/connectors/connector_registry.h"

namespace thalweg::worker {

Result<std::unique_ptr<SourceReader>> makeFileReader(const SourceSpec& spec, const Schema& output, const ConnectorEnvironment& environment);

}  // namespace thalweg::worker
