// OverBinder: the OVER calls of one SELECT → one OVER node for each different window, below the items.
// Errors: PLAN_ERROR with position. Threads: one binding.
#pragma once

#include <map>
#include <vector>

#include "common/plan/binder/aggregate_binder.h"
#include "common/plan/binder/relation.h"
#include "common/plan/expressions/expression_binder.h"

namespace thalweg {

/// The OVER calls in `expr`, outermost only.
void collectOverCalls(const sql::Expr& expr, std::vector<const sql::FunctionCall*>& calls);

class OverBinder {
 public:
  OverBinder(const BindEnvironment& environment, RowContext& rows, const std::vector<sql::NamedWindow>& named)
      : environment_(environment), binder_(environment, rows), named_(named) {}

  /// Appends the calls' results to `node` and enters their columns.
  Status bind(const std::vector<const sql::FunctionCall*>& calls, LogicalNodePtr& node,
              std::map<const sql::FunctionCall*, BoundExprPtr>& results);

 private:
  struct Window {
    std::vector<BoundExprPtr> partition;
    std::vector<std::pair<BoundExprPtr, SortKey>> order;
    bool rows = false;
    std::optional<int64_t> preceding;
    std::optional<int64_t> following;
    SourcePosition position;
  };
  struct Call {
    const sql::FunctionCall* ast;
    std::string function;
    BoundAggregate bound;
    size_t window;
  };

  Result<sql::WindowSpec> specOf(const sql::OverClause& over) const;
  Result<const sql::WindowSpec*> named(const sql::Identifier& name) const;
  Result<Window> bindWindow(const sql::WindowSpec& spec);
  Status bindFrame(const sql::WindowSpec& spec, Window& window);
  Result<std::optional<int64_t>> bindBound(const sql::FrameBound& bound, bool start, const Window& window);
  Result<BoundAggregate> bindRanking(const sql::FunctionCall& call, const std::string& name);
  Status build(size_t window, std::vector<Call>& calls, LogicalNodePtr& node,
               std::map<const sql::FunctionCall*, BoundExprPtr>& results);
  static bool same(const Window& a, const Window& b);

  const BindEnvironment& environment_;
  ExpressionBinder binder_;
  const std::vector<sql::NamedWindow>& named_;
  std::vector<Window> windows_;
};

}  // namespace thalweg
