// One pass from the leaves up: for every node, which of its columns are live time attributes. A join looks at its own
// condition and at the filters right above it, where comma joins have their conditions.
#include "common/plan/binder/time_attributes.h"

#include <algorithm>
#include <functional>

namespace thalweg {
namespace {

using Live = std::vector<bool>;
using Conditions = std::vector<BoundExprPtr>;

/// `column + offset` as a side of a comparison; the offset is a constant of any size.
struct TimeTerm {
  int column = -1;
};

TimeTerm timeTerm(const BoundExpr& expr) {
  if (expr.isColumn()) return {expr.index};
  bool sum = expr.kind == BoundKind::CALL && expr.args.size() == 2 && (expr.function->name == "+" || expr.function->name == "-");
  if (sum && expr.args[1]->type.isInterval() && expr.args[1]->isLiteral()) return timeTerm(*expr.args[0]);
  if (sum && expr.function->name == "+" && expr.args[0]->type.isInterval()) return timeTerm(*expr.args[1]);
  return {};
}

/// Which bounds of left.time - right.time the conditions give.
bool boundsTime(const Conditions& conditions, const Live& live, size_t left_width) {
  bool lower = false;
  bool upper = false;
  for (const BoundExprPtr& condition : conditions) {
    if (condition->kind != BoundKind::CALL || condition->args.size() != 2) continue;
    const std::string& op = condition->function->name;
    bool less = op == "<" || op == "<=";
    bool greater = op == ">" || op == ">=";
    if (!less && !greater && op != "=") continue;
    int a = timeTerm(*condition->args[0]).column;
    int b = timeTerm(*condition->args[1]).column;
    if (a < 0 || b < 0 || !live[static_cast<size_t>(a)] || !live[static_cast<size_t>(b)]) continue;
    bool a_left = static_cast<size_t>(a) < left_width;
    bool b_left = static_cast<size_t>(b) < left_width;
    if (a_left == b_left) continue;
    if (op == "=") return true;
    ((less == a_left) ? upper : lower) = true;
  }
  return lower && upper;
}

bool isWindowColumn(const LogicalNode& node, int column) {
  if (node.kind == LogicalKind::WINDOW_TVF) return column >= static_cast<int>(node.inputs[0]->schema.size());
  if (node.kind == LogicalKind::PROJECT) {
    const BoundExpr& expr = *node.as<LogicalProject>().expressions[static_cast<size_t>(column)];
    return expr.isColumn() && isWindowColumn(*node.inputs[0], expr.index);
  }
  if (node.kind == LogicalKind::FILTER || node.kind == LogicalKind::SORT) return isWindowColumn(*node.inputs[0], column);
  if (node.kind == LogicalKind::AGGREGATE) {
    const auto& keys = node.as<LogicalAggregate>().keys;
    return column < static_cast<int>(keys.size()) && isWindowColumn(*node.inputs[0], keys[static_cast<size_t>(column)]);
  }
  if (node.kind == LogicalKind::OVER && column < static_cast<int>(node.inputs[0]->schema.size())) {
    return isWindowColumn(*node.inputs[0], column);
  }
  return false;
}

/// Equality of window columns of both sides.
bool isWindowJoin(const LogicalJoin& join, const Conditions& conditions) {
  int left_width = static_cast<int>(join.inputs[0]->schema.size());
  int equal = 0;
  for (const BoundExprPtr& condition : conditions) {
    if (condition->kind != BoundKind::CALL || condition->function->name != "=") continue;
    if (!condition->args[0]->isColumn() || !condition->args[1]->isColumn()) continue;
    int a = std::min(condition->args[0]->index, condition->args[1]->index);
    int b = std::max(condition->args[0]->index, condition->args[1]->index);
    if (a >= left_width || b < left_width) continue;
    equal += isWindowColumn(*join.inputs[0], a) && isWindowColumn(*join.inputs[1], b - left_width);
  }
  return equal >= 2;
}

/// Whether a value made by `expr` is one of its row times, perhaps shifted; `is_time` says it of columns.
bool shiftsTime(const BoundExpr& expr, const std::function<bool(int)>& is_time) {
  if (expr.isColumn()) return is_time(expr.index);
  const auto noneButNull = [&](const BoundExpr& value) {
    return (value.isLiteral() && value.value.isNull()) || (value.kind == BoundKind::CAST && value.args[0]->isLiteral() && value.args[0]->value.isNull());
  };
  if (expr.kind == BoundKind::CASE) {
    // Pairs of condition and value, then the value of ELSE.
    bool any = false;
    for (size_t i = 1; i < expr.args.size() + 1; i += 2) {
      const BoundExpr& value = *expr.args[std::min(i, expr.args.size() - 1)];
      if (noneButNull(value)) continue;
      if (!shiftsTime(value, is_time)) return false;
      any = true;
    }
    return any;
  }
  if (expr.kind != BoundKind::CALL) return false;
  const std::string& name = expr.function->name;
  if ((name == "+" || name == "-") && expr.args.size() == 2 && expr.args[1]->type.isInterval()) return shiftsTime(*expr.args[0], is_time);
  if (name != "COALESCE") return false;
  return std::all_of(expr.args.begin(), expr.args.end(), [&](const BoundExprPtr& arg) { return shiftsTime(*arg, is_time); });
}

Live marksOf(const Schema& schema) {
  Live live;
  for (const Column& column : schema.columns()) live.push_back(column.time != TimeAttribute::NONE);
  return live;
}

Status lost(const Schema& schema, int column, const char* what) {
  return Status::plan(std::string(what) + " needs a time attribute, but column '" + schema.column(static_cast<size_t>(column)).name +
                      "' lost it in a join; use an interval join (a.time BETWEEN b.time - .. AND b.time + ..), or window before joining");
}

/// CURRENT_WATERMARK is of a row time as it is.
Status checkWatermarkCalls(const BoundExpr& expr, const LogicalNode& input) {
  if (expr.kind == BoundKind::CALL && expr.function->name == "CURRENT_WATERMARK") {
    if (!derivesFromRowTime(*expr.args[0], input)) return Status::plan("CURRENT_WATERMARK takes a row time (a column with a WATERMARK), not just a timestamp");
  }
  for (const BoundExprPtr& arg : expr.args) RETURN_IF_ERROR(checkWatermarkCalls(*arg, input));
  return {};
}

bool asksForWatermark(const BoundExpr& expr) {
  if (expr.kind == BoundKind::CALL && expr.function->name == "CURRENT_WATERMARK") return true;
  return std::any_of(expr.args.begin(), expr.args.end(), [](const BoundExprPtr& arg) { return asksForWatermark(*arg); });
}

class TimeCheck {
 public:
  Result<Live> visit(const LogicalNode& node, const Conditions& above) {
    if (node.kind == LogicalKind::FILTER) {
      RETURN_IF_ERROR(checkWatermarkCalls(*node.as<LogicalFilter>().condition, *node.inputs[0]));
    } else if (node.kind == LogicalKind::PROJECT) {
      for (const auto& e : node.as<LogicalProject>().expressions) RETURN_IF_ERROR(checkWatermarkCalls(*e, *node.inputs[0]));
    }
    if (node.kind == LogicalKind::FILTER) {
      Conditions conditions = above;
      for (const BoundExprPtr& part : splitConjunction(node.as<LogicalFilter>().condition)) conditions.push_back(part);
      return visit(*node.inputs[0], conditions);
    }
    std::vector<Live> inputs;
    if (node.kind == LogicalKind::JOIN) return visitJoin(node.as<LogicalJoin>(), above);
    for (const LogicalNodePtr& input : node.inputs) {
      ASSIGN_OR_RETURN(Live live, visit(*input, {}));
      inputs.push_back(std::move(live));
    }
    return visitOther(node, inputs);
  }

