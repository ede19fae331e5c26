#include "common/plan/binder/scope_context.h"

#include "common/base/edit_distance.h"

namespace thalweg {

BoundExprPtr raiseLevel(const BoundExprPtr& expr) {
  auto copy = std::make_shared<BoundExpr>(*expr);
  if (copy->isColumn()) {
    copy->index += kOuterStride;
    return copy;
  }
  for (BoundExprPtr& arg : copy->args) arg = raiseLevel(arg);
  return copy;
}

Result<std::optional<NamedColumn>> ScopeContext::findColumn(const sql::QualifiedName& name) {
  ASSIGN_OR_RETURN(auto match, scope_.find(name));
  if (match && match->parts == 1 && !name.isSimple() && outer_) {
    // `a.b` is column b of a table `a` further out before it is field b of a column here.
    ASSIGN_OR_RETURN(auto outer, outer_->findColumn(name));
    if (outer && outer->parts > 1) {
      outer->expr = raiseLevel(outer->expr);
      return outer;
    }
  }
  if (match) return std::optional(NamedColumn{match->column->expr, match->parts, scope_.aliasOf(*match->column), match->column->name});
  if (!outer_) return std::optional<NamedColumn>();
  ASSIGN_OR_RETURN(auto outer, outer_->findColumn(name));
  if (outer) outer->expr = raiseLevel(outer->expr);
  return outer;
}

Result<NamedColumn> ScopeContext::column(const sql::QualifiedName& name) {
  ASSIGN_OR_RETURN(auto found, findColumn(name));
  if (found) return *found;
  return unknownColumn(scope_, name);
}

Status unknownColumn(const Scope& scope, const sql::QualifiedName& name) {
  std::vector<std::string> columns = scope.columnNames();
  std::string near = didYouMean(name.last(), std::span<const std::string>(columns));
  if (!name.isSimple()) {
    std::vector<std::string> tables = scope.tableNames();
    bool known = false;
    for (const std::string& table : tables) known = known || table == name.parts[0].text;
    if (!known) {
      std::string near_table = didYouMean(name.parts[0].text, std::span<const std::string>(tables));
      return Status::plan("'" + name.parts[0].text + "' in '" + name.toString() + "' is no table or column of the query" +
                          near_table, name.position);
    }
  }
  return Status::plan("column '" + name.toString() + "' is not known" + near, name.position);
}

TimeAttribute timeAttributeOf(const BoundExpr& expr, const Schema& input) {
  if (expr.isColumn() && static_cast<size_t>(expr.index) < input.size()) {
    return input.column(static_cast<size_t>(expr.index)).time;
  }
  if (expr.kind == BoundKind::CALL && expr.function->name == "PROCTIME") return TimeAttribute::PROCTIME;
  return TimeAttribute::NONE;
}

}  // namespace thalweg
