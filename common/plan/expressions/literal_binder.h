// Turns literals as they were written into typed constants.
//
// Types are Flink's: 'abc' CHAR(3), 1.50 DECIMAL(3, 2), 1e0 DOUBLE, TIMESTAMP '.. 12:00:00.7' TIMESTAMP(1), all NOT NULL.
// Errors: PLAN_ERROR at the literal. Threads: pure functions.
#pragma once

#include "common/base/status.h"
#include "common/expr/bound_expr.h"
#include "common/sql/ast_expression.h"

namespace thalweg {

Result<BoundExprPtr> bindLiteral(const sql::Literal& literal, const TimeZone& zone);
Result<BoundExprPtr> bindInterval(const sql::IntervalLiteral& literal);

}  // namespace thalweg
