// Three steps: each row gets its number within its group, aggregates are computed over the rows from `size` - 1 before it
// to itself, and the rows at which a window is full remain. Rows of a window that is never filled give nothing.
#include "client/api/table/count_window.h"

#include <algorithm>

#include "client/api/table/expression_tree.h"
#include "client/api/table/group_plan.h"
#include "client/api/table/projection.h"
#include "client/api/thalweg/exception.h"

namespace thalweg::api {
namespace {

constexpr const char* kNumber = "$number";
constexpr const char* kWindow = "$window";

int64_t rowsOf(const Expression& count, const char* what) {
  const auto* rows = asCall(*count.node(), "$rows");
  if (rows == nullptr) throw ValidationException(std::string("the ") + what + " of a window that counts rows is a number of rows, too: rowInterval(5)");
  const sql::Expr* number = rows->args[0].get();
  while (const auto* cast = sql::tryAs<sql::Cast>(*number)) number = cast->operand.get();
  const int64_t value = std::stoll(sql::as<sql::Literal>(*number).text);
  if (value < 1) throw ValidationException(std::string("the ") + what + " of a window must be at least one row, not " + std::to_string(value));
  return value;
}

sql::NamedWindow rowsWindow(const std::vector<sql::ExprPtr>& keys, const sql::ExprPtr& time, std::optional<int64_t> preceding) {
  auto spec = std::make_shared<sql::WindowSpec>();
  spec->partition_by = keys;
  sql::OrderItem order;
  order.expr = time;
  spec->order_by = {order};
  sql::WindowFrame frame;
  frame.unit = sql::FrameUnit::ROWS;
  frame.between = true;
  frame.start.kind = preceding ? sql::FrameBoundKind::PRECEDING : sql::FrameBoundKind::UNBOUNDED_PRECEDING;
  if (preceding) frame.start.offset = integerNode(*preceding);
  frame.end.kind = sql::FrameBoundKind::CURRENT_ROW;
  spec->frame = std::move(frame);
  return {identifier(kWindow), std::move(spec)};
}

sql::ExprPtr overWindow(const sql::FunctionCall& call) {
  auto copy = std::make_shared<sql::FunctionCall>(call);
  auto over = std::make_shared<sql::OverClause>();
  over->name = identifier(kWindow);
  copy->over = std::move(over);
  return copy;
}

/// Takes aggregates out of expressions, as columns over the window.
class AggregateColumns : public AstRewriter {
 public:
  AggregateColumns(const WindowMarks& window, std::vector<sql::SelectItem>& items) : window_(window), items_(items) {}

 protected:
  sql::ExprPtr functionCall(const sql::FunctionCall& found) override {
    if (!window_.suffixOf(found).empty()) {
      throw ValidationException("Window start and Window end cannot be selected for a row-count window: its bounds are no times");
    }
    if (!isAggregateCall(found)) return nullptr;
    const std::string name = "$aggregate" + std::to_string(items_.size());
    items_.push_back(item(overWindow(found), name));
    return columnNode({name});
  }

 private:
  const WindowMarks& window_;
  std::vector<sql::SelectItem>& items_;
};

Table withColumns(const Table& table, std::vector<sql::SelectItem> more, sql::NamedWindow window) {
  auto body = selectAll();
  for (sql::SelectItem& each : more) body->items.push_back(std::move(each));
  body->windows.push_back(std::move(window));
  return refine(table, queryOf(std::move(body)));
}

}  // namespace

bool countsRows(const GroupWindow& window) { return asCall(*window.size.node(), "$rows") != nullptr; }

void checkCountWindow(const Table& table, const GroupWindow& window) {
  if (window.kind == GroupWindow::Kind::SESSION) throw ValidationException("the gap of a session window is an interval of time, not a number of rows");
  rowsOf(window.size, "size");
  if (window.kind == GroupWindow::Kind::SLIDE) rowsOf(*window.slide, "slide");
  const thalweg::Schema& schema = table.state()->node->schema;
  const int column = schema.indexOf(columnNameOf(*window.time->node()));
  if (table.state()->environment->isBatch()) {
    throw UnsupportedOperationException("windows that count rows are not supported in batch mode, where rows have no order of arrival");
  }
  if (column < 0 || schema.column(static_cast<size_t>(column)).time != TimeAttribute::PROCTIME) {
    throw UnsupportedOperationException("Event-time grouping windows on row intervals are currently not supported: give on() a processing-time attribute");
  }
}

Table countWindowTable(const Table& table, const GroupWindow& window, const std::vector<Expression>& keys, const std::vector<Expression>& fields) {
  const WindowMarks marks(window.alias);
  const int64_t size = rowsOf(window.size, "size");
  const int64_t slide = window.slide ? rowsOf(*window.slide, "slide") : size;
  std::vector<sql::ExprPtr> groups;
  for (const Expression& key : keys) {
    if (!marks.isWindow(*key.node())) groups.push_back(key.node());
  }
  const thalweg::Schema& schema = table.state()->node->schema;
  std::vector<sql::SelectItem> items = selectItems(fields, schema);
  std::vector<sql::SelectItem> aggregates;
  std::vector<sql::SelectItem> shown = items;
  AggregateColumns columns(marks, aggregates);
  for (sql::SelectItem& each : shown) each.expr = columns.rewrite(each.expr);
  if (groups.empty() && aggregates.empty()) throw ValidationException("of a window without further keys only aggregates can be selected");
  (void)groupedTable(table, groups, std::move(items));       // so that only keys and aggregates are

  auto count = std::make_shared<sql::FunctionCall>();
  count->name = qualifiedName({"COUNT"});
  count->args = {integerNode(1)};
  const sql::ExprPtr time = window.time->node();
  const Table numbered = withColumns(table, {item(overWindow(*count), kNumber)}, rowsWindow(groups, time, std::nullopt));
  const Table computed = aggregates.empty() ? numbered : withColumns(numbered, std::move(aggregates), rowsWindow(groups, time, size - 1));
  auto body = selectAll();
  body->items = std::move(shown);
  const sql::ExprPtr number = columnNode({kNumber});
  const sql::ExprPtr full = operatorNode(">=", {number, integerNode(size)});
  const sql::ExprPtr due = operatorNode("=", {callNode("MOD", {operatorNode("-", {number, integerNode(size)}), integerNode(slide)}), integerNode(0)});
  body->where = operatorNode("AND", {full, due});
  return refine(computed, queryOf(std::move(body)));
}

}  // namespace thalweg::api
