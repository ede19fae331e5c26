// OverCalls: the calls of an OVER aggregation, sorted into aggregates (an AggregateSet) and ranking functions.
//
// Threads: as the operator.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "worker/operators/aggregate/aggregate_set.h"

namespace thalweg::worker {

enum class OverFunction : uint8_t { AGGREGATE, ROW_NUMBER, RANK, DENSE_RANK, NTILE, PERCENT_RANK, CUME_DIST, LAG, LEAD };

struct OverCalls {
  struct Call {
    OverFunction function = OverFunction::AGGREGATE;
    size_t aggregate = 0;                     ///< number within the set, if AGGREGATE
    AggregateCallSpec spec;
    bool order_sensitive = false;

    /// Rows back (LAG) or ahead (LEAD); buckets (NTILE).
    int64_t distance() const;
    /// Column and default of LAG and LEAD.
    int valueColumn() const { return spec.arguments[0]; }
    bool hasDefault() const { return spec.arguments.size() > 2; }
  };

  static Result<OverCalls> make(const OverAggregateSpec& spec, bool needs_retraction, bool batch_mode);

  std::vector<Call> calls;                    ///< in output order
  std::shared_ptr<AggregateSet> aggregates;   ///< never null; may be empty
};

/// Values of LAG or LEAD: row targets[i] of the call's column, or for kOutside its default of row rows[i].
VectorPtr shiftedValues(const OverCalls::Call& call, const Batch& batch, const std::vector<RowIndex>& rows, const std::vector<RowIndex>& targets);
constexpr RowIndex kOutside = ~RowIndex{0};

}  // namespace thalweg::worker
