// The `blackhole` connector: takes any rows and keeps none, but reads every byte of them, so that measurements
// measure what a real sink would be handed.
//
// blackholeTotals() has what the process has swallowed so far: rows, bytes of values, and a checksum that depends
// on neither the order of rows nor how they were cut into batches. Threads: any.
#pragma once

#include <cstdint>
#include <memory>

#include "worker/connectors/connector_registry.h"

namespace thalweg::worker {

struct BlackholeTotals {
  uint64_t rows = 0;
  uint64_t bytes = 0;
  uint64_t checksum = 0;
};
BlackholeTotals blackholeTotals();

Result<std::unique_ptr<SinkWriter>> makeBlackholeSink(const SinkSpec& spec, const ConnectorEnvironment& environment);

}  // namespace thalweg::worker
