// What the exchange between two processes costs beside a bare gRPC stream of the same frames, on the loopback of this
// machine, without and with mutual TLS; and how long a bare message takes there and back.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/status.h"

namespace thalweg::bench {

struct ExchangeBenchOptions {
  int64_t frames = 8000;
  int64_t rows = 8192;             ///< of a frame, two BIGINT each
  int64_t round_trips = 20000;     ///< 0: none
  int repeat = 5;                  ///< of each, in turn
  std::string results = "bench/results/exchange.jsonl";
  std::string end;                 ///< of the other process: what it is
  std::string certificates;        ///< of the other process: the folder; empty: no TLS
};

/// Prints a JSON line a run, and one a comparison.
Status runExchangeBench(const ExchangeBenchOptions& options);

/// The other process: `bare`, `echo` or `exchange`.
Status runExchangeEnd(const ExchangeBenchOptions& options);

}  // namespace thalweg::bench
