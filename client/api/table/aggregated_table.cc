// aggregate() and flatAggregate(): one function over groups, its result spread into columns, or into rows.
//
// First the groups: keys, bounds of the window that somebody selects, and the call as one column `$aggregate`. A row
// becomes columns by naming its fields; what a table aggregate emits is an array of rows, which is unnested, its changes
// as deletions and insertions. Last the fields that were asked for are selected.
#include "client/api/table/expression_tree.h"
#include "client/api/table/group_plan.h"
#include "client/api/table/projection.h"
#include "client/api/table/user_functions.h"
#include "client/api/thalweg/exception.h"
#include "common/sql/parser.h"

namespace thalweg::api {
namespace {

constexpr const char* kResult = "$aggregate";

const thalweg::Schema& schemaOf(const Table& table) { return table.state()->node->schema; }

/// Bounds of the window in the selected fields, taken out as columns of the grouping.
class BoundColumns : public AstRewriter {
 public:
  BoundColumns(const WindowCalls& window, std::vector<sql::SelectItem>& items) : window_(window), items_(items) {}

 protected:
  sql::ExprPtr functionCall(const sql::FunctionCall& found) override {
    const std::string suffix = window_.suffixOf(found);
    if (suffix.empty()) return nullptr;
    const std::string name = "$window" + suffix;
    for (const sql::SelectItem& known : items_) {
      if (known.alias->text == name) return columnNode({name});
    }
    items_.push_back(item(window_.call(suffix), name));
    return columnNode({name});
  }

