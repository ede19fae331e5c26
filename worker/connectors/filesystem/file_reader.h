// FileReader: reads file splits through a format's decoder, a megabyte at a time, and adds what the paths tell.
//
// Failures name the file, the line and what the decoder found there.
#pragma once

#include "worker/connectors/connector_registry.h"

namespace thalweg::worker {

Result<std::unique_ptr<SourceReader>> makeFileReader(const SourceSpec& spec, const Schema& output, const ConnectorEnvironment& environment);

}  // namespace thalweg::worker
