// What the random values of a job start from: `thalweg.exec.random-seed`, or something that no other job has.
//
// Attempts of a job share it, in all its processes. Threads: any.
#pragma once

#include <cstdint>

#include "common/config/configuration.h"

namespace thalweg::client {

uint64_t randomSeedOf(const Configuration& configuration);

}  // namespace thalweg::client
