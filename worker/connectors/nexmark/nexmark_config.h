// NexmarkConfig: the parameters of the Nexmark event stream, by the option names of the public Flink suite.
// Defaults: person : auction : bid = 1 : 3 : 46, 100 auctions in flight, 1,000 active people.
#pragma once

#include <cstdint>

#include "common/base/status.h"
#include "common/plan/operator_spec.h"

namespace thalweg::worker {

struct NexmarkConfig {
  int64_t events = 0;                ///< 0: without end
  int64_t events_per_second = 10000; ///< of event time
  int64_t base_time_ms = 0;          ///< event time of event 0
  bool has_base_time = false;
  uint64_t seed = 0;
  bool rate_limited = false;
  bool all_columns = false;          ///< make every column, read or not
  int64_t person_proportion = 1;
  int64_t auction_proportion = 3;
  int64_t bid_proportion = 46;
  int64_t person_bytes = 200;
  int64_t auction_bytes = 500;
  int64_t bid_bytes = 100;
  int64_t hot_auction_ratio = 2;
  int64_t hot_bidder_ratio = 4;
  int64_t hot_seller_ratio = 4;

  int64_t period() const { return person_proportion + auction_proportion + bid_proportion; }
  static Result<NexmarkConfig> from(const OptionMap& options);
};

}  // namespace thalweg::worker