 private:
  Result<Live> visitJoin(const LogicalJoin& join, const Conditions& above) {
    ASSIGN_OR_RETURN(Live live, visit(*join.inputs[0], {}));
    bool temporal = join.inputs[1]->kind == LogicalKind::TEMPORAL;
    ASSIGN_OR_RETURN(Live right, visit(*join.inputs[1], {}));
    size_t left_width = live.size();
    bool semi = join.type == JoinType::SEMI || join.type == JoinType::ANTI;
    live.insert(live.end(), right.begin(), right.end());
    Conditions conditions;
    if (join.condition) conditions = splitConjunction(join.condition);
    if (join.type == JoinType::INNER) conditions.insert(conditions.end(), above.begin(), above.end());
    bool keeps = temporal || isWindowJoin(join, conditions) || boundsTime(conditions, live, left_width);
    if (semi) live.resize(left_width);
    if (!keeps) live.assign(live.size(), false);
    return live;
  }

  Result<Live> visitOther(const LogicalNode& node, const std::vector<Live>& inputs) {
    Live live = marksOf(node.schema);
    switch (node.kind) {
      case LogicalKind::PROJECT: {
        const auto& expressions = node.as<LogicalProject>().expressions;
        for (size_t i = 0; i < expressions.size(); ++i) {
          live[i] = (!expressions[i]->isColumn() && live[i]) || shiftsTime(*expressions[i], [&](int column) {
            return static_cast<size_t>(column) < inputs[0].size() && inputs[0][static_cast<size_t>(column)];
          });
        }
        return live;
      }
      case LogicalKind::WINDOW_TVF: {
        int time = node.as<LogicalWindowTvf>().window.time_column;
        if (!inputs[0][static_cast<size_t>(time)]) return lost(node.schema, time, "a window");
        std::copy(inputs[0].begin(), inputs[0].end(), live.begin());
        return live;
      }
      case LogicalKind::AGGREGATE: {
        const auto& window = node.as<LogicalAggregate>().group_window;
        if (window && !inputs[0][static_cast<size_t>(window->time_column)]) {
          return lost(node.inputs[0]->schema, window->time_column, "a group window");
        }
        return live;
      }
      case LogicalKind::OVER: {
        int time = node.as<LogicalOver>().window.time_column;
        if (time >= 0 && !inputs[0][static_cast<size_t>(time)]) return lost(node.schema, time, "OVER");
        std::copy(inputs[0].begin(), inputs[0].end(), live.begin());
        return live;
      }
      case LogicalKind::MATCH: {
        int time = node.as<LogicalMatch>().match.time_column;
        if (!inputs[0][static_cast<size_t>(time)]) return lost(node.inputs[0]->schema, time, "MATCH_RECOGNIZE");
        return live;
      }
      case LogicalKind::SORT: {
        const auto& sort = node.as<LogicalSort>();
        if (!sort.fetch && !sort.keys.empty()) {
          int first = sort.keys[0].column;
          if (live[static_cast<size_t>(first)] && !inputs[0][static_cast<size_t>(first)]) {
            return lost(node.schema, first, "ORDER BY in a stream");
          }
        }
        return inputs[0];
      }
      case LogicalKind::SET_OP:
        for (const Live& input : inputs) {
          for (size_t i = 0; i < live.size(); ++i) live[i] = live[i] && input[i];
        }
        return live;
      case LogicalKind::UNNEST:
        std::copy(inputs[0].begin(), inputs[0].end(), live.begin());
        return live;
      case LogicalKind::TEMPORAL: case LogicalKind::SINK: return inputs[0];
      default: return live;
    }
  }
};

}  // namespace

bool derivesFromRowTime(const BoundExpr& expr, const LogicalNode& input) {
  return shiftsTime(expr, [&](int column) {
    if (column < 0 || static_cast<size_t>(column) >= input.schema.size()) return false;
    if (input.schema.column(static_cast<size_t>(column)).time != TimeAttribute::NONE) {
      return input.schema.column(static_cast<size_t>(column)).time == TimeAttribute::ROWTIME;
    }
    if (input.kind == LogicalKind::FILTER) return derivesFromRowTime(*BoundExpr::column(column, input.schema.type(static_cast<size_t>(column))), *input.inputs[0]);
    if (input.kind != LogicalKind::PROJECT) return false;
    const BoundExpr& below = *input.as<LogicalProject>().expressions[static_cast<size_t>(column)];
    return derivesFromRowTime(below, *input.inputs[0]);
  });
}

Status checkTimeAttributes(const LogicalNode& root) {
  auto live = TimeCheck().visit(root, {});
  return live.isOk() ? Status::ok() : live.status();
}

Status checkNoWatermarks(const LogicalNode& root) {
  bool asks = root.kind == LogicalKind::FILTER && asksForWatermark(*root.as<LogicalFilter>().condition);
  if (root.kind == LogicalKind::PROJECT) {
    for (const BoundExprPtr& expr : root.as<LogicalProject>().expressions) asks = asks || asksForWatermark(*expr);
  }
  if (asks) return Status::plan("there are no watermarks in batch mode, and so no CURRENT_WATERMARK");
  for (const LogicalNodePtr& input : root.inputs) RETURN_IF_ERROR(checkNoWatermarks(*input));
  return {};
}

}  // namespace thalweg
