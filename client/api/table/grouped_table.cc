// Groups and windows of tables: GROUP BY, the group windows as TUMBLE, HOP and SESSION of SQL, named OVER windows.
#include <algorithm>

#include "client/api/table/count_window.h"
#include "client/api/table/expression_tree.h"
#include "client/api/table/group_plan.h"
#include "client/api/table/projection.h"
#include "client/api/thalweg/exception.h"

namespace thalweg::api {
namespace {

const thalweg::Schema& schemaOf(const Table& table) { return table.state()->node->schema; }

sql::GroupBy groupsOf(const std::vector<sql::ExprPtr>& keys) {
  sql::GroupBy groups;
  for (const sql::ExprPtr& key : keys) {
    sql::GroupItem group;
    group.expressions = {key};
    groups.items.push_back(std::move(group));
  }
  return groups;
}

sql::FrameBound boundOf(const Expression& bound, sql::FrameBoundKind unbounded, sql::FrameBoundKind limited, bool& rows) {
  sql::FrameBound out;
  if (const auto* call = asCall(*bound.node(), "$unbounded")) {
    rows = !call->args.empty();
    out.kind = unbounded;
  } else if (const auto* current = asCall(*bound.node(), "$current")) {
    rows = !current->args.empty();
    out.kind = sql::FrameBoundKind::CURRENT_ROW;
  } else if (const auto* count = asCall(*bound.node(), "$rows")) {
    rows = true;
    out.kind = limited;
    out.offset = count->args[0];
    if (const auto* cast = sql::tryAs<sql::Cast>(*out.offset)) out.offset = cast->operand;
  } else {
    rows = false;
    out.kind = limited;
    out.offset = bound.node();
  }
  return out;
}

sql::NamedWindow namedWindow(const OverWindow& window) {
  if (window.alias.empty()) throw ValidationException("an over window needs a name: as(\"w\")");
  if (window.order.empty()) throw ValidationException("over window '" + window.alias + "' needs its order: orderBy($(\"rowtime\"))");
  auto spec = std::make_shared<sql::WindowSpec>();
  spec->partition_by = nodesOf(window.partition);
  spec->order_by = orderItems(window.order);
  if (window.from || window.to) {
    sql::WindowFrame frame;
    bool rows = false;
    frame.start.kind = sql::FrameBoundKind::UNBOUNDED_PRECEDING;
    frame.end.kind = sql::FrameBoundKind::CURRENT_ROW;
    if (window.from) frame.start = boundOf(*window.from, sql::FrameBoundKind::UNBOUNDED_PRECEDING, sql::FrameBoundKind::PRECEDING, rows);
    bool end_rows = rows;
    if (window.to) frame.end = boundOf(*window.to, sql::FrameBoundKind::UNBOUNDED_FOLLOWING, sql::FrameBoundKind::FOLLOWING, end_rows);
    if (window.from && window.to && rows != end_rows) {
      throw ValidationException("over window '" + window.alias + "': preceding and following must both count rows, or both be intervals");
    }
    frame.unit = (window.from ? rows : end_rows) ? sql::FrameUnit::ROWS : sql::FrameUnit::RANGE;
    frame.between = true;
    spec->frame = std::move(frame);
  }
  return {identifier(window.alias), std::move(spec)};
}

}  // namespace

Table groupedTable(const Table& table, const std::vector<sql::ExprPtr>& keys, std::vector<sql::SelectItem> items) {
  auto body = selectAll();
  body->items = std::move(items);
  if (!keys.empty()) body->group_by = groupsOf(keys);
  return refine(table, queryOf(std::move(body)));
}

const SessionFunctions& functionsOf(const Table& table) { return table.state()->environment->engine.session().functions(); }

WindowCalls::WindowCalls(const GroupWindow& window) : WindowMarks(window.alias), window_(window) {
  if (countsRows(window)) throw UnsupportedOperationException("aggregate() and flatAggregate() over windows that count rows are not supported; use select()");
  args_ = {window.time->node()};
  if (window.kind == GroupWindow::Kind::SLIDE) args_.push_back(window.slide->node());
  args_.push_back(window.size.node());
}

sql::ExprPtr WindowCalls::call(const std::string& suffix) const {
  static constexpr const char* kNames[] = {"TUMBLE", "HOP", "SESSION"};
  return callNode(kNames[static_cast<size_t>(window_.kind)] + suffix, args_);
}

bool WindowMarks::isWindow(const sql::Expr& expr) const { return columnNameOf(expr) == alias_; }

std::string WindowMarks::suffixOf(const sql::FunctionCall& found) const {
  static constexpr std::pair<const char*, const char*> kMarks[] = {
      {"$start", "_START"}, {"$end", "_END"}, {"$rowtime", "_ROWTIME"}, {"$proctime", "_PROCTIME"}};
  for (const auto& [mark, suffix] : kMarks) {
    if (asCall(found, mark) && isWindow(*found.args[0])) return suffix;
  }
  return {};
}

std::vector<sql::ExprPtr> WindowCalls::keys(const std::vector<Expression>& keys) const {
  std::vector<sql::ExprPtr> nodes;
  for (const Expression& key : keys) nodes.push_back(isWindow(*key.node()) ? call() : key.node());
  return nodes;
}

sql::ExprPtr WindowCalls::functionCall(const sql::FunctionCall& found) {
  const std::string suffix = suffixOf(found);
  return suffix.empty() ? nullptr : call(suffix);
}

Table GroupedTable::selectOf(const std::vector<Expression>& fields) const {
  const SessionFunctions::InSight functions(functionsOf(table_));
  return groupedTable(table_, nodesOf(keys_), selectItems(fields, schemaOf(table_)));
}

GroupWindowedTable Table::window(const GroupWindow& window) const {
  if (!window.time) throw ValidationException("a group window needs its time column: on($(\"rowtime\"))");
  if (window.alias.empty()) throw ValidationException("a group window needs a name: as(\"w\")");
  if (window.kind == GroupWindow::Kind::SLIDE && !window.slide) throw ValidationException("a sliding window needs its slide: every(lit(5).minutes())");
  if (countsRows(window)) checkCountWindow(*this, window);
  return GroupWindowedTable(*this, window);
}

WindowGroupedTable GroupWindowedTable::groupByOf(const std::vector<Expression>& keys) const {
  const bool named = std::any_of(keys.begin(), keys.end(), [&](const Expression& key) { return columnNameOf(*key.node()) == window_.alias; });
  if (!named) throw ValidationException("groupBy() after window() must name the window: groupBy($(\"" + window_.alias + "\"), …)");
  return WindowGroupedTable(table_, window_, keys);
}

Table WindowGroupedTable::selectOf(const std::vector<Expression>& fields) const {
  const SessionFunctions::InSight functions(functionsOf(table_));
  if (countsRows(window_)) return countWindowTable(table_, window_, keys_, fields);
  WindowCalls calls(window_);
  std::vector<sql::SelectItem> items = selectItems(fields, schemaOf(table_));
  for (sql::SelectItem& each : items) each.expr = calls.rewrite(each.expr);
  return groupedTable(table_, calls.keys(keys_), std::move(items));
}

Table OverWindowedTable::selectOf(const std::vector<Expression>& fields) const {
  const SessionFunctions::InSight functions(functionsOf(table_));
  auto body = selectAll();
  body->items = selectItems(fields, schemaOf(table_));
  for (const OverWindow& window : windows_) body->windows.push_back(namedWindow(window));
  return refine(table_, queryOf(std::move(body)));
}

}  // namespace thalweg::api
