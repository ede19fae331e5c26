// Grouping: GROUP BY and the aggregate calls of one SELECT.
//
// Made in two steps: the calls of all clauses are gathered and bound over the input, then one AGGREGATE is built;
// afterwards the clauses are bound again, each call and grouping key standing for a column of its output.
// Threads: one binding.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/plan/binder/relation.h"
#include "common/plan/binder/scope_context.h"
#include "common/plan/expressions/expression_binder.h"

namespace thalweg {

/// One aggregate call bound over its arguments: types, casts, DISTINCT; columns are left to the caller.
struct BoundAggregate {
  AggregateCallSpec spec;
  std::vector<BoundExprPtr> arguments;
  BoundExprPtr filter;
  std::vector<std::pair<BoundExprPtr, SortKey>> order;
};
Result<BoundAggregate> bindAggregateCall(ExpressionBinder& binder, const sql::FunctionCall& call);

class Grouping {
 public:
  /// `input` is what aggregates and keys are bound over; it may append columns to `node` (sub-queries).
  Grouping(const BindEnvironment& environment, RowContext& input, const Scope& scope, RowContext* outer, LogicalNodePtr from)
      : environment_(environment), input_(input), scope_(scope), outer_(outer), from_(std::move(from)) {}

  Status bindGroupBy(const sql::GroupBy& group_by);
  /// Gathers aggregate calls and GROUP BY's auxiliary functions below `expr`.
  Status gather(const sql::Expr& expr);
  /// The AGGREGATE over `node`, which holds all columns that were bound so far.
  Result<LogicalNodePtr> build(LogicalNodePtr node);

  // Answers for clauses above the aggregate.
  BoundExprPtr resultOf(const sql::FunctionCall& call) const;
  /// The key that `expr` is, or null.
  Result<BoundExprPtr> keyOf(const sql::Expr& expr) const;
  Result<std::optional<NamedColumn>> keyColumn(const sql::QualifiedName& name) const;
  Result<BoundExprPtr> groupFunction(const sql::FunctionCall& call) const;
  bool isKey(const BoundExpr& input_expr, BoundExprPtr& key) const;
  const Scope& scope() const { return scope_; }
  /// Whether the query has a GROUP BY at all.
  bool hasKeys() const { return !keys_.empty() || window_.has_value(); }

 private:
  struct Key {
    const sql::Expr* ast;
    BoundExprPtr bound;
    int column = -1;      ///< of the output
    DataType type;
  };
  struct Call {
    BoundAggregate bound;
    int column = -1;      ///< of the output
  };
  struct WindowKey {
    WindowSpec spec;
    BoundExprPtr time;
    TimeAttribute attribute;
    std::string function;  ///< TUMBLE, HOP, SESSION
  };

  Result<std::vector<std::vector<int>>> bindItem(const sql::GroupItem& item);
  Result<std::vector<int>> bindKeys(const std::vector<sql::ExprPtr>& exprs);
  Result<std::vector<int>> bindElement(const sql::GroupItem& item);
  Result<int> bindKey(const sql::Expr& expr);
  Result<bool> bindWindowKey(const sql::Expr& expr);
  Result<WindowKey> windowOf(const sql::FunctionCall& call, const std::string& function) const;
  Status bindCall(const sql::FunctionCall& call);
  Result<int64_t> keyMask(const sql::FunctionCall& call, size_t set) const;
  Result<BoundExprPtr> windowProperty(const sql::FunctionCall& call, const std::string& name) const;
  Result<BoundExprPtr> perSet(const std::vector<int64_t>& values) const;
  BoundExprPtr column(int index) const;

  const BindEnvironment& environment_;
  RowContext& input_;
  const Scope& scope_;
  RowContext* outer_;
  LogicalNodePtr from_;                 ///< the plan that `scope` names the columns of
  std::vector<Key> keys_;
  bool has_sets_ = false;
  std::vector<std::vector<int>> sets_;
  std::optional<WindowKey> window_;
  std::vector<Call> aggregates_;
  std::map<const sql::FunctionCall*, size_t> call_of_;
  Schema output_;
  int set_column_ = -1;
  int property_column_ = -1;  ///< the first window property: start, end, time
};

/// What clauses above an aggregate see: keys, aggregate results, nothing else of the input.
class GroupedContext : public ScopeContext {
 public:
  GroupedContext(const Grouping& grouping, RowContext* outer, std::string clause_name)
      : ScopeContext(grouping.scope(), outer, std::move(clause_name)), grouping_(grouping) {}
  Result<NamedColumn> column(const sql::QualifiedName& name) override;
  Result<std::optional<NamedColumn>> findColumn(const sql::QualifiedName& name) override;
  Result<BoundExprPtr> replacement(const sql::Expr& expr) override { return grouping_.keyOf(expr); }
  Result<BoundExprPtr> aggregate(const sql::FunctionCall& call) override;
  Result<BoundExprPtr> groupFunction(const sql::FunctionCall& call) override { return grouping_.groupFunction(call); }

 private:
  const Grouping& grouping_;
};

/// Whether `expr` is a call of an aggregate function without OVER.
const sql::FunctionCall* asAggregateCall(const sql::Expr& expr);
/// Whether such a call stands in `expr`, in OVER clauses too.
bool hasAggregate(const sql::Expr& expr);

}  // namespace thalweg
