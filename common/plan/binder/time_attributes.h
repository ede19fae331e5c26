// Checks that windows stand on time attributes that are still alive.
//
// A column that was a time attribute keeps its mark through every join, as Flink prints it; but only interval joins,
// temporal joins, window joins and UNNEST keep the time itself: after a regular join, a semi or an anti join rows may
// come in any order, so windows, OVER and time sorts on such a column are refused in streaming mode.
// Errors: PLAN_ERROR naming the column. Threads: pure functions.
#pragma once

#include "common/base/status.h"
#include "common/plan/logical_plan.h"

namespace thalweg {

/// Walks the whole plan of a streaming query.
Status checkTimeAttributes(const LogicalNode& root);
/// The same of a query in batch mode, which has no watermarks to ask for.
Status checkNoWatermarks(const LogicalNode& root);

/// Whether `expr` over `input` is a row time after arithmetic: `ts - INTERVAL '1' HOUR`, CASE or COALESCE of row times,
/// also computed further below. Group windows and OVER take such a time, as in Flink; window table functions and ORDER
/// BY need the column itself.
bool derivesFromRowTime(const BoundExpr& expr, const LogicalNode& input);

}  // namespace thalweg
