// Table: projections, filters, order, schema and execution. Joins and set operations: table_joins.cc; groups and windows:
// grouped_table.cc.
#include "client/api/thalweg/table.h"

#include <algorithm>
#include <iostream>
#include <set>

#include "client/api/table/expression_tree.h"
#include "client/api/table/projection.h"
#include "client/api/table/table_sink.h"
#include "client/api/table/table_state.h"
#include "client/api/thalweg/exception.h"

namespace thalweg::api {
namespace {

Table sort(const Table& table, SortedTable sorted) {
  sql::Query query = queryOf(selectAll());
  query.order_by = sorted.keys;
  if (sorted.offset > 0) query.offset = integerNode(sorted.offset);
  if (sorted.fetch) query.fetch = integerNode(*sorted.fetch);
  const EnvironmentStatePtr& environment = table.state()->environment;
  LogicalNodePtr node = environment->bind(query, {{kInput, sorted.input}});
  return Table(std::make_shared<const TableState>(TableState{environment, std::move(node), std::move(sorted)}));
}

SortedTable sortedOf(const Table& table) {
  if (table.state()->sorted) return *table.state()->sorted;
  return SortedTable{table.state()->node};
}

const thalweg::Schema& schemaOf(const Table& table) { return table.state()->node->schema; }

Table project(const Table& table, std::vector<sql::SelectItem> items) {
  auto body = selectAll();
  body->items = std::move(items);
  return refine(table, queryOf(std::move(body)));
}

sql::ExprPtr scalarCallOf(const Expression& call, const char* what) {
  if (call.node()->kind != sql::ExprKind::FUNCTION_CALL) throw ValidationException(std::string(what) + " takes a call of a function, as in call(\"f\", $(\"x\"))");
  return call.node();
}

}  // namespace

Table Table::selectOf(const std::vector<Expression>& fields) const {
  const SessionFunctions::InSight functions(state_->environment->engine.session().functions());
  return project(*this, selectItems(fields, schemaOf(*this)));
}

Table Table::asOf(const std::vector<std::string>& names) const {
  const thalweg::Schema& schema = schemaOf(*this);
  if (names.size() > schema.size()) {
    throw ValidationException("as() gives " + std::to_string(names.size()) + " names, but the table has " + std::to_string(schema.size()) + " columns");
  }
  if (std::set<std::string>(names.begin(), names.end()).size() != names.size()) throw ValidationException("as() gives one name twice");
  std::vector<sql::SelectItem> items;
  for (size_t i = 0; i < schema.size(); ++i) {
    items.push_back(item(columnNode({schema.column(i).name}), i < names.size() ? names[i] : schema.column(i).name));
  }
  return project(*this, std::move(items));
}

Table Table::filter(const Expression& condition) const {
  auto body = selectAll();
  body->where = condition.node();
  return refine(*this, queryOf(std::move(body)));
}

Table Table::distinct() const {
  auto body = selectAll();
  body->quantifier = sql::SetQuantifier::DISTINCT;
  return refine(*this, queryOf(std::move(body)));
}

Table Table::addColumnsOf(const std::vector<Expression>& fields, bool replace) const {
  const SessionFunctions::InSight functions(state_->environment->engine.session().functions());
  const thalweg::Schema& schema = schemaOf(*this);
  std::vector<sql::SelectItem> items;
  for (const thalweg::Column& column : schema.columns()) items.push_back(item(columnNode({column.name}), column.name));
  for (const Expression& field : fields) {
    if (containsAggregate(field)) throw ValidationException("The added field expression cannot be an aggregation, found: " + field.toString());
  }
  for (const sql::SelectItem& added : selectItems(fields, schema)) {
    const auto same = std::find_if(items.begin(), items.end(), [&](const sql::SelectItem& i) { return i.alias->text == added.alias->text; });
    if (same == items.end()) items.push_back(added);
    else if (replace) *same = added;
    else throw ValidationException("addColumns: there is a column '" + added.alias->text + "' already; give the new one another name, or use addOrReplaceColumns");
  }
  return project(*this, std::move(items));
}

Table Table::renameColumnsOf(const std::vector<Expression>& fields) const {
  const thalweg::Schema& schema = schemaOf(*this);
  std::vector<std::string> names;
  for (const thalweg::Column& column : schema.columns()) names.push_back(column.name);
  for (const Expression& field : fields) {
    const std::string from = columnNameOf(*field.node());
    if (from.empty() || field.names().size() != 1) throw ValidationException("renameColumns takes columns with a new name, as in $(\"a\").as(\"b\")");
    requireColumn(schema, from, "renameColumns");
    names[static_cast<size_t>(schema.indexOf(from))] = field.names()[0];
  }
  return asOf(names);
}

Table Table::dropColumnsOf(const std::vector<Expression>& fields) const {
  const thalweg::Schema& schema = schemaOf(*this);
  std::set<std::string> dropped;
  for (const Expression& field : spreadColumns(fields, schema)) {
    const std::string name = columnNameOf(*field.node());
    if (name.empty()) throw ValidationException("dropColumns takes columns, not " + field.toString());
    requireColumn(schema, name, "dropColumns");
    dropped.insert(name);
  }
  std::vector<sql::SelectItem> items;
  for (const thalweg::Column& column : schema.columns()) {
    if (!dropped.contains(column.name)) items.push_back(item(columnNode({column.name}), column.name));
  }
  if (items.empty()) throw ValidationException("dropColumns: at least one column must be left");
  return project(*this, std::move(items));
}

Table Table::orderByOf(const std::vector<Expression>& fields) const {
  return sort(*this, {state_->node, orderItems(spreadColumns(fields, schemaOf(*this)))});
}

Table Table::offset(int64_t rows) const {
  if (rows < 0) throw ValidationException("offset must be 0 or more, not " + std::to_string(rows));
  SortedTable sorted = sortedOf(*this);
  sorted.offset = rows;
  return sort(*this, std::move(sorted));
}

Table Table::fetch(int64_t rows) const {
  if (rows < 0) throw ValidationException("fetch must be 0 or more, not " + std::to_string(rows));
  SortedTable sorted = sortedOf(*this);
  sorted.fetch = rows;
  return sort(*this, std::move(sorted));
}

Table Table::map(const Expression& call) const {
  const Table called = project(*this, {item(scalarCallOf(call, "map"), "f0")});
  const DataType type = schemaOf(called).type(0);
  if (type.kind() != TypeKind::ROW) return call.names().empty() ? called : called.asOf(call.names());
  auto body = selectAll();
  auto star = std::make_shared<sql::Star>();
  star->qualifier = {identifier("f0")};
  body->items = {item(std::move(star))};
  const Table flat = refine(called, queryOf(std::move(body)));
  return call.names().empty() ? flat : flat.asOf(call.names());
}

Table Table::flatMap(const Expression& call) const {
  const Table joined = joinLateral(call);
  const thalweg::Schema& schema = schemaOf(joined);
  std::vector<sql::SelectItem> items;
  for (size_t i = schemaOf(*this).size(); i < schema.size(); ++i) items.push_back(item(columnNode({schema.column(i).name}), schema.column(i).name));
  return project(joined, std::move(items));
}

ResolvedSchema Table::getResolvedSchema() const {
  const auto& declared = state_->environment->declared;
  if (const auto found = declared.find(state_->node.get()); found != declared.end()) return *found->second.second;
  return ResolvedSchema(state_->node->schema);
}

void Table::printSchema() const { std::cout << getResolvedSchema().toString() << std::endl; }

std::string Table::explain() const {
  return valueOrThrow(state_->environment->engine.explainPlans({std::make_shared<LogicalSink>(state_->node, nullptr)}));
}

TableResult Table::execute() const {
  return runPlans(*state_->environment, {std::make_shared<LogicalSink>(state_->node, nullptr)}, true);
}

TablePipeline Table::insertInto(std::string_view path, bool overwrite) const {
  return TablePipeline(state_, sinkOf(*this, path, overwrite));
}
TablePipeline Table::insertInto(const TableDescriptor& descriptor, bool overwrite) const {
  return TablePipeline(state_, sinkOf(*this, descriptor, overwrite));
}
TableResult Table::executeInsert(std::string_view path, bool overwrite) const { return insertInto(path, overwrite).execute(); }
TableResult Table::executeInsert(const TableDescriptor& descriptor, bool overwrite) const { return insertInto(descriptor, overwrite).execute(); }

TableResult TablePipeline::execute() const { return runPlans(*state_->environment, {std::static_pointer_cast<const LogicalNode>(sink_)}, false); }

std::string TablePipeline::explain() const {
  return valueOrThrow(state_->environment->engine.explainPlans({std::static_pointer_cast<const LogicalNode>(sink_)}));
}

std::string Table::toString() const {
  EnvironmentState& environment = *state_->environment;
  const std::string name = "UnnamedTable$" + std::to_string(environment.unnamed_tables++);
  putView(environment, name, *this);
  return "`" + name + "`";
}

}  // namespace thalweg::api
