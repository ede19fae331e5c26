// The text of expressions in declared tables, as DESCRIBE and SHOW CREATE print them. Threads: pure functions.
#pragma once

#include <string>

#include "common/sql/ast_expression.h"

namespace thalweg {

/// Like sql::unparse, but functions that Flink's parser does not know by itself stand in back-ticks.
std::string declarationText(const sql::Expr& expr);

}  // namespace thalweg
