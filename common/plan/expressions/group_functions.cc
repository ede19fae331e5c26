// What only grouped queries know: GROUPING and its kin, and the windows of GROUP BY TUMBLE(..), HOP(..), SESSION(..).
#include <algorithm>

#include "common/plan/binder/aggregate_binder.h"
#include "common/plan/binder/time_attributes.h"

namespace thalweg {
namespace {

/// `TUMBLE_START` → TUMBLE, START.
std::pair<std::string, std::string> splitWindowName(const std::string& name) {
  size_t bar = name.find('_');
  if (bar == std::string::npos) return {name, ""};
  return {name.substr(0, bar), name.substr(bar + 1)};
}

bool isWindowName(const std::string& name) { return name == "TUMBLE" || name == "HOP" || name == "SESSION"; }

}  // namespace

Result<bool> Grouping::bindWindowKey(const sql::Expr& expr) {
  const auto* call = sql::tryAs<sql::FunctionCall>(expr);
  if (!call || !call->name.isSimple() || call->over) return false;
  std::string name = upperName(call->name.last());
  if (!isWindowName(name)) return false;
  ASSIGN_OR_RETURN(WindowKey key, windowOf(*call, name));
  if (window_) return Status::plan("GROUP BY can have one group window only", expr.position);
  window_ = std::move(key);
  return true;
}

Result<Grouping::WindowKey> Grouping::windowOf(const sql::FunctionCall& call, const std::string& function) const {
  size_t needed = function == "HOP" ? 3 : 2;
  if (call.args.size() == needed + 1) return Status::notSupported("an alignment of group windows is not built", call.position);
  if (call.args.size() != needed) {
    return Status::plan(function + " takes a time attribute and " + (needed == 3 ? "two intervals" : "an interval"), call.position);
  }
  ScopeContext rows(scope_, outer_, "GROUP BY");
  ExpressionBinder binder(environment_, rows);
  WindowKey key;
  key.function = function;
  ASSIGN_OR_RETURN(key.time, binder.bind(*call.args[0]));
  TimeAttribute attribute = TimeAttribute::NONE;
  for (const ScopeColumn& column : scope_.columns()) {
    if (key.time->isColumn() && column.expr->isColumn() && column.expr->index == key.time->index) attribute = column.time;
  }
  if (key.time->kind == BoundKind::CALL && key.time->function->name == "PROCTIME") attribute = TimeAttribute::PROCTIME;
  const DataType& type = key.time->type;
  if (attribute == TimeAttribute::NONE && type.isTimestamp() && derivesFromRowTime(*key.time, *from_)) attribute = TimeAttribute::ROWTIME;
  if (attribute == TimeAttribute::NONE && !(environment_.batch_mode && type.isTimestamp())) {
    return Status::plan("the window's first argument must be a time attribute, but is " + type.toString() +
                        "; declare a WATERMARK for it, and keep it unchanged on the way here", call.args[0]->position);
  }
  key.attribute = attribute;
  key.spec.kind = function == "TUMBLE" ? WindowKind::TUMBLE : function == "HOP" ? WindowKind::HOP : WindowKind::SESSION;
  key.spec.local_time = type.kind() == TypeKind::TIMESTAMP_LTZ;
  key.spec.processing_time = attribute == TimeAttribute::PROCTIME;
  for (size_t i = 1; i < call.args.size(); ++i) {
    ASSIGN_OR_RETURN(BoundExprPtr value, binder.bind(*call.args[i]));
    if (!value->isLiteral() || value->type.kind() != TypeKind::INTERVAL_DAY_TIME || value->value.asInt() <= 0) {
      return Status::plan("a group window takes constant intervals of days and shorter units, longer than 0", call.args[i]->position);
    }
    bool slide = function == "HOP" && i == 1;
    (slide ? key.spec.slide_ms : key.spec.size_ms) = value->value.asInt();
  }
  return key;
}

Result<BoundExprPtr> Grouping::groupFunction(const sql::FunctionCall& call) const {
  std::string name = upperName(call.name.last());
  if (name == "GROUP_ID") {
    std::vector<int64_t> values;
    for (size_t s = 0; s < sets_.size(); ++s) {
      std::vector<int> sorted = sets_[s];
      std::sort(sorted.begin(), sorted.end());
      int64_t before = 0;
      for (size_t t = 0; t < s; ++t) {
        std::vector<int> other = sets_[t];
        std::sort(other.begin(), other.end());
        before += other == sorted;
      }
      values.push_back(before);
    }
    return perSet(values);
  }
  if (name == "GROUPING" || name == "GROUPING_ID") {
    if (call.args.empty()) return Status::plan(name + " needs a grouping key as its argument", call.position);
    std::vector<int64_t> values;
    for (size_t set = 0; set < std::max<size_t>(sets_.size(), 1); ++set) {
      ASSIGN_OR_RETURN(int64_t mask, keyMask(call, set));
      values.push_back(mask);
    }
    return perSet(values);
  }
  return windowProperty(call, name);
}

/// The value of GROUPING_ID(args) in one set: a bit for each argument, 1 if the set leaves it out.
Result<int64_t> Grouping::keyMask(const sql::FunctionCall& call, size_t set) const {
  int64_t mask = 0;
  for (const sql::ExprPtr& arg : call.args) {
    ScopeContext rows(scope_, outer_, "GROUPING");
    ASSIGN_OR_RETURN(BoundExprPtr bound, ExpressionBinder(environment_, rows).bind(*arg));
    int key = -1;
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (exprEqual(*keys_[i].bound, *bound)) key = static_cast<int>(i);
    }
    if (key < 0) return Status::plan("the argument of " + call.name.toString() + " must be a grouping key", arg->position);
    bool kept = sets_.empty() || std::find(sets_[set].begin(), sets_[set].end(), key) != sets_[set].end();
    mask = mask * 2 + (kept ? 0 : 1);
  }
  return mask;
}

