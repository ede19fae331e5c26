// Files of COMPILE PLAN: an INSERT or statement set that was checked and kept to be run later by EXECUTE PLAN.
//
// The file holds a line with the form's version and the statement's text; it is planned anew when it is executed.
// Errors: PLAN_ERROR for files that are there already, are missing, or hold something else.
#pragma once

#include <string>

#include "common/base/status.h"
#include "common/sql/ast_statement.h"

namespace thalweg::client {

/// Whether COMPILE PLAN is to write `path`: false if it exists and IF NOT EXISTS was said.
Result<bool> mayWritePlan(const std::string& path, bool if_not_exists);
Status writePlan(const std::string& path, const sql::Statement& statement);
Result<sql::StatementPtr> readPlan(const std::string& path);

}  // namespace thalweg::client
