// The cases that every operator must answer alike in all ways the harness runs them: rows in, messages out.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/worker/operators/operator_case.h"

namespace thalweg::worker {

inline const Types kTimed = {kTime, kText, kInt};   // when, who, how much

struct Case {
  std::string name;
  OperatorSpec spec;
  std::vector<Types> inputs;
  Types output;
  std::vector<std::pair<int, Messages>> feed;   ///< input, messages
  Messages answers;
  bool ordered = true;
  bool batch_mode = false;
};

/// What the operator answers in every way the harness runs it.
Messages answersOf(const Case& c);

inline SortKey by(int column, SortDirection direction = SortDirection::ASCENDING) { return {column, direction, NullOrder::LAST}; }

std::vector<Case> rowCases();        ///< what looks at rows alone, or keeps a row per key
std::vector<Case> aggregateCases();  ///< groups, OVER
std::vector<Case> windowCases();
std::vector<Case> rankCases();       ///< Top-N, deduplication, order, limits
std::vector<Case> timedJoinCases();

}  // namespace thalweg::worker
