// Small makers of syntax trees, and the marks that stand in them for what SQL has no words for.
//
// A mark is a FunctionCall whose name begins with `$`: `$as`, `$asc`, `$desc`, `$rowtime`, `$proctime`, `$start`, `$end`,
// `$rows`, `$range`, `$with`, `$without`, `$all`. They are replaced before a tree is bound (projection.h, group_window.cc).
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "client/api/thalweg/expression.h"
#include "common/sql/ast.h"

namespace thalweg::api {

inline sql::Identifier identifier(std::string text) { return {std::move(text), {}, true}; }
inline sql::QualifiedName qualifiedName(std::vector<std::string> parts) {
  sql::QualifiedName name;
  for (std::string& part : parts) name.parts.push_back(identifier(std::move(part)));
  return name;
}

/// ROW with fields named f0, f1, … as the Table API has them.
inline constexpr const char* kRowFunction = "$ROW";

sql::ExprPtr columnNode(std::vector<std::string> path);
sql::ExprPtr callNode(std::string_view function, std::vector<sql::ExprPtr> args);
sql::ExprPtr operatorNode(std::string_view op, std::vector<sql::ExprPtr> operands);
sql::ExprPtr integerNode(int64_t value);
sql::ExprPtr stringNode(std::string text);
sql::ExprPtr intervalNode(int64_t amount, sql::TimeUnit unit);
sql::ExprPtr castNode(sql::ExprPtr operand, const DataType& type, bool is_try);
/// A constant of the engine; typed as SQL types it, with a CAST where that differs from `type`.
sql::ExprPtr literalNode(const Value& value, const DataType& type);

/// The call if `expr` is one of that name (marks are calls, too), or null.
const sql::FunctionCall* asCall(const sql::Expr& expr, std::string_view name);
/// A plain column's name; empty for anything else.
std::string columnNameOf(const sql::Expr& expr);

}  // namespace thalweg::api
