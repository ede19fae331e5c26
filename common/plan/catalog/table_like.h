// LIKE in CREATE TABLE: what is taken over from another table.
#pragma once

#include "common/base/status.h"
#include "common/plan/binder/bind_environment.h"
#include "common/sql/ast.h"

namespace thalweg {

/// Merges the other table into the declared one: inherited columns first. Gives the number of inherited columns.
/// `declares_key`: the new table has a PRIMARY KEY of its own.
Result<size_t> mergeLike(const BindEnvironment& environment, const sql::LikeClause& like, bool declares_key,
                         TableDefinition& definition);

}  // namespace thalweg
