// Parts of operators as people read them in plans and EXPLAIN. Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "common/plan/operator_spec.h"

namespace thalweg {

std::string columnListText(const std::vector<int>& columns, const Schema& schema);
std::string sortKeysText(const std::vector<SortKey>& keys, const Schema& schema);
/// `SUM(DISTINCT price) FILTER flag`.
std::string aggregateCallText(const AggregateCallSpec& call, const Schema& input);
/// `TUMBLE(size=[10 min], timeCol=[ts])`.
std::string windowSpecText(const WindowSpec& window, const Schema& input);
/// `ROWS BETWEEN 2 PRECEDING AND CURRENT ROW`.
std::string frameText(const OverAggregateSpec& window);
std::string matchText(const MatchSpec& match, const Schema& input);
/// `10 min`, `1 d`, `500 ms`: the largest unit that divides.
std::string durationText(int64_t millis);

}  // namespace thalweg
