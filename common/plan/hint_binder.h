// Query hints: `SELECT /*+ BROADCAST(t), STATE_TTL('t' = '1d') */`. They choose a way, never an answer; here they are
// only checked. Errors: PLAN_ERROR naming what is unknown. Threads: pure functions.
#pragma once

#include <vector>

#include "common/plan/scope.h"
#include "common/sql/ast_query.h"

namespace thalweg {

/// Known names, tables of the query, options of the right form.
Status checkQueryHints(const std::vector<sql::Hint>& hints, const Scope& scope);

}  // namespace thalweg
