#include "common/plan/binder/from_binder.h"

#include "common/functions/function_registry.h"
#include "common/functions/session_functions.h"
#include "common/plan/binder/hint_binder.h"
#include "common/plan/binder/match_binder.h"
#include "common/plan/binder/view_expansion.h"
#include "common/plan/catalog/table_resolver.h"
#include "common/plan/expressions/call_factory.h"
#include "common/plan/expressions/expression_binder.h"
#include "common/types/java_text.h"

namespace thalweg {
namespace {

constexpr int kViewDepthMax = 100;

/// The order of a derived table means nothing to what reads it, unless it decides which rows there are.
LogicalNodePtr withoutIdleOrder(LogicalNodePtr node) {
  const bool projected = node->kind == LogicalKind::PROJECT && node->inputs[0]->kind == LogicalKind::SORT;
  const LogicalNodePtr& below = projected ? node->inputs[0] : node;
  if (below->kind != LogicalKind::SORT) return node;
  const auto& sort = below->as<LogicalSort>();
  if (sort.offset != 0 || sort.fetch) return node;
  if (!projected) return sort.inputs[0];
  return std::make_shared<LogicalProject>(sort.inputs[0], node->as<LogicalProject>().expressions, node->schema);
}

}  // namespace

bool isUserTableFunction(const sql::FunctionCall& call) {
  if (!call.name.isSimple()) return false;
  const ScalarFunction* function = FunctionRegistry::instance().scalar(call.name.last());
  return function != nullptr && function->category == kUserTableFunction;
}

sql::Unnest unnestOf(const sql::TableFunctionCall& table) {
  sql::Unnest unnest;
  static_cast<sql::TableRef&>(unnest).position = table.position;
  unnest.alias = table.alias;
  unnest.column_aliases = table.column_aliases;
  unnest.arguments = {table.call};
  unnest.lateral = true;
  return unnest;
}

Result<Relation> FromBinder::bind(const sql::TableRef& ref) {
  ASSIGN_OR_RETURN(Relation relation, bindKind(ref));
  if (ref.sample) RETURN_IF_ERROR(sample(ref, relation));
  RETURN_IF_ERROR(rename(ref, relation));
  return relation;
}

/// TABLESAMPLE BERNOULLI(p): each row with that chance, the same rows each time with REPEATABLE(seed).
Status FromBinder::sample(const sql::TableRef& ref, Relation& relation) const {
  if (!ref.sample->bernoulli) return Status::plan("only TABLESAMPLE BERNOULLI (percentage) can be taken of a table", ref.position);
  const double percentage = parseDouble(ref.sample->percentage).value_or(-1);
  if (percentage < 0 || percentage > 100) {
    return Status::plan("TABLESAMPLE takes a percentage from 0 to 100, but is given " + ref.sample->percentage, ref.position);
  }
  const CallFactory calls(environment().session_zone);
  std::vector<BoundExprPtr> seed;
  if (ref.sample->repeatable) {
    const auto number = parseInteger(*ref.sample->repeatable, INT32_MIN, INT32_MAX);
    if (!number) return Status::plan("REPEATABLE takes an INT, but is given " + *ref.sample->repeatable, ref.position);
    seed.push_back(BoundExpr::literal(Value::integer(*number), DataType::integer(false)));
  }
  ASSIGN_OR_RETURN(BoundExprPtr chance, calls.call("RAND", std::move(seed), ref.position));
  BoundExprPtr bound = BoundExpr::literal(Value::floating(percentage / 100), DataType::float64(false));
  ASSIGN_OR_RETURN(BoundExprPtr condition, calls.compare("<", std::move(chance), std::move(bound), ref.position));
  relation.node = std::make_shared<LogicalFilter>(relation.node, std::move(condition));
  return Status::ok();
}

Result<Relation> FromBinder::bindKind(const sql::TableRef& ref) {
  switch (ref.kind) {
    case sql::TableRefKind::NAMED: {
      const auto& table = sql::as<sql::NamedTable>(ref);
      if (table.system_time) {
        return Status::plan("FOR SYSTEM_TIME AS OF is only built for the right side of a join; "
                            "this catalog keeps no versions to travel to", ref.position);
      }
      return bindNamed(table);
    }
    case sql::TableRefKind::DERIVED: return bindDerived(sql::as<sql::DerivedTable>(ref));
    case sql::TableRefKind::JOIN: return bindJoin(sql::as<sql::Join>(ref));
    case sql::TableRefKind::FUNCTION: return bindFunction(sql::as<sql::TableFunctionCall>(ref));
    case sql::TableRefKind::UNNEST:
      return bindUnnest(Relation{singleRow(), Scope()}, sql::as<sql::Unnest>(ref), false, nullptr);
    case sql::TableRefKind::MATCH_RECOGNIZE: {
      const auto& match = sql::as<sql::MatchRecognize>(ref);
      ASSIGN_OR_RETURN(Relation input, bind(*match.input));
      return bindMatch(environment(), std::move(input), match);
    }
  }
  return Status::internal("table of an unknown kind");
}

/// VALUES of one column: the alias names the column, too.
bool namesItsColumn(const sql::TableRef& ref) {
  const auto* derived = sql::tryAs<sql::DerivedTable>(ref);
  const auto* values = derived == nullptr ? nullptr : sql::tryAs<sql::ValuesBody>(*derived->query->body);
  return values != nullptr && values->rows[0].size() == 1;
}

/// The alias and the column names behind it: `t (a, b)`.
Status FromBinder::rename(const sql::TableRef& ref, Relation& relation) const {
  if (!ref.alias) return Status::ok();
  std::vector<ScopeColumn> columns;
  for (const ScopeColumn& column : relation.scope.columns()) {
    if (!column.hidden) columns.push_back(column);
  }
  if (!ref.column_aliases.empty() && ref.column_aliases.size() != columns.size()) {
    return Status::plan("'" + ref.alias->text + "' names " + std::to_string(ref.column_aliases.size()) +
                        " columns, but has " + std::to_string(columns.size()), ref.alias->position);
  }
  Scope scope;
  int table = scope.addTable({ref.alias->text, {}});
  for (size_t i = 0; i < columns.size(); ++i) {
    columns[i].table = table;
    if (!ref.column_aliases.empty()) columns[i].name = ref.column_aliases[i].text;
    else if (namesItsColumn(ref)) columns[i].name = ref.alias->text;
    scope.addColumn(std::move(columns[i]));
  }
  relation.scope = std::move(scope);
  return Status::ok();
}

Result<Relation> FromBinder::bindTable(const sql::QualifiedName& name) {
  sql::NamedTable table;
  table.name = name;
  table.position = name.position;
  return bindNamed(table);
}

Result<Relation> FromBinder::bindNamed(const sql::NamedTable& table) {
  if (table.name.isSimple() && common_) {
    if (LogicalNodePtr node = common_->find(table.name.last())) {
      return Relation{node, Scope::ofTable({table.name.last(), {}}, node->schema)};
    }
  }
  ASSIGN_OR_RETURN(ObjectPath path, environment().qualify(table.name));
  ASSIGN_OR_RETURN(const CatalogObject* object, environment().catalog->get(path, table.name));
  if (environment().expansion) environment().expansion->noteTable(table, path);
  LogicalNodePtr node;
  if (object->isView()) {
    for (const sql::Hint& hint : table.hints) {
      if (upperName(hint.name.text) == "OPTIONS") {
        return Status::plan("the hint OPTIONS is for tables, but '" + table.name.toString() + "' is a view", hint.position);
      }
    }
    ASSIGN_OR_RETURN(node, expandView(path, *object->view));
  } else {
    ASSIGN_OR_RETURN(OptionMap options, bindTableHints(environment(), table.hints));
    auto scanned = scan(path, *object->table, options, table.name.position);
    if (!scanned.isOk()) return scanned.status().at(table.name.position);
    node = *scanned;
  }
  ScopeTable scope_table{table.name.last(), path};
  return Relation{node, Scope::ofTable(std::move(scope_table), node->schema)};
}

Result<LogicalNodePtr> FromBinder::scan(const ObjectPath& path, const TableDefinition& table, const OptionMap& options, SourcePosition position) {
  std::string key = path.toString();
  for (const auto& [name, value] : options) key += "|" + name + "=" + value;
  LogicalNodePtr& node = statement_.nodes[key];
  if (node) return node;
  ASSIGN_OR_RETURN(auto resolved, resolveTable(environment(), path, table, options, TableUse::SOURCE));
  Schema schema = resolved->schema;
  auto made = std::make_shared<LogicalScan>(std::move(resolved), options, std::move(schema));
  made->position = environment().shown(position);
  node = std::move(made);
  return node;
}

/// Views are bound where they were made: their names mean what they meant there.
Result<LogicalNodePtr> FromBinder::expandView(const ObjectPath& path, const ViewDefinition& view) {
  std::string key = path.toString();
  auto found = statement_.nodes.find(key);
  if (found != statement_.nodes.end() && found->second) return found->second;
  if (view.plan) return view.plan;
  if (statement_.view_depth > kViewDepthMax) {
    return Status::plan("views are nested more than " + std::to_string(kViewDepthMax) + " deep at " + key);
  }
  BindEnvironment inside = environment();
  inside.foreign_text = true;
  inside.expansion = nullptr;
  inside.current_catalog = view.creating_catalog;
  inside.current_database = view.creating_database;
  const BindEnvironment* outside = statement_.environment;
  statement_.environment = &inside;
  ++statement_.view_depth;
  auto bound = QueryBinder(statement_, nullptr, nullptr).bind(*view.query);
  --statement_.view_depth;
  statement_.environment = outside;
  if (!bound.isOk()) return Status(bound.status().code(), "view " + key + ": " + bound.status().message());
  LogicalNodePtr node = *bound;
  if (node->schema.size() != view.column_names.size()) {
    return Status::plan("view " + key + " was made with " + std::to_string(view.column_names.size()) +
                        " columns, but its query now has " + std::to_string(node->schema.size()) + "; make it anew");
  }
  if (columnNames(node->schema) != view.column_names) {
    std::vector<BoundExprPtr> columns = identityColumns(node->schema);
    node = project(std::move(node), std::move(columns), view.column_names);
  }
  statement_.nodes[key] = node;
  return node;
}

Result<Relation> FromBinder::bindDerived(const sql::DerivedTable& table) {
  // Without anything to its left, LATERAL sees what a plain sub-query sees.
  ASSIGN_OR_RETURN(LogicalNodePtr node, QueryBinder(statement_, outer_, common_).bind(*table.query));
  node = withoutIdleOrder(std::move(node));
  Scope scope = Scope::ofTable({}, node->schema);
  return Relation{std::move(node), std::move(scope)};
}

Result<Relation> FromBinder::bindFunction(const sql::TableFunctionCall& table) {
  if (isUserTableFunction(*table.call)) return bindUnnest(Relation{singleRow(), Scope()}, unnestOf(table), false, nullptr);
  ASSIGN_OR_RETURN(auto window, bindWindowFunction(statement_, outer_, common_, *table.call));
  if (window) return std::move(*window);
  ASSIGN_OR_RETURN(auto changelog, bindChangelogFunction(*table.call));
  if (changelog) return std::move(*changelog);
  for (const std::string_view known : {"SNAPSHOT", "ML_PREDICT", "VECTOR_SEARCH"}) {
    if (table.call->name.parts.back().text == known) {
      return Status::notSupported("the table function " + std::string(known) + " is not supported yet", table.position);
    }
  }
  return Status::plan("unknown table function '" + table.call->name.toString() +
                      "'; there are TUMBLE, HOP, CUMULATE, SESSION and UNNEST", table.call->position);
}

Result<OptionMap> bindTableHints(const BindEnvironment& environment, const std::vector<sql::Hint>& hints) {
  OptionMap options;
  for (const sql::Hint& hint : hints) {
    if (isQueryHint(hint.name.text)) continue;   // without effect behind a table
    if (upperName(hint.name.text) != "OPTIONS") {
      return Status::plan("unknown table hint '" + hint.name.text + "'; there is OPTIONS", hint.position);
    }
    if (!environment.configuration->getBool("table.dynamic-table-options.enabled")) {
      return Status::plan("the hint OPTIONS is switched off by 'table.dynamic-table-options.enabled'", hint.position);
    }
    if (hint.arguments.empty()) return Status::plan("the hint OPTIONS needs 'key' = 'value'", hint.position);
    for (const sql::HintArgument& argument : hint.arguments) {
      if (!argument.key) {
        return Status::plan("the hint OPTIONS takes 'key' = 'value', but has '" + argument.value + "'", argument.position);
      }
      options[*argument.key] = argument.value;
    }
  }
  return options;
}

}  // namespace thalweg
