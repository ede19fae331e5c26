// Turns SQL text into syntax trees.
//
// A failure is a PARSE_ERROR whose position spans the token at fault; `renderError` draws it.
// Text is bounded: kStatementBytesMax, kNestingDepthMax, kExpressionDepthMax (ast_expression.h).
// Threads: free functions without state; call from anywhere.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/status.h"
#include "common/sql/ast.h"
#include "common/sql/script.h"

namespace thalweg::sql {

inline constexpr std::size_t kStatementBytesMax = std::size_t{8} << 20;
/// Parentheses, sub-queries, CASEs and types within each other.
inline constexpr int kNestingDepthMax = 400;

/// One statement, with or without a `;` behind it.
Result<StatementPtr> parseStatement(std::string_view text);

/// One statement of a script, with positions within the script.
Result<StatementPtr> parseStatement(const ScriptStatement& piece);

/// All statements of a script, with positions within the whole text; empty ones are dropped.
Result<std::vector<StatementPtr>> parseScript(std::string_view text);

/// One expression and nothing else, as in a computed column.
Result<ExprPtr> parseExpression(std::string_view text);

/// One query and nothing else, as in a view.
Result<QueryPtr> parseQuery(std::string_view text);

/// One type and nothing else, as in `DataTypes.of("ROW<a INT>")`.
Result<TypeSpec> parseType(std::string_view text);

}  // namespace thalweg::sql
