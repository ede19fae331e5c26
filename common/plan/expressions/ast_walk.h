// Walks over syntax trees of expressions, without entering sub-queries. Threads: pure functions.
#pragma once

#include <functional>

#include "common/sql/ast.h"

namespace thalweg {

/// Calls `visit` with each direct part of `expr`: operands, arguments, filters, the parts of its OVER clause.
void forEachPart(const sql::Expr& expr, const std::function<void(const sql::Expr&)>& visit);
/// Parts of a window specification.
void forEachPart(const sql::WindowSpec& spec, const std::function<void(const sql::Expr&)>& visit);
/// Whether `holds` for `expr` or any part below it.
bool anyPart(const sql::Expr& expr, const std::function<bool(const sql::Expr&)>& holds);

/// Whether a query stands in it: EXISTS, IN (query), a scalar query, a quantified query.
bool hasSubquery(const sql::Expr& expr);
/// Operands of nested ANDs.
void splitAnd(const sql::ExprPtr& expr, std::vector<sql::ExprPtr>& operands);

}  // namespace thalweg