 private:
  const WindowCalls& window_;
  std::vector<sql::SelectItem>& items_;
};

bool isTableAggregate(const SessionFunctions& functions, const Expression& call) {
  const auto* node = sql::tryAs<sql::FunctionCall>(*call.node());
  const AggregateFunction* function = node && node->name.isSimple() ? functions.aggregate(node->name.last()) : nullptr;
  return function && function->category == kUserTableAggregate;
}

/// The columns that hold the result: what they read, and their names.
std::vector<sql::SelectItem> resultColumns(const DataType& result, const std::vector<std::string>& names, const std::string& column) {
  const bool row = result.kind() == TypeKind::ROW;
  const size_t parts = row ? result.childCount() : 1;
  if (!names.empty() && names.size() != parts) {
    throw ValidationException("as() gives " + std::to_string(names.size()) + " names to an aggregate of " + std::to_string(parts) + " columns");
  }
  std::vector<sql::SelectItem> items;
  for (size_t i = 0; i < parts; ++i) {
    const std::string name = !names.empty() ? names[i] : row ? result.fieldName(i) : "f0";
    items.push_back(item(row ? columnNode({column, result.fieldName(i)}) : columnNode({column}), name));
  }
  return items;
}

/// A row per element of the array that the table aggregate gave.
Table unnested(const Table& grouped, const std::vector<std::string>& names) {
  const thalweg::Schema& schema = schemaOf(grouped);
  const DataType element = schema.type(static_cast<size_t>(schema.indexOf(kResult))).child(0);
  auto unnest = std::make_shared<sql::Unnest>();
  unnest->arguments = {columnNode({kResult})};
  unnest->alias = identifier("$rows");
  const std::vector<sql::SelectItem> parts = resultColumns(element, names, kResult);
  for (const sql::SelectItem& part : parts) unnest->column_aliases.push_back(*part.alias);
  auto join = std::make_shared<sql::Join>();
  join->type = sql::JoinType::CROSS;
  join->left = tableRef();
  join->right = std::move(unnest);
  auto body = selectAll();
  body->from = std::move(join);
  body->items.clear();
  for (const thalweg::Column& column : schema.columns()) {
    if (column.name != kResult) body->items.push_back(item(columnNode({column.name}), column.name));
  }
  for (const sql::SelectItem& part : parts) body->items.push_back(item(columnNode({"$rows", part.alias->text}), part.alias->text));
  return refine(grouped, queryOf(std::move(body)));
}

Table bySql(const Table& table, const std::string& query) {
  const sql::StatementPtr statement = valueOrThrow(sql::parseStatement(query));
  return refine(table, *sql::as<sql::QueryStatement>(*statement).query);
}

/// A group's old rows are deleted and its new ones inserted, since the arrays say nothing of which row replaces which.
Table asReplacements(const Table& rows) {
  const Table kinds = bySql(rows, "SELECT * FROM TO_CHANGELOG(input => TABLE `$t`, op => DESCRIPTOR(`$op`), op_mapping => "
                                  "MAP['INSERT', 'I', 'UPDATE_AFTER', 'I', 'UPDATE_BEFORE', 'D', 'DELETE', 'D'])");
  return bySql(kinds, "SELECT * FROM FROM_CHANGELOG(input => TABLE `$t`, op => DESCRIPTOR(`$op`), op_mapping => MAP['I', 'INSERT', 'D', 'DELETE'])");
}

Table spread(const Table& grouped, const std::vector<std::string>& names) {
  const thalweg::Schema& schema = schemaOf(grouped);
  auto body = selectAll();
  body->items.clear();
  for (const thalweg::Column& column : schema.columns()) {
    if (column.name != kResult) body->items.push_back(item(columnNode({column.name}), column.name));
  }
  const DataType result = schema.type(static_cast<size_t>(schema.indexOf(kResult)));
  for (sql::SelectItem& part : resultColumns(result, names, kResult)) body->items.push_back(std::move(part));
  return refine(grouped, queryOf(std::move(body)));
}

}  // namespace

AggregatedTable GroupedTable::aggregate(const Expression& call) const { return AggregatedTable(table_, keys_, call, false); }
AggregatedTable GroupedTable::flatAggregate(const Expression& call) const { return AggregatedTable(table_, keys_, call, true); }
AggregatedTable Table::aggregate(const Expression& call) const { return AggregatedTable(*this, {}, call, false); }
AggregatedTable Table::flatAggregate(const Expression& call) const { return AggregatedTable(*this, {}, call, true); }

Table AggregatedTable::selectOf(const std::vector<Expression>& fields) const {
  const SessionFunctions& functions = functionsOf(table_);
  const SessionFunctions::InSight in_sight(functions);
  if (isTableAggregate(functions, call_) != flat_) {
    throw ValidationException(flat_ ? "flatAggregate() takes a call of a table aggregate function, not " + call_.toString()
                                    : "aggregate() takes a call of an aggregate function; table aggregate functions go into flatAggregate()");
  }
  std::vector<sql::ExprPtr> keys = nodesOf(keys_);
  std::vector<sql::SelectItem> items;
  std::optional<WindowCalls> window;
  if (window_) {
    window.emplace(*window_);
    keys = window->keys(keys_);
  }
  for (const Expression& key : keys_) {
    if (window && window->isWindow(*key.node())) continue;
    const std::string name = nameOf(key);
    items.push_back(item(key.node(), name.empty() ? "_c" + std::to_string(items.size()) : name));
  }
  const size_t shown = items.size();
  std::vector<Expression> wanted;
  if (window) {
    BoundColumns bounds(*window, items);
    for (const Expression& field : fields) wanted.push_back(Expression(bounds.rewrite(field.node())).withNames(field.names()));
  } else {
    wanted = fields;
  }
  items.push_back(item(call_.node(), kResult));
  const Table grouped = groupedTable(table_, keys, std::move(items));
  Table flat = flat_ ? unnested(grouped, call_.names()) : spread(grouped, call_.names());
  if (flat_ && !window && !table_.state()->environment->isBatch()) flat = asReplacements(flat);
  // `*` is the keys and the result; bounds are there only because somebody named them.
  thalweg::Schema visible = schemaOf(flat);
  std::vector<thalweg::Column> columns;
  for (size_t i = 0; i < visible.size(); ++i) {
    if (i < shown || !visible.column(i).name.starts_with("$window_")) columns.push_back(visible.column(i));
  }
  auto chosen = selectAll();
  chosen->items = selectItems(wanted, thalweg::Schema(std::move(columns)));
  return refine(flat, queryOf(std::move(chosen)));
}

}  // namespace thalweg::api
