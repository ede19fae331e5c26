// OverPartition: what a streaming OVER aggregation keeps per key.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "common/columnar/batch.h"
#include "worker/operators/aggregate/accumulators.h"

namespace thalweg::worker {

struct OverPartition {
  struct Waiting {
    uint64_t timer = 0;            ///< registration of the timer of this key and time
    std::string bytes;
  };
  struct Folded {
    EventTime time = 0;
    std::string bytes;
  };
  std::multimap<EventTime, Waiting> waiting;   ///< rows ahead of the watermark
  std::deque<Folded> frame;                    ///< rows in the accumulators that are to leave them again
  std::deque<std::string> recent;              ///< the last rows, for LAG
  EventTime last_time = kMinWatermark;         ///< of the last row answered
  int64_t rows = 0;                            ///< answered so far
  int64_t rank = 0;
  int64_t dense_rank = 0;
  Accumulators accumulators;

  void serialize(std::string& out) const;
  Status deserialize(std::string_view bytes, const std::shared_ptr<AggregateSet>& set);

  /// A table whose payloads are pointers to OverPartition.
  static KeyedTableSpec tableSpec(std::shared_ptr<AggregateSet> set, bool fixed_keys);
};

}  // namespace thalweg::worker
