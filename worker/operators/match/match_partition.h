// MatchPartition: what MATCH_RECOGNIZE keeps per partition.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/columnar/batch.h"
#include "common/runtime_api/state.h"

namespace thalweg::worker {

/// Rows taken per variable of the pattern, in its order.
using MatchCounts = std::vector<uint32_t>;

/// A way to go on: the variable that may take the next row, and the rows taken so far.
struct MatchThread {
  uint32_t variable = 0;
  MatchCounts counts;
};

/// All ways to match from one row on.
struct MatchStart {
  int64_t row = 0;                             ///< number of the first row
  EventTime time = 0;
  std::vector<MatchThread> threads;            ///< the most wanted first
  std::optional<MatchCounts> found;            ///< the match, once there is one
};

struct MatchPartition {
  struct Row {
    EventTime time = 0;
    uint64_t flags = 0;                        ///< bit v: the row fulfils variable v by itself
    std::string bytes;
  };
  struct Waiting {
    uint64_t timer = 0;                        ///< registration of the timer of this partition and time
    Row row;
  };
  struct Expiry {
    EventTime time = 0;
    uint64_t timer = 0;
  };
  /// Time, then secondary sort key; equal ones by arrival.
  std::multimap<std::pair<EventTime, std::string>, Waiting> waiting;
  std::deque<Row> rows;                        ///< from the first row of the oldest start on
  int64_t first_row = 0;                       ///< number of rows.front()
  std::deque<MatchStart> starts;               ///< by row
  std::optional<Expiry> expiry;                ///< timer of the oldest start under WITHIN

  int64_t endRow() const { return first_row + static_cast<int64_t>(rows.size()); }
  const Row& row(int64_t number) const { return rows[static_cast<size_t>(number - first_row)]; }
  /// Forgets rows that no start needs.
  void trim();

  void serialize(std::string& out) const;
  static Status deserialize(std::string_view bytes, MatchPartition& into);
};

}  // namespace thalweg::worker
