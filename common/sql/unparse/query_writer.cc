// Queries: one clause a line.
#include <utility>

#include "common/sql/unparse/writer.h"
#include "common/sql/unparser.h"

namespace thalweg::sql {

void Writer::query(const Query& node) {
  with(node);
  body(*node.body);
  if (!node.order_by.empty()) {
    text("\nORDER BY ");
    orderItems(node.order_by);
  }
  if (node.offset != nullptr) {
    text("\nOFFSET ");
    expr(*node.offset);
    text(" ROWS");
  }
  if (node.fetch != nullptr) {
    text("\nFETCH NEXT ");
    expr(*node.fetch);
    text(" ROWS ONLY");
  }
}

void Writer::with(const Query& node) {
  if (node.with.empty()) return;
  text(node.recursive ? "WITH RECURSIVE " : "WITH ");
  list(node.with, ", ", [this](const CommonTable& table) {
    identifier(table.name);
    if (!table.columns.empty()) {
      text(" ");
      identifiers(table.columns);
    }
    text(" AS ");
    subquery(*table.query);
  });
  text(" ");
}

void Writer::subquery(const Query& node) {
  const bool outer = std::exchange(joins_on_one_line_, false);
  text("(");
  query(node);
  text(")");
  joins_on_one_line_ = outer;
}

void Writer::body(const QueryBody& node) {
  switch (node.kind) {
    case BodyKind::SELECT: return select(as<SelectBody>(node));
    case BodyKind::VALUES: return values(as<ValuesBody>(node));
    case BodyKind::SET_OPERATION: return setOperation(as<SetOperation>(node));
    case BodyKind::TABLE: text("TABLE "); return name(as<ExplicitTable>(node).name);
    case BodyKind::NESTED: return subquery(*as<NestedQuery>(node).query);
  }
}

void Writer::values(const ValuesBody& node) {
  text("VALUES ");
  list(node.rows, ",\n", [this](const std::vector<ExprPtr>& row) {
    text("ROW(");
    exprs(row);
    text(")");
  });
}

void Writer::setOperation(const SetOperation& node) {
  setOperand(*node.left, node, false);
  switch (node.op) {
    case SetOperator::UNION: text("\nUNION"); break;
    case SetOperator::INTERSECT: text("\nINTERSECT"); break;
    case SetOperator::EXCEPT: text("\nEXCEPT"); break;
  }
  text(node.all ? " ALL\n" : "\n");
  setOperand(*node.right, node, true);
}

/// INTERSECT binds more tightly than the others, and all of them to the left.
void Writer::setOperand(const QueryBody& operand, const SetOperation& parent, bool right) {
  bool parentheses = operand.kind == BodyKind::VALUES || operand.kind == BodyKind::TABLE;
  if (const SetOperation* operation = tryAs<SetOperation>(operand)) {
    const auto level = [](SetOperator op) { return op == SetOperator::INTERSECT ? 2 : 1; };
    parentheses = level(operation->op) < level(parent.op) + (right ? 1 : 0) || parentheses_ == Parentheses::ALL;
  }
  if (parentheses) text("(");
  body(operand);
  if (parentheses) text(")");
}

// --- SELECT ------------------------------------------------------------------------------------------

void Writer::select(const SelectBody& node) {
  text("SELECT");
  if (!node.hints.empty()) {
    text("\n");
    hints(node.hints);
    text("\n");
  } else {
    text(" ");
  }
  if (node.quantifier == SetQuantifier::DISTINCT) text("DISTINCT ");
  if (node.quantifier == SetQuantifier::ALL) text("ALL ");
  selectItems(node.items, ", ");
  if (node.from != nullptr) {
    text("\nFROM ");
    table(*node.from);
  }
  if (node.where != nullptr) {
    text("\nWHERE ");
    expr(*node.where);
  }
  if (node.group_by) {
    text("\nGROUP BY ");
    if (node.group_by->quantifier == SetQuantifier::DISTINCT) text("DISTINCT ");
    list(node.group_by->items, ", ", [this](const GroupItem& item) { groupItem(item); });
  }
  if (node.having != nullptr) {
    text("\nHAVING ");
    expr(*node.having);
  }
  if (!node.windows.empty()) {
    text("\nWINDOW ");
    list(node.windows, ",\n", [this](const NamedWindow& window) {
      identifier(window.name);
      text(" AS ");
      windowSpec(*window.spec);
    });
  }
  if (node.qualify != nullptr) {
    text("\nQUALIFY ");
    expr(*node.qualify);
  }
}

void Writer::selectItems(const std::vector<SelectItem>& items, std::string_view separator) {
  list(items, separator, [this](const SelectItem& item) {
    expr(*item.expr);
    if (!item.alias) return;
    text(" AS ");
    identifier(*item.alias);
  });
}

void Writer::groupItem(const GroupItem& item) {
  switch (item.kind) {
    case GroupItemKind::EXPRESSION: return expr(*item.expressions[0]);
    case GroupItemKind::EMPTY: return text("()");
    case GroupItemKind::COMPOSITE:
      text("(");
      exprs(item.expressions);
      return text(")");
    case GroupItemKind::ROLLUP: text("ROLLUP("); break;
    case GroupItemKind::CUBE: text("CUBE("); break;
    case GroupItemKind::GROUPING_SETS: text("GROUPING SETS("); break;
  }
  list(item.items, ", ", [this](const GroupItem& inner) { groupItem(inner); });
  text(")");
}

void Writer::hints(const std::vector<Hint>& hints) {
  text("/*+ ");
  list(hints, ", ", [this](const Hint& hint) {
    identifier(hint.name);
    if (hint.arguments.empty()) return;
    text("(");
    list(hint.arguments, ", ", [this](const HintArgument& argument) {
      const auto word = [this](std::string_view value, bool is_name) {
        text(is_name ? quoteIdentifier(value) : quoteString(value));
      };
      if (argument.key) {
        word(*argument.key, argument.is_name);
        text(" = ");
        string(argument.value);
      } else if (argument.is_number) {
        text(argument.value);
      } else {
        word(argument.value, argument.is_name);
      }
    });
    text(")");
  });
  text(" */");
}

}  // namespace thalweg::sql
