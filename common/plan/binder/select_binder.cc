#include "common/plan/binder/select_binder.h"

#include <algorithm>

#include "common/plan/binder/from_binder.h"
#include "common/plan/binder/hint_binder.h"
#include "common/plan/binder/over_binder.h"
#include "common/plan/binder/view_expansion.h"
#include "common/plan/expressions/ast_walk.h"

namespace thalweg {
namespace {

/// Adds sub-queries and OVER results to what a clause sees.
template <typename Base>
class ClauseContext : public Base {
 public:
  template <typename... Args>
  explicit ClauseContext(SelectBinder& select, Args&&... args) : Base(std::forward<Args>(args)...), select_(select) {}
  Result<BoundExprPtr> subquery(const sql::Expr& expr) override { return select_.joinSubquery(expr, *this); }
  Result<BoundExprPtr> over(const sql::FunctionCall& call) override { return select_.overResult(call, this->clause_); }

 private:
  SelectBinder& select_;
};

/// ORDER BY: names of the result come before those of the input.
class OrderContext : public RowContext {
 public:
  OrderContext(RowContext& rows, const std::vector<std::string>& names, const std::vector<BoundExprPtr>& exprs)
      : rows_(rows), names_(names), exprs_(exprs) {}
  Result<NamedColumn> column(const sql::QualifiedName& name) override { return rows_.column(name); }
  Result<std::optional<NamedColumn>> findColumn(const sql::QualifiedName& name) override { return rows_.findColumn(name); }
  Result<BoundExprPtr> replacement(const sql::Expr& expr) override {
    if (const auto* ref = sql::tryAs<sql::ColumnRef>(expr); ref && ref->name.isSimple()) {
      for (size_t i = 0; i < names_.size(); ++i) {
        if (names_[i] == ref->name.last()) return exprs_[i];
      }
    }
    return rows_.replacement(expr);
  }
  Result<BoundExprPtr> aggregate(const sql::FunctionCall& call) override { return rows_.aggregate(call); }
  Result<BoundExprPtr> over(const sql::FunctionCall& call) override { return rows_.over(call); }
  Result<BoundExprPtr> subquery(const sql::Expr& expr) override { return rows_.subquery(expr); }
  Result<BoundExprPtr> groupFunction(const sql::FunctionCall& call) override { return rows_.groupFunction(call); }
  std::string clause() const override { return "ORDER BY"; }

 private:
  RowContext& rows_;
  const std::vector<std::string>& names_;
  const std::vector<BoundExprPtr>& exprs_;
};

/// QUALIFY: names of items stand for their expressions, unless the input has such a column.
class QualifyContext : public RowContext {
 public:
  QualifyContext(const BindEnvironment& environment, RowContext& rows, const std::vector<sql::SelectItem>& items)
      : environment_(environment), rows_(rows), items_(items) {}
  Result<NamedColumn> column(const sql::QualifiedName& name) override { return rows_.column(name); }
  Result<std::optional<NamedColumn>> findColumn(const sql::QualifiedName& name) override { return rows_.findColumn(name); }
  Result<BoundExprPtr> replacement(const sql::Expr& expr) override {
    if (const sql::Expr* item = itemOf(expr)) return ExpressionBinder(environment_, rows_).bind(*item);
    return rows_.replacement(expr);
  }
  Result<BoundExprPtr> aggregate(const sql::FunctionCall& call) override { return rows_.aggregate(call); }
  Result<BoundExprPtr> over(const sql::FunctionCall& call) override { return rows_.over(call); }
  Result<BoundExprPtr> subquery(const sql::Expr& expr) override { return rows_.subquery(expr); }
  Result<BoundExprPtr> groupFunction(const sql::FunctionCall& call) override { return rows_.groupFunction(call); }
  std::string clause() const override { return "QUALIFY"; }

  /// Whether an OVER call stands in the condition, or in an item that it names.
  bool hasOver(const sql::Expr& expr) {
    return anyPart(expr, [&](const sql::Expr& part) {
      if (const auto* call = sql::tryAs<sql::FunctionCall>(part); call && call->over) return true;
      const sql::Expr* item = itemOf(part);
      std::vector<const sql::FunctionCall*> calls;
      if (item) collectOverCalls(*item, calls);
      return !calls.empty();
    });
  }

