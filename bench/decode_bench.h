// Decoding alone: bids in memory as lines of csv or json, through the format's decoder into columns, and nothing else.
//
// The lines are what the engine writes; they are made and read before the clock starts. Each column is finished, none is
// looked at. `bench decode` beside it reads files and sums every byte in a sink.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/status.h"

namespace thalweg::bench {

struct DecodeOptions {
  std::string format;
  std::string folder = "bench/nexmark";
  int64_t events = 2'000'000;
  int rounds = 3;                ///< the cheapest counts
};

/// A JSON line.
Result<std::string> runDecodeAlone(const DecodeOptions& options);

}  // namespace thalweg::bench
