// MATCH_RECOGNIZE → a MATCH node over the columns that its clauses read.
//
// Refuses what Flink refuses: patterns with groups, alternatives, exclusions or permutations, greedy last variables,
// patterns that can match nothing, ALL ROWS PER MATCH, physical offsets, DISTINCT aggregates.
// Errors: PLAN_ERROR with position; NOT_SUPPORTED names what is not built. Threads: one binding.
#pragma once

#include <string>
#include <vector>

#include "common/plan/binder/bind_environment.h"
#include "common/plan/binder/relation.h"
#include "common/sql/ast.h"

namespace thalweg {

/// The columns of the result are the partition keys and the measures, in a table without a name.
Result<Relation> bindMatch(const BindEnvironment& environment, Relation input, const sql::MatchRecognize& match);

/// The variables of a pattern in sequence, without conditions (match_pattern.cc).
Result<std::vector<MatchVariable>> bindPattern(const sql::MatchRecognize& match);

}  // namespace thalweg