/// One value for each grouping set, told apart by the set id.
Result<BoundExprPtr> Grouping::perSet(const std::vector<int64_t>& values) const {
  const auto number = [](int64_t value) { return BoundExpr::literal(Value::integer(value), DataType::bigint(false)); };
  bool constant = std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == values[0]; });
  if (values.empty()) return number(0);
  if (constant || sets_.empty()) return number(values[0]);
  CallFactory calls(environment_.session_zone);
  std::vector<BoundExprPtr> branches;
  const std::vector<int64_t> ids = groupingSetIds(sets_, keys_.size());
  for (size_t s = 0; s + 1 < sets_.size(); ++s) {
    ASSIGN_OR_RETURN(BoundExprPtr is_set, calls.compare("=", column(set_column_), number(ids[s]), {}));
    branches.push_back(std::move(is_set));
    branches.push_back(number(values[s]));
  }
  branches.push_back(number(values.back()));
  return BoundExpr::caseWhen(std::move(branches), DataType::bigint(false));
}

Result<BoundExprPtr> Grouping::windowProperty(const sql::FunctionCall& call, const std::string& name) const {
  auto [function, property] = splitWindowName(name);
  if (property.empty()) return Status::plan(name + " is a group window: it stands in GROUP BY, or in FROM as a table function", call.position);
  ASSIGN_OR_RETURN(WindowKey wanted, windowOf(call, function));
  bool same = window_ && window_->function == function && exprEqual(*window_->time, *wanted.time) &&
              window_->spec.size_ms == wanted.spec.size_ms && window_->spec.slide_ms == wanted.spec.slide_ms;
  if (!same) return Status::plan(name + " must have the arguments of the " + function + " in GROUP BY", call.position);
  if (property == "START") return column(property_column_);
  if (property == "END") return column(property_column_ + 1);
  bool processing = window_->spec.processing_time;
  if (property == "PROCTIME") {
    if (!processing) return Status::plan(name + " is for windows of processing time", call.position);
    return CallFactory(environment_.session_zone).call("PROCTIME", {}, call.position);
  }
  if (processing) return Status::plan(name + " is for windows of row time", call.position);
  return column(property_column_ + 2);
}

}  // namespace thalweg
