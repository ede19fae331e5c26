// Joins: ON, USING and NATURAL, LATERAL, UNNEST, and FOR SYSTEM_TIME AS OF.
#include <algorithm>

#include "common/plan/binder/decorrelate.h"
#include "common/plan/binder/from_binder.h"
#include "common/plan/catalog/connector_descriptor.h"
#include "common/plan/catalog/table_resolver.h"
#include "common/plan/expressions/expression_binder.h"
#include "common/types/type_rules.h"

namespace thalweg {
namespace {

JoinType joinType(sql::JoinType type) {
  switch (type) {
    case sql::JoinType::LEFT: return JoinType::LEFT;
    case sql::JoinType::RIGHT: return JoinType::RIGHT;
    case sql::JoinType::FULL: return JoinType::FULL;
    default: return JoinType::INNER;
  }
}

bool needsCondition(const sql::Join& join) {
  return join.type != sql::JoinType::CROSS && join.type != sql::JoinType::COMMA && !join.natural;
}

Status checkShape(const sql::Join& join) {
  bool condition = join.on || !join.using_columns.empty();
  if (needsCondition(join) && !condition) {
    return Status::plan("this join needs a condition: ON .. or USING (..); for all pairs write CROSS JOIN", join.position);
  }
  if (!needsCondition(join) && condition) {
    return Status::plan(std::string(join.natural ? "NATURAL" : "CROSS") + " JOIN takes no condition", join.position);
  }
  return Status::ok();
}

bool isTrueLiteral(const BoundExpr& expr) {
  return expr.isLiteral() && !expr.value.isNull() && expr.type.kind() == TypeKind::BOOLEAN && expr.value.asBool();
}

/// A table that ends and only has inserts: a job can read all of it before it looks rows up.
bool canBeLookedUp(const LogicalNode& node) {
  if (node.kind != LogicalKind::SCAN || node.as<LogicalScan>().table->stream) return false;
  const auto& scan = node.as<LogicalScan>();
  OptionMap options = scan.table->definition.options;
  for (const auto& [key, value] : scan.hint_options) options[key] = value;
  const auto connector = resolveConnector(scan.table->path.toString(), options, physicalSchema(scan.table->definition), TableUse::SOURCE);
  return connector.isOk() && connector->isBounded(options) && connector->readMode().isInsertOnly();
}

/// Names of a join's output over both sides, padded sides nullable.
Scope joinedScope(const Relation& left, const Relation& right, JoinType type) {
  bool pad_left = type == JoinType::RIGHT || type == JoinType::FULL;
  bool pad_right = type == JoinType::LEFT || type == JoinType::FULL;
  return Scope::concat(pad_left ? left.scope.nullable() : left.scope, pad_right ? right.scope.nullable() : right.scope,
                       static_cast<int>(left.node->schema.size()));
}

}  // namespace

Result<Relation> FromBinder::bindJoin(const sql::Join& join) {
  RETURN_IF_ERROR(checkShape(join));
  ASSIGN_OR_RETURN(Relation left, bind(*join.left));
  const sql::TableRef& right = *join.right;
  if (const auto* unnest = sql::tryAs<sql::Unnest>(right)) return bindUnnestJoin(join, std::move(left), *unnest);
  if (const auto* function = sql::tryAs<sql::TableFunctionCall>(right); function && isUserTableFunction(*function->call)) {
    return bindUnnestJoin(join, std::move(left), unnestOf(*function));
  }
  if (const auto* derived = sql::tryAs<sql::DerivedTable>(right); derived && derived->lateral) {
    return bindLateral(join, std::move(left), *derived);
  }
  if (const auto* named = sql::tryAs<sql::NamedTable>(right); named && named->system_time) {
    return bindTemporal(join, std::move(left), *named);
  }
  ASSIGN_OR_RETURN(Relation bound, bind(right));
  for (const ScopeTable& a : left.scope.tables()) {
    for (const ScopeTable& b : bound.scope.tables()) {
      bool same_table = !a.path || !b.path || *a.path == *b.path;
      if (!a.alias.empty() && a.alias == b.alias && same_table) {
        return Status::plan("two tables in FROM are called '" + a.alias + "'; give one an alias", right.position);
      }
    }
  }
  return bindPlainJoin(join, std::move(left), std::move(bound));
}

Result<BoundExprPtr> FromBinder::bindOn(const sql::Join& join, const Scope& scope) {
  if (!join.on) return BoundExprPtr();
  ScopeContext rows(scope, outer_, "ON");
  ASSIGN_OR_RETURN(BoundExprPtr condition, ExpressionBinder(environment(), rows).bindCondition(*join.on, "the condition of ON"));
  if (isTrueLiteral(*condition)) return BoundExprPtr();
  return condition;
}

Result<Relation> FromBinder::bindPlainJoin(const sql::Join& spec, Relation left, Relation right) {
  JoinType type = joinType(spec.type);
  Scope inner = joinedScope(left, right, JoinType::INNER);
  Scope scope = joinedScope(left, right, type);
  BoundExprPtr condition;
  if (spec.natural || !spec.using_columns.empty()) {
    ASSIGN_OR_RETURN(condition, mergeColumns(spec, left, right, scope));
  } else {
    ASSIGN_OR_RETURN(condition, bindOn(spec, inner));
  }
  LogicalNodePtr node = join(std::move(left.node), std::move(right.node), type, std::move(condition));
  if (!state_ttls_.empty()) {
    auto limited = std::make_shared<LogicalJoin>(node->as<LogicalJoin>());
    limited->state_ttl_ms = {stateTtlOf(state_ttls_, left.scope), stateTtlOf(state_ttls_, right.scope)};
    node = std::move(limited);
  }
  return Relation{std::move(node), std::move(scope)};
}

/// USING and NATURAL: the shared columns come first, once; the originals are found by their table's name only.
Result<BoundExprPtr> FromBinder::mergeColumns(const sql::Join& spec, const Relation& left, const Relation& right,
                                              Scope& scope) {
  std::vector<sql::Identifier> names = spec.using_columns;
  if (spec.natural) {
    for (const ScopeColumn& column : left.scope.columns()) {
      if (column.hidden) continue;
      bool shared = std::any_of(right.scope.columns().begin(), right.scope.columns().end(),
                                [&](const ScopeColumn& c) { return !c.hidden && c.name == column.name; });
      if (shared) names.push_back({column.name, spec.position, false});
    }
  }
  CallFactory calls(environment().session_zone);
  int offset = static_cast<int>(left.node->schema.size());
  JoinType type = joinType(spec.type);
  std::vector<BoundExprPtr> equalities;
  std::vector<ScopeColumn> merged;
  for (const sql::Identifier& name : names) {
    ASSIGN_OR_RETURN(auto in_left, left.scope.findPlain(name));
    ASSIGN_OR_RETURN(auto in_right, right.scope.findPlain(name));
    if (!in_left || !in_right) {
      return Status::plan("USING (" + name.text + "): the " + (in_left ? "right" : "left") + " side has no column '" +
                          name.text + "'", name.position);
    }
    BoundExprPtr a = in_left->column->expr;
    BoundExprPtr b = shiftColumns(in_right->column->expr, offset);
    ASSIGN_OR_RETURN(BoundExprPtr equal, calls.compare("=", a, b, name.position));
    equalities.push_back(std::move(equal));
    ScopeColumn column{name.text, nullptr, in_left->column->time, -1, false};
    bool pad_left = type == JoinType::RIGHT || type == JoinType::FULL;
    bool pad_right = type == JoinType::LEFT || type == JoinType::FULL;
    if (type == JoinType::FULL || type == JoinType::RIGHT) {
      const auto nullable = [](const BoundExprPtr& e, bool pad) {
        if (!pad) return e;
        auto copy = std::make_shared<BoundExpr>(*e);
        copy->type = copy->type.asNullable();
        return std::shared_ptr<const BoundExpr>(copy);
      };
      ASSIGN_OR_RETURN(column.expr, calls.call("COALESCE", {nullable(a, pad_left), nullable(b, pad_right)}, name.position));
      column.time = TimeAttribute::NONE;
    } else {
      // Of an inner join's equal columns one that is never NULL says it for both.
      const bool known = type == JoinType::INNER && a->type.nullable() && !b->type.nullable() && a->isColumn();
      column.expr = known ? BoundExpr::column(a->index, a->type.withNullable(false)) : a;
      const auto common = leastRestrictive(a->type, b->type);
      if (common && !common->sameIgnoringNullability(a->type)) {
        column.expr = calls.coerce(column.expr, common->withNullable(column.expr->type.nullable()));
        column.time = TimeAttribute::NONE;
      }
    }
    merged.push_back(std::move(column));
    for (ScopeColumn& original : scope.columns()) {
      if (original.name == name.text && original.table >= 0) original.hidden = true;
      if (original.name == name.text && original.table < 0) original.hidden = true;
    }
  }
  scope.columns().insert(scope.columns().begin(), merged.begin(), merged.end());
  if (equalities.empty()) return BoundExprPtr();
  return BoundExpr::conjunction(std::move(equalities));
}

Result<Relation> FromBinder::bindLateral(const sql::Join& spec, Relation left, const sql::DerivedTable& table) {
  JoinType type = joinType(spec.type);
  if (type == JoinType::RIGHT || type == JoinType::FULL) {
    return Status::plan("LATERAL is not allowed on the right of RIGHT and FULL JOIN", table.position);
  }
  ScopeContext rows(left.scope, outer_, "LATERAL");
  ASSIGN_OR_RETURN(LogicalNodePtr node, QueryBinder(statement_, &rows, common_).bind(*table.query));
  Relation right{node, Scope::ofTable({}, node->schema)};
  RETURN_IF_ERROR(rename(table, right));
  Scope both = joinedScope(left, right, JoinType::INNER);
  ASSIGN_OR_RETURN(BoundExprPtr on, bindOn(spec, both));
  Scope scope = joinedScope(left, right, type);
  CallFactory calls(environment().session_zone);
  auto joined = joinLateral(calls, left.node, node, type, on);
  if (!joined.isOk()) return joined.status().at(table.position);
  return Relation{std::move(joined).value(), std::move(scope)};
}

Result<Relation> FromBinder::bindUnnestJoin(const sql::Join& spec, Relation left, const sql::Unnest& unnest) {
  JoinType type = joinType(spec.type);
  if (type == JoinType::RIGHT || type == JoinType::FULL) {
    return Status::plan("UNNEST is not allowed on the right of RIGHT and FULL JOIN", unnest.position);
  }
  if (!spec.using_columns.empty() || spec.natural) return Status::notSupported("USING with UNNEST is not built", spec.position);
  return bindUnnest(std::move(left), unnest, type == JoinType::LEFT, spec.on.get());
}

Result<Relation> FromBinder::bindUnnest(Relation input, const sql::Unnest& unnest, bool outer, const sql::Expr* condition) {
  if (unnest.arguments.size() != 1) {
    return Status::notSupported("UNNEST of several collections is not built", unnest.position);
  }
  ScopeContext rows(input.scope, outer_, "UNNEST");
  UnnestSpec spec;
  spec.outer = outer;
  spec.with_ordinality = unnest.with_ordinality;
  ASSIGN_OR_RETURN(spec.collection, ExpressionBinder(environment(), rows).bind(*unnest.arguments[0]));
  const DataType& type = spec.collection->type;
  std::vector<Column> elements;
  if (type.kind() == TypeKind::ARRAY || type.kind() == TypeKind::MULTISET) {
    const DataType& element = type.child(0);
    if (element.kind() == TypeKind::ROW) {
      for (const Field& field : element.fields()) {
        elements.push_back({field.name, field.type.withNullable(field.type.nullable() || element.nullable())});
      }
    } else {
      const bool named_by_alias = unnest.alias && !unnest.with_ordinality;
      elements.push_back({named_by_alias ? unnest.alias->text : "EXPR$0", element});
    }
  } else if (type.kind() == TypeKind::MAP) {
    elements = {{"KEY", type.child(0)}, {"VALUE", type.child(1)}};
  } else {
    return Status::plan("UNNEST needs an ARRAY, MAP or MULTISET, but has " + type.toString(), unnest.arguments[0]->position);
  }
  if (unnest.with_ordinality) elements.push_back({"ORDINALITY", DataType::integer(false)});
  if (outer) {
    for (Column& column : elements) column.type = column.type.asNullable();
  }
  std::vector<Column> columns = input.node->schema.columns();
  columns.insert(columns.end(), elements.begin(), elements.end());
  Relation right{nullptr, Scope::ofTable({}, Schema(elements))};
  RETURN_IF_ERROR(rename(unnest, right));
  Scope scope = Scope::concat(input.scope, right.scope, static_cast<int>(input.node->schema.size()));
  BoundExprPtr on;
  if (condition) {
    ScopeContext both(scope, outer_, "ON");
    ASSIGN_OR_RETURN(on, ExpressionBinder(environment(), both).bindCondition(*condition, "the condition of ON"));
    if (isTrueLiteral(*on)) on = nullptr;
  }
  spec.condition = std::move(on);
  auto node = std::make_shared<LogicalUnnest>(std::move(input.node), std::move(spec), Schema(std::move(columns)));
  return Relation{std::move(node), std::move(scope)};
}

Result<Relation> FromBinder::bindTemporal(const sql::Join& spec, Relation left, const sql::NamedTable& table) {
  JoinType type = joinType(spec.type);
  if (type == JoinType::RIGHT || type == JoinType::FULL) {
    return Status::plan("FOR SYSTEM_TIME AS OF needs JOIN or LEFT JOIN, not RIGHT or FULL", table.position);
  }
  if (!spec.on && spec.using_columns.empty()) {
    return Status::plan("a join with FOR SYSTEM_TIME AS OF needs ON with an equality of the right side's key", table.position);
  }
  ASSIGN_OR_RETURN(Relation right, bindNamed(table));
  RETURN_IF_ERROR(rename(table, right));
  ScopeContext rows(left.scope, outer_, "FOR SYSTEM_TIME AS OF");
  ASSIGN_OR_RETURN(BoundExprPtr time, ExpressionBinder(environment(), rows).bind(*table.system_time));
  TimeAttribute attribute = timeAttributeOf(*time, left.node->schema);
  if (!time->isColumn() || attribute == TimeAttribute::NONE) {
    return Status::plan("FOR SYSTEM_TIME AS OF needs a time attribute of the left side, but has " + time->type.toString(),
                        table.system_time->position);
  }
  if (attribute == TimeAttribute::PROCTIME && canBeLookedUp(*right.node)) {
    right.node = std::make_shared<LogicalTemporal>(right.node, std::move(time));
    return bindPlainJoin(spec, std::move(left), std::move(right));
  }
  if (attribute == TimeAttribute::PROCTIME) {
    return Status::plan("FOR SYSTEM_TIME AS OF a processing time looks rows up in an outside table; '" + table.name.toString() +
                        "' cannot be looked up: that needs a table that ends and has inserts only", table.position);
  }
  const LogicalNode& versions = *right.node;
  if (versions.kind == LogicalKind::SCAN && versions.as<LogicalScan>().table->primary_key.empty()) {
    return Status::plan("'" + table.name.toString() + "' has no PRIMARY KEY, so it has no versions of a row", table.position);
  }
  const Column* right_time = nullptr;
  for (const Column& column : right.node->schema.columns()) {
    if (column.time == TimeAttribute::ROWTIME) right_time = &column;
  }
  if (!right_time) {
    return Status::plan("'" + table.name.toString() + "' has no row time (WATERMARK), so it has no versions", table.position);
  }
  if (right_time->type.kind() != time->type.kind()) {
    return Status::plan("FOR SYSTEM_TIME AS OF compares " + time->type.toString() + " with the row time '" +
                        right_time->name + "' of type " + right_time->type.toString() + "; both must be of one kind",
                        table.system_time->position);
  }
  right.node = std::make_shared<LogicalTemporal>(right.node, std::move(time));
  return bindPlainJoin(spec, std::move(left), std::move(right));
}

}  // namespace thalweg
