// FileReader: reads file splits through a format's decoder, a megabyte at a time, and adds what the paths tell. Files that
// are compressed, by their names, are unpacked on the way; restored in the middle of one, it is unpacked again up to there.
//
// Failures name the file, the line and what the decoder found there.
#pragma once

#include "worker/connectors/connector_registry.h"

namespace thalweg::worker {

Result<std::unique_ptr<SourceReader>> makeFileReader(const SourceSpec& spec, const Schema& output, const ConnectorEnvironment& environment);

}  // namespace thalweg::worker
