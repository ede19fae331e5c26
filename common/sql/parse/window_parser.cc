#include "common/sql/parse/window_parser.h"

#include "common/sql/parse/expression_parser.h"
#include "common/sql/parse/node.h"

namespace thalweg::sql {

Result<std::vector<OrderItem>> WindowParser::parseOptionalOrderBy() {
  if (!cursor_.acceptWords({"ORDER", "BY"})) return std::vector<OrderItem>{};
  return parseOrderItems();
}

Result<std::vector<OrderItem>> WindowParser::parseOrderItems() {
  std::vector<OrderItem> items;
  do {
    ASSIGN_OR_RETURN(OrderItem item, parseOrderItem());
    items.push_back(std::move(item));
  } while (cursor_.acceptSymbol(","));
  return items;
}

Result<OrderItem> WindowParser::parseOrderItem() {
  const std::size_t start = cursor_.mark();
  OrderItem item;
  ASSIGN_OR_RETURN(item.expr, ExpressionParser(cursor_).parse());
  if (cursor_.accept("DESC")) {
    item.direction = SortDirection::DESC;
  } else {
    cursor_.accept("ASC");
  }
  if (cursor_.accept("NULLS")) {
    const bool first = cursor_.accept("FIRST");
    if (!first) RETURN_IF_ERROR(cursor_.expect("LAST"));
    item.nulls = first ? NullOrder::FIRST : NullOrder::LAST;
  }
  item.position = cursor_.since(start);
  return item;
}

Result<std::shared_ptr<const OverClause>> WindowParser::parseOver() {
  const std::size_t start = cursor_.mark();
  auto over = std::make_shared<OverClause>();
  if (cursor_.atSymbol("(")) {
    ASSIGN_OR_RETURN(over->spec, parseSpec());
  } else {
    ASSIGN_OR_RETURN(over->name, cursor_.expectIdentifier("a window's name or specification behind OVER"));
  }
  over->position = cursor_.since(start);
  return std::shared_ptr<const OverClause>(std::move(over));
}

Result<std::shared_ptr<const WindowSpec>> WindowParser::parseSpec() {
  const std::size_t start = cursor_.mark();
  RETURN_IF_ERROR(cursor_.expectSymbol("("));
  auto spec = std::make_shared<WindowSpec>();
  if (cursor_.atIdentifier()) {
    ASSIGN_OR_RETURN(spec->base, cursor_.expectIdentifier("a window's name"));
  }
  if (cursor_.acceptWords({"PARTITION", "BY"})) {
    ASSIGN_OR_RETURN(spec->partition_by, ExpressionParser(cursor_).parseList());
  }
  ASSIGN_OR_RETURN(spec->order_by, parseOptionalOrderBy());
  if (cursor_.atAny({"ROWS", "RANGE"})) {
    ASSIGN_OR_RETURN(spec->frame, parseFrame());
  }
  if (cursor_.acceptWords({"ALLOW", "PARTIAL"})) spec->allow_partial = true;
  if (cursor_.acceptWords({"DISALLOW", "PARTIAL"})) spec->allow_partial = false;
  if (!cursor_.atSymbol(")"))
    return cursor_.unexpectedWord("PARTITION BY, ORDER BY, ROWS, RANGE or ')' in a window",
                                  {"PARTITION", "ORDER", "ROWS", "RANGE"});
  cursor_.skip();
  spec->position = cursor_.since(start);
  return std::shared_ptr<const WindowSpec>(std::move(spec));
}

Result<WindowFrame> WindowParser::parseFrame() {
  WindowFrame frame;
  frame.unit = cursor_.at("ROWS") ? FrameUnit::ROWS : FrameUnit::RANGE;
  cursor_.skip();
  frame.between = cursor_.accept("BETWEEN");
  ASSIGN_OR_RETURN(frame.start, parseBound());
  if (frame.between) {
    RETURN_IF_ERROR(cursor_.expect("AND"));
    ASSIGN_OR_RETURN(frame.end, parseBound());
  }
  return frame;
}

Result<FrameBound> WindowParser::parseBound() {
  const std::size_t start = cursor_.mark();
  FrameBound bound;
  if (cursor_.acceptWords({"CURRENT", "ROW"})) {
    bound.kind = FrameBoundKind::CURRENT_ROW;
  } else {
    const bool unbounded = cursor_.accept("UNBOUNDED");
    if (!unbounded) {
      ASSIGN_OR_RETURN(bound.offset, ExpressionParser(cursor_).parseOperand());
    }
    const bool preceding = cursor_.accept("PRECEDING");
    if (!preceding) RETURN_IF_ERROR(cursor_.expect("FOLLOWING"));
    if (unbounded) {
      bound.kind = preceding ? FrameBoundKind::UNBOUNDED_PRECEDING : FrameBoundKind::UNBOUNDED_FOLLOWING;
    } else {
      bound.kind = preceding ? FrameBoundKind::PRECEDING : FrameBoundKind::FOLLOWING;
    }
  }
  bound.position = cursor_.since(start);
  return bound;
}

}  // namespace thalweg::sql
