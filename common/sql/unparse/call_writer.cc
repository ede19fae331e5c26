// Calls of functions, their windows, and the syntaxes that some of them have.
#include <algorithm>

#include "common/sql/operators.h"
#include "common/sql/parse/keywords.h"
#include "common/sql/unparse/writer.h"
#include "common/sql/unparser.h"

namespace thalweg::sql {
namespace {

/// Whether the name may stand without back-ticks before `(`.
bool isPlainFunctionName(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; };
  if (name.empty() || !letter(name[0])) return false;
  const bool plain = std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
  if (!plain || !isReservedWord(name)) return plain;
  static constexpr std::string_view kOthers[] = {"DATE",      "TIME",    "TIMESTAMP", "DATETIME", "ARRAY",
                                                 "TRANSLATE", "CONVERT", "SUBSTRING", "CEIL"};
  return isReservedFunction(name) || isBareFunction(name) ||
         std::any_of(std::begin(kOthers), std::end(kOthers), [&](std::string_view w) { return equalsWord(name, w); });
}

bool isSymbolAt(const FunctionCall& node, std::size_t index) {
  return node.args.size() > index && node.args[index]->kind == ExprKind::SYMBOL;
}

}  // namespace

void Writer::functionName(const QualifiedName& node) {
  if (node.isSimple() && isPlainFunctionName(node.last())) return text(upperAscii(node.last()));
  name(node);
}

void Writer::call(const FunctionCall& node) {
  const std::string function = node.name.isSimple() ? upperAscii(node.name.last()) : std::string();
  if (node.json != nullptr) {
    jsonCall(node, function);
  } else if (!specialCall(node, function)) {
    functionName(node.name);
    if (node.bare) return;
    text("(");
    arguments(node);
    text(")");
  }
  trailingClauses(node);
}

/// Writes a call with a syntax of its own; false if it has none.
bool Writer::specialCall(const FunctionCall& node, std::string_view function) {
  const auto argument = [&](std::size_t index) { expr(*node.args[index]); };
  const auto joined = [&](std::initializer_list<std::string_view> words) {
    text(function);
    text("(");
    std::size_t index = 0;
    for (std::string_view word : words) {
      if (index == node.args.size()) break;
      text(word);
      argument(index++);
    }
    text(")");
    return true;
  };
  const std::size_t count = node.args.size();
  if (function == "EXTRACT" && count == 2 && isSymbolAt(node, 0)) return joined({"", " FROM "});
  if ((function == "FLOOR" || function == "CEIL") && count == 2 && isSymbolAt(node, 1)) return joined({"", " TO "});
  if (function == "TRIM" && count == 3 && isSymbolAt(node, 0)) return joined({"", " ", " FROM "});
  if (function == "OVERLAY" && count >= 3) return joined({"", " PLACING ", " FROM ", " FOR "});
  if ((function == "CONVERT" || function == "TRANSLATE") && count == 2 && isSymbolAt(node, 1)) {
    return joined({"", " USING "});
  }
  if (function == "MINUS_DATE" && count == 3 && node.args[2]->kind == ExprKind::INTERVAL_LITERAL) {
    text("(");
    operand(*node.args[0], kAddPower.left);
    text(" - ");
    operand(*node.args[1], kAddPower.right);
    text(") ");
    intervalQualifier(as<IntervalLiteral>(*node.args[2]).qualifier);
    return true;
  }
  if (function == "POSITION" && count >= 2) {
    text("POSITION(");
    operand(*node.args[0], kLikePower.left);
    text(" IN ");
    argument(1);
    if (count > 2) {
      text(" FROM ");
      argument(2);
    }
    text(")");
    return true;
  }
  return false;
}

void Writer::arguments(const FunctionCall& node) {
  if (node.quantifier == SetQuantifier::DISTINCT) text("DISTINCT ");
  if (node.quantifier == SetQuantifier::ALL) text("ALL ");
  exprs(node.args);
  if (node.order_by.empty()) return;
  text(" ORDER BY ");
  orderItems(node.order_by);
}

void Writer::trailingClauses(const FunctionCall& node) {
  if (node.nulls != NullTreatment::UNSPECIFIED) {
    text(node.nulls == NullTreatment::IGNORE ? " IGNORE NULLS" : " RESPECT NULLS");
  }
  if (!node.within_distinct.empty()) {
    text(" WITHIN DISTINCT (");
    exprs(node.within_distinct);
    text(")");
  }
  if (!node.within_group.empty()) {
    text(" WITHIN GROUP (ORDER BY ");
    orderItems(node.within_group);
    text(")");
  }
  if (node.filter != nullptr) {
    text(" FILTER (WHERE ");
    expr(*node.filter);
    text(")");
  }
  if (node.over == nullptr) return;
  text(" OVER ");
  if (node.over->name) return identifier(*node.over->name);
  windowSpec(*node.over->spec);
}

// --- windows -----------------------------------------------------------------------------------------

