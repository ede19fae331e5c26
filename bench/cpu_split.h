// CpuSplit: which rooms of the engine a process's CPU time goes to, by a timer that looks at the stack every millisecond.
//
//   startCpuSamples();  …work…  ASSIGN_OR_RETURN(const CpuSplit split, stopCpuSamples());
//
// A sample belongs to the innermost function on its stack that is known to belong to a room; snapshots and what stores
// them come first, so that state which is written down counts as checkpoint. Shares of one run are good to a few per cent.
// Threads: start and stop from one; all threads are sampled.
#pragma once

#include <cstddef>

#include "common/base/status.h"

namespace thalweg::bench {

/// Shares of all samples.
struct CpuSplit {
  double source = 0;
  double exchange = 0;
  double operators = 0;      ///< sinks, too
  double state = 0;
  double checkpoint = 0;
  double other = 0;
  size_t samples = 0;
};

void startCpuSamples();
/// Reads the program's own symbols with `nm`; without them NOT_SUPPORTED.
Result<CpuSplit> stopCpuSamples();

}  // namespace thalweg::bench