 private:
  const sql::Expr* itemOf(const sql::Expr& expr) {
    const auto* ref = sql::tryAs<sql::ColumnRef>(expr);
    if (!ref || !ref->name.isSimple()) return nullptr;
    for (const sql::SelectItem& item : items_) {
      if (!item.alias || item.alias->text != ref->name.last()) continue;
      auto found = rows_.findColumn(ref->name);
      return found.isOk() && *found ? nullptr : item.expr.get();
    }
    return nullptr;
  }

  const BindEnvironment& environment_;
  RowContext& rows_;
  const std::vector<sql::SelectItem>& items_;
};

bool isAggregation(const sql::SelectBody& select, const sql::Query* decorated) {
  if (select.group_by || select.having) return true;
  for (const sql::SelectItem& item : select.items) {
    if (hasAggregate(*item.expr)) return true;
  }
  if (select.qualify && hasAggregate(*select.qualify)) return true;
  if (decorated) {
    for (const sql::OrderItem& item : decorated->order_by) {
      if (hasAggregate(*item.expr)) return true;
    }
  }
  return false;
}

}  // namespace

Result<LogicalNodePtr> SelectBinder::bind(const sql::SelectBody& select, const sql::Query* decorated) {
  RETURN_IF_ERROR(bindFrom(select));
  RETURN_IF_ERROR(bindWhere(select.where));
  if (isAggregation(select, decorated)) RETURN_IF_ERROR(bindGrouping(select, decorated));
  RETURN_IF_ERROR(bindHaving(select.having));
  RETURN_IF_ERROR(bindOvers(select, decorated));
  if (select.qualify) {
    auto rows = clauseContext("QUALIFY");
    QualifyContext named(environment(), *rows, select.items);
    if (!named.hasOver(*select.qualify)) {
      return Status::plan("QUALIFY needs an OVER call in its condition; use WHERE or HAVING", select.qualify->position);
    }
    RETURN_IF_ERROR(bindFilter(select.qualify, named, "the condition of QUALIFY"));
  }
  auto rows = clauseContext("SELECT");
  ASSIGN_OR_RETURN(auto items, bindItems(select, *rows));
  return finish(select, decorated, std::move(items), *rows);
}

std::unique_ptr<RowContext> SelectBinder::clauseContext(std::string clause) {
  if (grouping_) return std::make_unique<ClauseContext<GroupedContext>>(*this, *grouping_, outer_, std::move(clause));
  return std::make_unique<ClauseContext<ScopeContext>>(*this, scope_, outer_, std::move(clause));
}

Status SelectBinder::bindFrom(const sql::SelectBody& select) {
  if (!select.from) {
    node_ = singleRow();
    return checkQueryHints(select, scope_);
  }
  FromBinder from(statement_, outer_, common_);
  from.setStateTtls(stateTtlsOf(select));
  ASSIGN_OR_RETURN(Relation relation, from.bind(*select.from));
  node_ = std::move(relation.node);
  scope_ = std::move(relation.scope);
  return checkQueryHints(select, scope_);
}

/// Conditions without sub-queries filter first; then IN and EXISTS join, one after the other.
Status SelectBinder::bindWhere(const sql::ExprPtr& where) {
  if (!where) return Status::ok();
  ClauseContext<ScopeContext> rows(*this, scope_, outer_, "WHERE");
  return bindFilter(where, rows, "the condition of WHERE");
}

Status SelectBinder::bindFilter(const sql::ExprPtr& condition, RowContext& rows, const char* what) {
  std::vector<sql::ExprPtr> parts;
  splitAnd(condition, parts);
  ExpressionBinder binder(environment(), rows);
  std::vector<BoundExprPtr> plain;
  for (const sql::ExprPtr& part : parts) {
    if (hasSubquery(*part)) continue;
    ASSIGN_OR_RETURN(BoundExprPtr bound, binder.bindCondition(*part, what));
    plain.push_back(std::move(bound));
  }
  node_ = filter(std::move(node_), std::move(plain));
  for (const sql::ExprPtr& part : parts) {
    if (!hasSubquery(*part)) continue;
    ASSIGN_OR_RETURN(bool joined, joinCondition(*part, rows));
    if (joined) continue;
    ASSIGN_OR_RETURN(BoundExprPtr bound, binder.bindCondition(*part, what));
    node_ = filter(std::move(node_), {std::move(bound)});
  }
  return Status::ok();
}

Status SelectBinder::bindGrouping(const sql::SelectBody& select, const sql::Query* decorated) {
  ClauseContext<ScopeContext> rows(*this, scope_, outer_, "GROUP BY");
  grouping_ = std::make_unique<Grouping>(environment(), rows, scope_, outer_, node_);
  if (select.group_by) RETURN_IF_ERROR(grouping_->bindGroupBy(*select.group_by));
  for (const sql::SelectItem& item : select.items) RETURN_IF_ERROR(grouping_->gather(*item.expr));
  if (select.having) RETURN_IF_ERROR(grouping_->gather(*select.having));
  if (select.qualify) RETURN_IF_ERROR(grouping_->gather(*select.qualify));
  for (const sql::NamedWindow& window : select.windows) {
    Status status;
    forEachPart(*window.spec, [&](const sql::Expr& part) {
      if (status.isOk()) status = grouping_->gather(part);
    });
    RETURN_IF_ERROR(status);
  }
  if (decorated) {
    for (const sql::OrderItem& item : decorated->order_by) RETURN_IF_ERROR(grouping_->gather(*item.expr));
  }
  ASSIGN_OR_RETURN(node_, grouping_->build(node_));
  if (const auto ttl_ms = stateTtlOf(stateTtlsOf(select), scope_); ttl_ms && node_->kind == LogicalKind::AGGREGATE) {
    auto limited = std::make_shared<LogicalAggregate>(node_->as<LogicalAggregate>());
    limited->state_ttl_ms = ttl_ms;
    node_ = std::move(limited);
  }
  return Status::ok();
}

Status SelectBinder::bindHaving(const sql::ExprPtr& having) {
  if (!having) return Status::ok();
  auto rows = clauseContext("HAVING");
  return bindFilter(having, *rows, "the condition of HAVING");
}

Status SelectBinder::bindOvers(const sql::SelectBody& select, const sql::Query* decorated) {
  std::vector<const sql::FunctionCall*> calls;
  for (const sql::SelectItem& item : select.items) collectOverCalls(*item.expr, calls);
  if (select.qualify) collectOverCalls(*select.qualify, calls);
  if (decorated) {
    for (const sql::OrderItem& item : decorated->order_by) collectOverCalls(*item.expr, calls);
  }
  if (calls.empty()) return Status::ok();
  auto rows = clauseContext("OVER");
  OverBinder binder(environment(), *rows, select.windows);
  return binder.bind(calls, node_, overs_);
}

Result<BoundExprPtr> SelectBinder::overResult(const sql::FunctionCall& call, const std::string& clause) {
  auto found = overs_.find(&call);
  if (found != overs_.end()) return found->second;
  return Status::plan("an OVER call is not allowed in " + clause + "; compute it in a sub-query", call.position);
}

Result<std::vector<SelectBinder::Item>> SelectBinder::bindItems(const sql::SelectBody& select, RowContext& rows) {
  std::vector<Item> items;
  ExpressionBinder binder(environment(), rows);
  for (const sql::SelectItem& item : select.items) {
    if (const auto* star = sql::tryAs<sql::Star>(*item.expr)) {
      RETURN_IF_ERROR(bindStar(*star, rows, items));
      continue;
    }
    ASSIGN_OR_RETURN(BoundExprPtr expr, binder.bind(*item.expr));
    std::string name = "EXPR$" + std::to_string(items.size());
    if (item.alias) name = item.alias->text;
    else if (const auto* ref = sql::tryAs<sql::ColumnRef>(*item.expr)) name = ref->name.last();
    items.push_back({std::move(expr), std::move(name)});
  }
  return items;
}

/// `*`, `t.*`, and `t.row.*`, which takes a row apart.
Status SelectBinder::bindStar(const sql::Star& star, RowContext& rows, std::vector<Item>& items) {
  auto positions = scope_.star(star.qualifier);
  if (positions) {
    if (positions->empty() && star.qualifier.empty()) return Status::plan("`*` needs a FROM with columns", star.position);
    ViewExpansion* expansion = environment().expansion;
    if (expansion) expansion->beginStar(star);
    for (int position : *positions) {
      const ScopeColumn& column = scope_.columns()[static_cast<size_t>(position)];
      if (expansion) expansion->noteStarColumn(star, scope_.aliasOf(column), column.name);
      BoundExprPtr expr = column.expr;
      if (grouping_ && !grouping_->isKey(*column.expr, expr)) {
        return Status::plan("column '" + column.name + "' of `*` is neither a grouping key nor inside an aggregate function",
                            star.position);
      }
      items.push_back({withPosition(expr, star.position), column.name});
    }
    return Status::ok();
  }
  sql::QualifiedName name{star.qualifier, star.position};
  ASSIGN_OR_RETURN(NamedColumn column, rows.column(name));
  sql::ColumnRef ref;
  ref.name = name;
  ref.position = star.position;
  ASSIGN_OR_RETURN(BoundExprPtr row, ExpressionBinder(environment(), rows).bind(ref));
  if (row->type.kind() != TypeKind::ROW) {
    return Status::plan("'" + name.toString() + ".*' needs a table or a ROW, but has " + row->type.toString(), star.position);
  }
  for (size_t i = 0; i < row->type.childCount(); ++i) {
    items.push_back({BoundExpr::field(row, static_cast<int>(i)), row->type.fieldName(i)});
  }
  return Status::ok();
}

Result<LogicalNodePtr> SelectBinder::finish(const sql::SelectBody& select, const sql::Query* decorated,
                                            std::vector<Item> items, RowContext& rows) {
  std::vector<BoundExprPtr> exprs;
  std::vector<std::string> names;
  for (Item& item : items) {
    exprs.push_back(std::move(item.expr));
    names.push_back(std::move(item.name));
  }
  size_t width = exprs.size();
  bool unique = select.quantifier == sql::SetQuantifier::DISTINCT;
  std::vector<SortKey> keys;
  if (decorated) {
    // Keys that are no result columns go along hidden and are dropped after the sort.
    OrderContext order(rows, names, exprs);
    ExpressionBinder binder(environment(), order);
    std::vector<BoundExprPtr> hidden;
    for (const sql::OrderItem& item : decorated->order_by) {
      ASSIGN_OR_RETURN(BoundExprPtr key, binder.bind(*item.expr));
      if (key->isLiteral() && key->type.isInteger() && item.expr->kind == sql::ExprKind::LITERAL) {
        int64_t ordinal = key->value.asInt();
        if (ordinal < 1 || ordinal > static_cast<int64_t>(width)) {
          return Status::plan("ORDER BY " + std::to_string(ordinal) + ": the query has " + std::to_string(width) + " columns",
                              item.position);
        }
        keys.push_back(sortKey(static_cast<int>(ordinal - 1), item));
        continue;
      }
      const auto same = [&](const BoundExprPtr& e) { return exprEqual(*e, *key); };
      size_t at = static_cast<size_t>(std::find_if(exprs.begin(), exprs.end(), same) - exprs.begin());
      if (at == width) {
        at = width + static_cast<size_t>(std::find_if(hidden.begin(), hidden.end(), same) - hidden.begin());
        if (at == width + hidden.size()) hidden.push_back(key);
        if (unique) {
          return Status::plan("ORDER BY of SELECT DISTINCT can only use columns that are selected", item.position);
        }
      }
      keys.push_back(sortKey(static_cast<int>(at), item));
    }
    for (size_t i = 0; i < hidden.size(); ++i) {
      exprs.push_back(hidden[i]);
      names.push_back("$o" + std::to_string(i));
    }
  }
  LogicalNodePtr node = project(node_, std::move(exprs), names);
  if (unique) node = distinct(std::move(node));
  if (!decorated) return node;
  int64_t offset = 0;
  std::optional<int64_t> fetch;
  if (decorated->offset) {
    ASSIGN_OR_RETURN(offset, bindCount(environment(), *decorated->offset, "OFFSET"));
  }
  if (decorated->fetch) {
    ASSIGN_OR_RETURN(fetch, bindCount(environment(), *decorated->fetch, "LIMIT"));
  }
  if (keys.empty() && offset == 0 && !fetch) return node;
  auto sort = std::make_shared<LogicalSort>(std::move(node), std::move(keys), offset, fetch);
  if (!decorated->order_by.empty()) sort->position = environment().shown(decorated->order_by[0].position);
  node = std::move(sort);
  if (node->schema.size() == width) return node;
  std::vector<BoundExprPtr> columns = identityColumns(node->schema);
  columns.resize(width);
  names.resize(width);
  return project(std::move(node), std::move(columns), std::move(names));
}

}  // namespace thalweg
