// Query hints: `SELECT /*+ BROADCAST(t), STATE_TTL('t' = '1d') */`. But for STATE_TTL they choose a way, never an answer, and
// are only checked. Errors: PLAN_ERROR naming what is unknown. Threads: pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "common/plan/binder/scope.h"
#include "common/sql/ast.h"

namespace thalweg {

/// Whether it is the name of a hint for queries, in any case.
bool isQueryHint(std::string_view name);
/// Known names, tables of the query and its sub-queries, options of the right form.
Status checkQueryHints(const sql::SelectBody& select, const Scope& scope);

/// How long state is kept that holds rows of a table of the query, by the table's name in the hint, in ms.
using StateTtls = std::map<std::string, int64_t>;
/// The STATE_TTL hints of a query; what is wrong with them checkQueryHints() says.
StateTtls stateTtlsOf(const sql::SelectBody& select);
/// That of a relation which is one table.
std::optional<int64_t> stateTtlOf(const StateTtls& ttls, const Scope& scope);

}  // namespace thalweg
