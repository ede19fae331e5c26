// LIKE in CREATE TABLE: what is taken over from another table.
#pragma once

#include "common/base/status.h"
#include "common/plan/binder/bind_environment.h"
#include "common/sql/ast.h"

namespace thalweg {

/// What the new table declares itself, and the definition does not show yet.
struct OwnParts {
  bool key = false;
  bool distribution = false;
};

/// Merges the other table into the declared one: inherited columns first. Gives the number of inherited columns.
Result<size_t> mergeLike(const BindEnvironment& environment, const sql::LikeClause& like, OwnParts own,
                         TableDefinition& definition);

}  // namespace thalweg
