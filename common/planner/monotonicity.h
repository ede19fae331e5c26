// Which way the columns of a changelog's keys move: what lets a Top-N over updates keep only its N rows.
//
// For a stream without deletes, per column: does an update of a key leave the value (CONSTANT), only raise it
// (INCREASING), only lower it (DECREASING), or is nothing known (NONE)? COUNT only grows, MIN only falls, SUM grows
// when its values are known not to be negative.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/planner/physical_builder.h"

namespace thalweg {

enum class Monotonicity : uint8_t { CONSTANT, INCREASING, DECREASING, NONE };

/// Per output column of `draft`; nothing where rows may be deleted, or the operator is not looked into.
std::optional<std::vector<Monotonicity>> monotonicityOf(const Draft& draft);

/// Whether updates of `draft`'s rows only ever move them towards the front of this order.
bool movesForward(const Draft& draft, const std::vector<SortKey>& order);

}  // namespace thalweg
