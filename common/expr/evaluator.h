// ExprProgram: bound expressions compiled for one operator instance, evaluated a batch at a time.
//
// Compiling shares equal deterministic sub-expressions, makes the kernels, and folds nothing (the planner did).
// evaluate() gives one vector per expression, each with batch.rows() rows. AND, OR, CASE evaluate later operands
// only on rows that need them when those can fail; else whole columns (faster).
// Threads: one owner at a time (kernels keep scratch). Errors: the first failing row's Status, with the expression's
// text as context.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "common/base/status.h"
#include "common/columnar/batch.h"
#include "common/expr/bound_expr.h"

namespace thalweg {

class ExprProgram {
 public:
  static Result<std::unique_ptr<ExprProgram>> compile(std::vector<BoundExprPtr> expressions);
  ~ExprProgram();

  /// One vector per expression over all rows of `batch` (row kinds and marks are not looked at).
  Result<std::vector<VectorPtr>> evaluate(EvalContext& context, const Batch& batch);
  /// For a single BOOLEAN expression: appends the rows where it is TRUE (ascending).
  Status select(EvalContext& context, const Batch& batch, std::vector<RowIndex>& rows);
  /// For a BOOLEAN expression and others behind it: the rows of `batch` where the first is TRUE (as Batch::select() gives
  /// them), with the others over these rows as columns. What the first and the others share is computed once.
  Result<Batch> filter(EvalContext& context, const Batch& batch);

 private:
  ExprProgram();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A constant expression's value (planner's folding, literals in DDL).
Result<Value> evaluateConstant(const BoundExprPtr& expression, EvalContext& context);

}  // namespace thalweg
