// Parses, writes, parses again and compares: what every statement must survive.
#pragma once

#include <string>
#include <string_view>

#include "common/sql/ast.h"

namespace thalweg::sql {

/// The statement with parentheses around every operator, which shows how its tree nests.
std::string nesting(const Statement& statement);
std::string nesting(const Expr& expr);

/// How the parser nests an expression, or the failure's message.
std::string nestingOf(std::string_view expression);

/// Empty if the text survives, else what went wrong.
std::string roundTripFault(std::string_view text);

}  // namespace thalweg::sql
