// The `blackhole` connector: takes any rows and keeps none, but reads every byte of them, so that measurements
// measure what a real sink would be handed.
//
// blackholeTotals() has what the process has swallowed so far: rows, bytes of values, and a checksum that depends
// on neither the order of rows nor how they were cut into batches. Threads: any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "worker/connectors/connector_registry.h"

namespace thalweg::worker {

struct BlackholeTotals {
  uint64_t rows = 0;
  uint64_t bytes = 0;
  uint64_t checksum = 0;
};
BlackholeTotals blackholeTotals();

/// Is given every batch, from the writers' threads at once. To be set while no job runs; for measurements.
using BlackholeObserver = std::function<void(const Batch&)>;
void observeBlackhole(BlackholeObserver observe);

Result<std::unique_ptr<SinkWriter>> makeBlackholeSink(const SinkSpec& spec, const ConnectorEnvironment& environment);

}  // namespace thalweg::worker
