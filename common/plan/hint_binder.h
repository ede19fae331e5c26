// Query hints: `SELECT /*+ BROADCAST(t), STATE_TTL('t' = '1d') */`. They choose a way, never an answer; here they are
// only checked. Errors: PLAN_ERROR naming what is unknown. Threads: pure functions.
#pragma once

#include <vector>

#include "common/plan/scope.h"
#include "common/sql/ast.h"

namespace thalweg {

/// Known names, tables of the query and its sub-queries, options of the right form.
Status checkQueryHints(const sql::SelectBody& select, const Scope& scope);

}  // namespace thalweg
