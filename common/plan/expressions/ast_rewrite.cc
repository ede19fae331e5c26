#include "common/plan/expressions/ast_rewrite.h"

namespace thalweg {
namespace {

template <typename T>
std::shared_ptr<T> copyOf(const sql::Expr& expr) {
  return std::make_shared<T>(sql::as<T>(expr));
}

}  // namespace

template <typename T>
void AstRewriter::each(std::vector<T>& list) {
  for (T& item : list) part(item);
}

void AstRewriter::part(sql::CaseBranch& branch) {
  part(branch.when);
  part(branch.then);
}

void AstRewriter::part(sql::GroupItem& item) {
  each(item.expressions);
  each(item.items);
}

std::shared_ptr<const sql::WindowSpec> AstRewriter::window(const std::shared_ptr<const sql::WindowSpec>& spec) {
  if (!spec) return nullptr;
  auto copy = std::make_shared<sql::WindowSpec>(*spec);
  each(copy->partition_by);
  each(copy->order_by);
  return copy;
}

std::shared_ptr<const sql::FunctionCall> AstRewriter::call(const sql::FunctionCall& original) {
  auto copy = std::make_shared<sql::FunctionCall>(original);
  each(copy->args);
  each(copy->order_by);
  each(copy->within_group);
  each(copy->within_distinct);
  part(copy->filter);
  if (copy->over) {
    auto over = std::make_shared<sql::OverClause>(*copy->over);
    over->spec = window(over->spec);
    copy->over = std::move(over);
  }
  return copy;
}

sql::ExprPtr AstRewriter::rewrite(const sql::ExprPtr& expr) {
  using sql::ExprKind;
  if (!expr) return nullptr;
  switch (expr->kind) {
    case ExprKind::COLUMN_REF: {
      sql::ExprPtr other = column(sql::as<sql::ColumnRef>(*expr));
      return other ? other : expr;
    }
    case ExprKind::OPERATOR: {
      auto copy = copyOf<sql::OperatorCall>(*expr);
      each(copy->operands);
      return copy;
    }
    case ExprKind::BETWEEN: {
      auto copy = copyOf<sql::Between>(*expr);
      part(copy->operand);
      part(copy->low);
      part(copy->high);
      return copy;
    }
    case ExprKind::IN_LIST: {
      auto copy = copyOf<sql::InList>(*expr);
      part(copy->operand);
      each(copy->values);
      return copy;
    }
    case ExprKind::IN_QUERY: {
      auto copy = copyOf<sql::InQuery>(*expr);
      part(copy->operand);
      part(copy->query);
      return copy;
    }
    case ExprKind::QUANTIFIED: {
      auto copy = copyOf<sql::Quantified>(*expr);
      part(copy->operand);
      if (copy->query) part(copy->query);
      each(copy->values);
      return copy;
    }
    case ExprKind::EXISTS: {
      auto copy = copyOf<sql::Exists>(*expr);
      part(copy->query);
      return copy;
    }
    case ExprKind::SUBQUERY: {
      auto copy = copyOf<sql::Subquery>(*expr);
      part(copy->query);
      return copy;
    }
    case ExprKind::CASE: {
      auto copy = copyOf<sql::Case>(*expr);
      part(copy->operand);
      each(copy->branches);
      part(copy->otherwise);
      return copy;
    }
    case ExprKind::CAST: {
      auto copy = copyOf<sql::Cast>(*expr);
      part(copy->operand);
      return copy;
    }
    case ExprKind::FUNCTION_CALL: {
      sql::ExprPtr other = functionCall(sql::as<sql::FunctionCall>(*expr));
      return other ? other : call(sql::as<sql::FunctionCall>(*expr));
    }
    case ExprKind::ROW: {
      auto copy = copyOf<sql::RowConstructor>(*expr);
      each(copy->fields);
      return copy;
    }
    case ExprKind::COLLECTION: {
      auto copy = copyOf<sql::CollectionConstructor>(*expr);
      each(copy->elements);
      return copy;
    }
    case ExprKind::ITEM_ACCESS: {
      auto copy = copyOf<sql::ItemAccess>(*expr);
      part(copy->operand);
      part(copy->index);
      return copy;
    }
    case ExprKind::FIELD_ACCESS: {
      auto copy = copyOf<sql::FieldAccess>(*expr);
      part(copy->operand);
      return copy;
    }
    case ExprKind::NAMED_ARGUMENT: {
      auto copy = copyOf<sql::NamedArgument>(*expr);
      part(copy->value);
      return copy;
    }
    case ExprKind::TABLE_ARGUMENT: {
      auto copy = copyOf<sql::TableArgument>(*expr);
      copy->table = tableRef(copy->table);
      return copy;
    }
    default: return expr;
  }
}

sql::QueryPtr AstRewriter::rewrite(const sql::QueryPtr& query) {
  if (!query) return nullptr;
  auto copy = std::make_shared<sql::Query>(*query);
  for (sql::CommonTable& table_expr : copy->with) part(table_expr.query);
  copy->body = body(copy->body);
  each(copy->order_by);
  return copy;
}

sql::QueryBodyPtr AstRewriter::body(const sql::QueryBodyPtr& original) {
  switch (original->kind) {
    case sql::BodyKind::SELECT: return select(sql::as<sql::SelectBody>(*original));
    case sql::BodyKind::VALUES: {
      auto copy = std::make_shared<sql::ValuesBody>(sql::as<sql::ValuesBody>(*original));
      for (auto& row : copy->rows) each(row);
      return copy;
    }
    case sql::BodyKind::SET_OPERATION: {
      auto copy = std::make_shared<sql::SetOperation>(sql::as<sql::SetOperation>(*original));
      copy->left = body(copy->left);
      copy->right = body(copy->right);
      return copy;
    }
    case sql::BodyKind::NESTED: {
      auto copy = std::make_shared<sql::NestedQuery>(sql::as<sql::NestedQuery>(*original));
      part(copy->query);
      return copy;
    }
    case sql::BodyKind::TABLE: break;
  }
  return original;
}

sql::QueryBodyPtr AstRewriter::select(const sql::SelectBody& original) {
  auto copy = std::make_shared<sql::SelectBody>(original);
  copy->items.clear();
  for (sql::SelectItem item : original.items) {
    const auto* all = sql::tryAs<sql::Star>(*item.expr);
    auto expanded = all ? star(*all) : std::nullopt;
    if (expanded) {
      copy->items.insert(copy->items.end(), expanded->begin(), expanded->end());
      continue;
    }
    part(item.expr);
    copy->items.push_back(std::move(item));
  }
  copy->from = tableRef(copy->from);
  part(copy->where);
  if (copy->group_by) each(copy->group_by->items);
  part(copy->having);
  for (sql::NamedWindow& named : copy->windows) named.spec = window(named.spec);
  part(copy->qualify);
  return copy;
}

sql::TableRefPtr AstRewriter::tableRef(const sql::TableRefPtr& ref) {
  if (!ref) return nullptr;
  switch (ref->kind) {
    case sql::TableRefKind::NAMED: {
      const auto& named = sql::as<sql::NamedTable>(*ref);
      sql::TableRefPtr other = table(named);
      auto copy = std::make_shared<sql::NamedTable>(sql::as<sql::NamedTable>(other ? *other : named));
      part(copy->system_time);
      return copy;
    }
    case sql::TableRefKind::DERIVED: {
      auto copy = std::make_shared<sql::DerivedTable>(sql::as<sql::DerivedTable>(*ref));
      part(copy->query);
      return copy;
    }
    case sql::TableRefKind::JOIN: {
      auto copy = std::make_shared<sql::Join>(sql::as<sql::Join>(*ref));
      copy->left = tableRef(copy->left);
      copy->right = tableRef(copy->right);
      part(copy->on);
      return copy;
    }
    case sql::TableRefKind::FUNCTION: {
      auto copy = std::make_shared<sql::TableFunctionCall>(sql::as<sql::TableFunctionCall>(*ref));
      copy->call = call(*copy->call);
      return copy;
    }
    case sql::TableRefKind::UNNEST: {
      auto copy = std::make_shared<sql::Unnest>(sql::as<sql::Unnest>(*ref));
      each(copy->arguments);
      return copy;
    }
    case sql::TableRefKind::MATCH_RECOGNIZE: {
      // Names inside a pattern mean its variables; only the input is looked at.
      auto copy = std::make_shared<sql::MatchRecognize>(sql::as<sql::MatchRecognize>(*ref));
      copy->input = tableRef(copy->input);
      return copy;
    }
  }
  return ref;
}

}  // namespace thalweg