void Writer::orderItems(const std::vector<OrderItem>& items) {
  list(items, ", ", [this](const OrderItem& item) {
    expr(*item.expr);
    if (item.direction == SortDirection::DESC) text(" DESC");
    if (item.nulls == NullOrder::FIRST) text(" NULLS FIRST");
    if (item.nulls == NullOrder::LAST) text(" NULLS LAST");
  });
}

void Writer::windowSpec(const WindowSpec& spec) {
  std::string_view gap;
  const auto part = [&](std::string_view words) {
    text(gap);
    text(words);
    gap = " ";
  };
  text("(");
  if (spec.base) {
    part("");
    identifier(*spec.base);
  }
  if (!spec.partition_by.empty()) {
    part("PARTITION BY ");
    exprs(spec.partition_by);
  }
  if (!spec.order_by.empty()) {
    part("ORDER BY ");
    orderItems(spec.order_by);
  }
  if (spec.frame) {
    part("");
    frame(*spec.frame);
  }
  if (spec.allow_partial) part(*spec.allow_partial ? "ALLOW PARTIAL" : "DISALLOW PARTIAL");
  text(")");
}

void Writer::frame(const WindowFrame& frame) {
  text(frame.unit == FrameUnit::ROWS ? "ROWS " : "RANGE ");
  if (frame.between) text("BETWEEN ");
  bound(frame.start);
  if (!frame.between) return;
  text(" AND ");
  bound(frame.end);
}

void Writer::bound(const FrameBound& bound) {
  switch (bound.kind) {
    case FrameBoundKind::UNBOUNDED_PRECEDING: return text("UNBOUNDED PRECEDING");
    case FrameBoundKind::UNBOUNDED_FOLLOWING: return text("UNBOUNDED FOLLOWING");
    case FrameBoundKind::CURRENT_ROW: return text("CURRENT ROW");
    case FrameBoundKind::PRECEDING:
    case FrameBoundKind::FOLLOWING: break;
  }
  operand(*bound.offset, kAndPower.right);
  text(bound.kind == FrameBoundKind::PRECEDING ? " PRECEDING" : " FOLLOWING");
}

// --- JSON --------------------------------------------------------------------------------------------

void Writer::jsonCall(const FunctionCall& node, std::string_view function) {
  const JsonClauses& clauses = *node.json;
  text(function);
  text("(");
  if (function == "JSON_OBJECT" || function == "JSON_OBJECTAGG") {
    jsonPairs(node);
    jsonNulls(clauses, !node.args.empty());
  } else if (function == "JSON_ARRAY" || function == "JSON_ARRAYAGG") {
    arguments(node);
    if (!node.args.empty()) jsonNulls(clauses, true);
  } else {
    exprs(node.args);
    if (clauses.returning) {
      text(" RETURNING ");
      type(*clauses.returning);
    }
    jsonWrapper(clauses);
    jsonReaction(clauses.on_empty, "EMPTY");
    jsonReaction(clauses.on_error, "ERROR");
  }
  text(")");
}

void Writer::jsonPairs(const FunctionCall& node) {
  for (std::size_t i = 0; i + 1 < node.args.size(); i += 2) {
    text(i == 0 ? "KEY " : ", KEY ");
    expr(*node.args[i]);
    text(" VALUE ");
    expr(*node.args[i + 1]);
  }
}

void Writer::jsonNulls(const JsonClauses& clauses, bool space) {
  if (clauses.nulls == JsonNulls::UNSPECIFIED) return;
  if (space) text(" ");
  text(clauses.nulls == JsonNulls::NULL_ON_NULL ? "NULL ON NULL" : "ABSENT ON NULL");
}

void Writer::jsonWrapper(const JsonClauses& clauses) {
  switch (clauses.wrapper) {
    case JsonWrapper::UNSPECIFIED: return;
    case JsonWrapper::WITHOUT: return text(" WITHOUT ARRAY WRAPPER");
    case JsonWrapper::CONDITIONAL: return text(" WITH CONDITIONAL ARRAY WRAPPER");
    case JsonWrapper::UNCONDITIONAL: return text(" WITH UNCONDITIONAL ARRAY WRAPPER");
  }
}

void Writer::jsonReaction(const JsonReaction& reaction, std::string_view event) {
  switch (reaction.behavior) {
    case JsonBehavior::UNSPECIFIED: return;
    case JsonBehavior::NULL_VALUE: text(" NULL"); break;
    case JsonBehavior::ERROR: text(" ERROR"); break;
    case JsonBehavior::EMPTY: text(" EMPTY"); break;
    case JsonBehavior::EMPTY_ARRAY: text(" EMPTY ARRAY"); break;
    case JsonBehavior::EMPTY_OBJECT: text(" EMPTY OBJECT"); break;
    case JsonBehavior::TRUE: text(" TRUE"); break;
    case JsonBehavior::FALSE: text(" FALSE"); break;
    case JsonBehavior::UNKNOWN: text(" UNKNOWN"); break;
    case JsonBehavior::DEFAULT:
      text(" DEFAULT ");
      expr(*reaction.default_value);
      break;
  }
  text(" ON ");
  text(event);
}

}  // namespace thalweg::sql
