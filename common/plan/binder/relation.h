// Relation: a plan with the names for its columns, and the small steps that grow plans while binding.
//
// Steps only append columns, so that expressions bound before stay valid. Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "common/plan/binder/scope.h"
#include "common/plan/logical_plan.h"

namespace thalweg {

struct Relation {
  LogicalNodePtr node;
  Scope scope;
};

/// One row without columns: SELECT without FROM.
LogicalNodePtr singleRow();
/// PROJECT; time attributes follow the expressions.
LogicalNodePtr project(LogicalNodePtr input, std::vector<BoundExprPtr> expressions, std::vector<std::string> names);
/// Columns of `input` one to one.
std::vector<BoundExprPtr> identityColumns(const Schema& schema);
std::vector<std::string> columnNames(const Schema& schema);
/// FILTER, or the input if there is no condition.
LogicalNodePtr filter(LogicalNodePtr input, std::vector<BoundExprPtr> conditions);
/// JOIN with Flink's nullability; condition may be null.
LogicalNodePtr join(LogicalNodePtr left, LogicalNodePtr right, JoinType type, BoundExprPtr condition);
/// All columns, each different row once.
LogicalNodePtr distinct(LogicalNodePtr input);

/// Gathers expressions that an operator needs as columns: plain columns stay, others go through a PROJECT.
class ColumnSlots {
 public:
  /// `keep_input`: the operator passes its whole input on, so all its columns come first.
  ColumnSlots(LogicalNodePtr input, bool keep_input) : input_(std::move(input)), keep_input_(keep_input) {}

  /// A slot for the expression; equal expressions share one.
  int add(const BoundExprPtr& expression);
  /// The operator's input; slots turn into its columns.
  LogicalNodePtr finish();
  int column(int slot) const { return columns_[static_cast<size_t>(slot)]; }
  const BoundExprPtr& expression(int slot) const { return expressions_[static_cast<size_t>(slot)]; }

 private:
  LogicalNodePtr input_;
  bool keep_input_;
  std::vector<BoundExprPtr> expressions_;
  std::vector<int> columns_;
};

}  // namespace thalweg
