#include "common/plan/binder/over_binder.h"

#include <algorithm>

#include "common/base/edit_distance.h"
#include "common/functions/function_registry.h"
#include "common/plan/binder/query_binder.h"
#include "common/plan/binder/time_attributes.h"
#include "common/plan/expressions/ast_walk.h"
#include "common/types/type_rules.h"

namespace thalweg {

void collectOverCalls(const sql::Expr& expr, std::vector<const sql::FunctionCall*>& calls) {
  if (const auto* call = sql::tryAs<sql::FunctionCall>(expr); call && call->over) {
    calls.push_back(call);
    return;
  }
  forEachPart(expr, [&](const sql::Expr& part) { collectOverCalls(part, calls); });
}

Status OverBinder::bind(const std::vector<const sql::FunctionCall*>& asts, LogicalNodePtr& node,
                        std::map<const sql::FunctionCall*, BoundExprPtr>& results) {
  std::vector<Call> calls;
  for (const sql::FunctionCall* ast : asts) {
    ASSIGN_OR_RETURN(sql::WindowSpec spec, specOf(*ast->over));
    ASSIGN_OR_RETURN(Window window, bindWindow(spec));
    Call call{ast, upperName(ast->name.last()), {}, 0};
    if (isRankingFunction(call.function)) {
      ASSIGN_OR_RETURN(call.bound, bindRanking(*ast, call.function));
      bool ranks = call.function != "LAG" && call.function != "LEAD";
      if (window.order.empty()) {
        return Status::plan(call.function + " needs ORDER BY in its OVER clause", ast->position);
      }
      if (spec.frame && ranks) return Status::plan("ROWS and RANGE are not allowed with " + call.function, spec.frame->start.position);
      // Frames mean nothing to them; one form lets them share a window.
      window.rows = !environment_.batch_mode && call.function == "ROW_NUMBER";   // as Flink has it: RANK beside it is another window
      window.preceding.reset();
      window.following = 0;
    } else {
      if (!FunctionRegistry::instance().aggregate(call.function)) {
        return Status::plan(call.function + " cannot have an OVER clause: it is no aggregate or ranking function", ast->position);
      }
      if (ast->filter) return Status::plan("FILTER is not allowed beside OVER; use CASE in the argument", ast->position);
      ASSIGN_OR_RETURN(call.bound, bindAggregateCall(binder_, *ast));
      // ROWS BETWEEN 1 FOLLOWING AND 3 FOLLOWING leaves the row itself out, so the last rows have no rows to see.
      const bool may_be_empty = (window.preceding && *window.preceding < 0) || (window.following && *window.following < 0);
      if ((call.bound.filter || may_be_empty) && !call.bound.spec.function->never_null) {
        call.bound.spec.result_type = call.bound.spec.result_type.asNullable();
      }
    }
    auto found = std::find_if(windows_.begin(), windows_.end(), [&](const Window& w) { return same(w, window); });
    call.window = static_cast<size_t>(found - windows_.begin());
    if (found == windows_.end()) windows_.push_back(std::move(window));
    calls.push_back(std::move(call));
  }
  if (!environment_.batch_mode && windows_.size() > 1) {
    return Status::plan("in streaming mode all OVER calls of a SELECT must have the same window; compute the others in a sub-query of their own",
                        windows_[1].position);
  }
  for (size_t w = 0; w < windows_.size(); ++w) RETURN_IF_ERROR(build(w, calls, node, results));
  return Status::ok();
}

bool OverBinder::same(const Window& a, const Window& b) {
  if (a.rows != b.rows || a.preceding != b.preceding || a.following != b.following) return false;
  if (a.partition.size() != b.partition.size() || a.order.size() != b.order.size()) return false;
  for (size_t i = 0; i < a.partition.size(); ++i) {
    if (!exprEqual(*a.partition[i], *b.partition[i])) return false;
  }
  for (size_t i = 0; i < a.order.size(); ++i) {
    if (!exprEqual(*a.order[i].first, *b.order[i].first) || !(a.order[i].second == b.order[i].second)) return false;
  }
  return true;
}

Result<const sql::WindowSpec*> OverBinder::named(const sql::Identifier& name) const {
  std::vector<std::string> names;
  for (const sql::NamedWindow& window : named_) {
    if (window.name.text == name.text) return window.spec.get();
    names.push_back(window.name.text);
  }
  return Status::plan("there is no window '" + name.text + "'" + didYouMean(name.text, std::span<const std::string>(names)),
                      name.position);
}

/// The window's own parts over those of the named window that it refines.
Result<sql::WindowSpec> OverBinder::specOf(const sql::OverClause& over) const {
  sql::WindowSpec spec;
  if (over.name) {
    ASSIGN_OR_RETURN(const sql::WindowSpec* found, named(*over.name));
    spec = *found;
  } else {
    spec = *over.spec;
  }
  for (int depth = 0; spec.base; ++depth) {
    if (depth > 100) return Status::plan("the window '" + spec.base->text + "' is defined by itself", spec.base->position);
    ASSIGN_OR_RETURN(const sql::WindowSpec* base, named(*spec.base));
    if (spec.partition_by.empty()) spec.partition_by = base->partition_by;
    if (spec.order_by.empty()) spec.order_by = base->order_by;
    if (!spec.frame) spec.frame = base->frame;
    spec.base = base->base;
  }
  return spec;
}

Result<OverBinder::Window> OverBinder::bindWindow(const sql::WindowSpec& spec) {
  Window window;
  window.position = spec.position;
  for (const sql::ExprPtr& expr : spec.partition_by) {
    ASSIGN_OR_RETURN(BoundExprPtr bound, binder_.bind(*expr));
    window.partition.push_back(std::move(bound));
  }
  for (const sql::OrderItem& item : spec.order_by) {
    ASSIGN_OR_RETURN(BoundExprPtr bound, binder_.bind(*item.expr));
    if (bound->isLiteral()) continue;  // a constant orders nothing; nor does an ordinal here
    window.order.emplace_back(std::move(bound), sortKey(0, item));
  }
  RETURN_IF_ERROR(bindFrame(spec, window));
  return window;
}

Status OverBinder::bindFrame(const sql::WindowSpec& spec, Window& window) {
  if (!spec.frame) {
    // Up to the row's peers if there is an order, else the whole partition.
    if (!window.order.empty()) window.following = 0;
    return Status::ok();
  }
  const sql::WindowFrame& frame = *spec.frame;
  window.rows = frame.unit == sql::FrameUnit::ROWS;
  if (frame.start.kind == sql::FrameBoundKind::UNBOUNDED_FOLLOWING || frame.end.kind == sql::FrameBoundKind::UNBOUNDED_PRECEDING) {
    return Status::plan("a frame cannot begin at UNBOUNDED FOLLOWING or end at UNBOUNDED PRECEDING", frame.start.position);
  }
  ASSIGN_OR_RETURN(window.preceding, bindBound(frame.start, true, window));
  ASSIGN_OR_RETURN(window.following, bindBound(frame.end, false, window));
  if (window.preceding && window.following && -*window.preceding > *window.following) {
    return Status::plan("the frame ends before it begins", frame.start.position);
  }
  return Status::ok();
}

/// Distance from the row, positive before it for the start, after it for the end; nothing: UNBOUNDED.
Result<std::optional<int64_t>> OverBinder::bindBound(const sql::FrameBound& bound, bool start, const Window& window) {
  using Kind = sql::FrameBoundKind;
  if (bound.kind == Kind::UNBOUNDED_PRECEDING || bound.kind == Kind::UNBOUNDED_FOLLOWING) return std::optional<int64_t>();
  if (bound.kind == Kind::CURRENT_ROW) return std::optional<int64_t>(0);
  ASSIGN_OR_RETURN(BoundExprPtr offset, binder_.bind(*bound.offset));
  bool interval = !window.rows && offset->type.kind() == TypeKind::INTERVAL_DAY_TIME;
  bool number = offset->type.isInteger();
  if (!offset->isLiteral() || !(interval || number)) {
    return Status::plan(std::string(window.rows ? "ROWS takes whole numbers" : "RANGE takes constant intervals or whole numbers") +
                        ", but has " + offset->type.toString(), bound.position);
  }
  if (!window.rows && window.order.size() != 1) {
    return Status::plan("RANGE with a distance needs exactly one column in ORDER BY", bound.position);
  }
  if (!window.rows) {
    const DataType& order = window.order[0].first->type;
    if (interval ? !order.isTimestamp() : !order.isNumeric()) {
      return Status::plan("RANGE with a distance of type " + offset->type.toString() + " cannot go along " + order.toString(),
                          bound.position);
    }
  }
  int64_t value = offset->value.asInt();
  if (value < 0) return Status::plan("a frame's distance cannot be negative", bound.position);
  bool before = bound.kind == Kind::PRECEDING;
  return std::optional<int64_t>(before == start ? value : -value);
}

Result<BoundAggregate> OverBinder::bindRanking(const sql::FunctionCall& call, const std::string& name) {
  BoundAggregate bound;
  size_t min = name == "NTILE" || name == "LAG" || name == "LEAD" ? 1 : 0;
  size_t max = name == "NTILE" ? 1 : min * 3;
  if (call.args.size() < min || call.args.size() > max) {
    return Status::plan(name + " takes " + (max == 0 ? "no arguments" : max == 1 ? "one argument" : "one to three arguments"),
                        call.position);
  }
  if (call.filter || call.quantifier == sql::SetQuantifier::DISTINCT) {
    return Status::plan(name + " takes neither DISTINCT nor FILTER", call.position);
  }
  for (const sql::ExprPtr& arg : call.args) {
    ASSIGN_OR_RETURN(BoundExprPtr value, binder_.bind(*arg));
    bound.arguments.push_back(std::move(value));
  }
  DataType type = DataType::bigint(false);
  if (name == "PERCENT_RANK" || name == "CUME_DIST") type = DataType::float64(false);
  if (name == "NTILE") {
    const BoundExprPtr& count = bound.arguments[0];
    if (!count->isLiteral() || !count->type.isInteger() || count->value.asInt() < 1) {
      return Status::plan("NTILE takes a constant whole number of 1 or more", call.args[0]->position);
    }
  }
  if (name == "LAG" || name == "LEAD") {
    type = bound.arguments[0]->type.asNullable();
    if (bound.arguments.size() > 1 && !bound.arguments[1]->type.isInteger()) {
      return Status::plan("the distance of " + name + " must be a whole number", call.args[1]->position);
    }
    if (bound.arguments.size() > 2) {
      auto common = leastRestrictive(bound.arguments[0]->type, bound.arguments[2]->type);
      if (!common) return Status::plan("the default of " + name + " must be of its first argument's type", call.args[2]->position);
      // As Flink types it: the default stands in for what is missing.
      type = common->withNullable(bound.arguments[2]->type.nullable());
      bound.arguments[0] = binder_.calls().coerce(bound.arguments[0], type);
      bound.arguments[2] = binder_.calls().coerce(bound.arguments[2], type);
    }
  }
  for (const BoundExprPtr& arg : bound.arguments) {
    bound.spec.argument_types.push_back(arg->type);
    bound.spec.literals.push_back(arg->isLiteral() ? std::optional(arg->value) : std::nullopt);
  }
  bound.spec.function = FunctionRegistry::instance().aggregate(name);
  bound.spec.result_type = std::move(type);
  return bound;
}

Status OverBinder::build(size_t window_index, std::vector<Call>& calls, LogicalNodePtr& node,
                         std::map<const sql::FunctionCall*, BoundExprPtr>& results) {
  const Window& window = windows_[window_index];
  ColumnSlots slots(node, true);
  for (const BoundExprPtr& key : window.partition) slots.add(key);
  for (const auto& [expr, key] : window.order) slots.add(expr);
  for (const Call& call : calls) {
    if (call.window != window_index) continue;
    for (const BoundExprPtr& arg : call.bound.arguments) slots.add(arg);
    if (call.bound.filter) slots.add(call.bound.filter);
    for (const auto& [expr, key] : call.bound.order) slots.add(expr);
  }
  LogicalNodePtr input = slots.finish();
  OverAggregateSpec spec;
  spec.rows_frame = window.rows;
  spec.preceding = window.preceding;
  spec.following = window.following;
  for (const BoundExprPtr& key : window.partition) spec.partition_keys.push_back(slots.column(slots.add(key)));
  for (auto [expr, key] : window.order) {
    key.column = slots.column(slots.add(expr));
    spec.order_by.push_back(key);
  }
  if (!spec.order_by.empty() && spec.order_by[0].direction == SortDirection::ASCENDING) {
    const Column& first = input->schema.column(static_cast<size_t>(spec.order_by[0].column));
    const BoundExprPtr& order = window.order[0].first;
    if (first.time != TimeAttribute::NONE || (order->type.isTimestamp() && derivesFromRowTime(*order, *node))) {
      spec.time_column = spec.order_by[0].column;
    }
    spec.processing_time = first.time == TimeAttribute::PROCTIME;
  }
  std::vector<Column> columns = input->schema.columns();
  std::vector<LogicalOver::Call> made;
  for (Call& call : calls) {
    if (call.window != window_index) continue;
    LogicalOver::Call out;
    out.function = call.function;
    out.aggregate = call.bound.spec;
    for (const BoundExprPtr& arg : call.bound.arguments) out.aggregate.arguments.push_back(slots.column(slots.add(arg)));
    if (call.bound.filter) out.aggregate.filter = slots.column(slots.add(call.bound.filter));
    for (auto [expr, key] : call.bound.order) {
      key.column = slots.column(slots.add(expr));
      out.aggregate.order_by.push_back(key);
    }
    int column = static_cast<int>(columns.size());
    out.aggregate.name = "$w" + std::to_string(column);
    columns.push_back({out.aggregate.name, out.aggregate.result_type});
    results[call.ast] = BoundExpr::column(column, out.aggregate.result_type);
    made.push_back(std::move(out));
  }
  auto over = std::make_shared<LogicalOver>(std::move(input), std::move(spec), std::move(made), Schema(std::move(columns)));
  for (const Call& call : calls) {
    if (call.window == window_index && !over->position.known()) over->position = environment_.shown(call.ast->position);
  }
  node = std::move(over);
  return Status::ok();
}

}  // namespace thalweg
