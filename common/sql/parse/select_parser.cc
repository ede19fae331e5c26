// SELECT and its clauses, as members of QueryParser.
#include "common/sql/parse/expression_parser.h"
#include "common/sql/parse/hint_parser.h"
#include "common/sql/parse/node.h"
#include "common/sql/parse/primary_parser.h"
#include "common/sql/parse/query_parser.h"
#include "common/sql/parse/table_parser.h"
#include "common/sql/parse/window_parser.h"

namespace thalweg::sql {

Result<QueryBodyPtr> QueryParser::parseSelect() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto select = std::make_shared<SelectBody>();
  ASSIGN_OR_RETURN(select->hints, HintParser(cursor_).parseOptional());
  if (cursor_.accept("DISTINCT")) {
    select->quantifier = SetQuantifier::DISTINCT;
  } else if (cursor_.accept("ALL")) {
    select->quantifier = SetQuantifier::ALL;
  }
  RETURN_IF_ERROR(parseSelectList(*select));
  if (cursor_.accept("FROM")) {
    ASSIGN_OR_RETURN(select->from, TableParser(cursor_).parseFrom());
    RETURN_IF_ERROR(parseSelectClauses(*select));
  } else if (cursor_.atAny({"WHERE", "GROUP", "HAVING", "WINDOW", "QUALIFY"})) {
    return cursor_.unexpected("FROM before it");
  }
  const std::vector<GroupItem> no_groups;
  ASSIGN_OR_RETURN(auto body, seal(cursor_, start, select, select->items, select->from, select->where,
                                   select->group_by ? select->group_by->items : no_groups, select->having,
                                   select->windows, select->qualify));
  return QueryBodyPtr(std::move(body));
}

Status QueryParser::parseSelectList(SelectBody& select) {
  do {
    ASSIGN_OR_RETURN(SelectItem item, parseSelectItem());
    select.items.push_back(std::move(item));
  } while (cursor_.acceptSymbol(","));
  return Status::ok();
}

Result<SelectItem> QueryParser::parseSelectItem() {
  const std::size_t start = cursor_.mark();
  SelectItem item;
  ASSIGN_OR_RETURN(item.expr, PrimaryParser(cursor_).parseOptionalStar());
  if (item.expr == nullptr) {
    ASSIGN_OR_RETURN(item.expr, ExpressionParser(cursor_).parse());
  }
  if (cursor_.accept("AS") || cursor_.atIdentifier()) {
    ASSIGN_OR_RETURN(item.alias, cursor_.expectIdentifier("a column's name behind AS"));
  }
  item.position = cursor_.since(start);
  return item;
}

Status QueryParser::parseSelectClauses(SelectBody& select) {
  ExpressionParser expressions(cursor_);
  if (cursor_.accept("WHERE")) {
    ASSIGN_OR_RETURN(select.where, expressions.parse());
  }
  if (cursor_.atWords({"GROUP", "BY"})) {
    ASSIGN_OR_RETURN(select.group_by, parseGroupBy());
  }
  if (cursor_.accept("HAVING")) {
    ASSIGN_OR_RETURN(select.having, expressions.parse());
  }
  if (cursor_.accept("WINDOW")) {
    ASSIGN_OR_RETURN(select.windows, parseWindows());
  }
  if (cursor_.accept("QUALIFY")) {
    ASSIGN_OR_RETURN(select.qualify, expressions.parse());
  }
  return Status::ok();
}

Result<GroupBy> QueryParser::parseGroupBy() {
  const std::size_t start = cursor_.mark();
  cursor_.skip(2);
  GroupBy group_by;
  if (cursor_.accept("DISTINCT")) {
    group_by.quantifier = SetQuantifier::DISTINCT;
  } else if (cursor_.accept("ALL")) {
    group_by.quantifier = SetQuantifier::ALL;
  }
  ASSIGN_OR_RETURN(group_by.items, parseGroupItems());
  group_by.position = cursor_.since(start);
  return group_by;
}

Result<std::vector<GroupItem>> QueryParser::parseGroupItems() {
  std::vector<GroupItem> items;
  do {
    ASSIGN_OR_RETURN(GroupItem item, parseGroupItem());
    items.push_back(std::move(item));
  } while (cursor_.acceptSymbol(","));
  return items;
}

Result<GroupItem> QueryParser::parseGroupItem() {
  NestingGuard guard(cursor_);
  RETURN_IF_ERROR(guard.status());
  const std::size_t start = cursor_.mark();
  GroupItem item;
  const bool sets = cursor_.atWords({"GROUPING", "SETS"});
  const bool rollup = cursor_.at("ROLLUP");
  if (sets || rollup || cursor_.at("CUBE")) {
    item.kind = sets ? GroupItemKind::GROUPING_SETS : rollup ? GroupItemKind::ROLLUP : GroupItemKind::CUBE;
    cursor_.skip(sets ? 2 : 1);
    RETURN_IF_ERROR(cursor_.expectSymbol("("));
    ASSIGN_OR_RETURN(item.items, parseGroupItems());
    RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  } else if (cursor_.atSymbol("(") && cursor_.atSymbol(")", 1)) {
    cursor_.skip(2);
    item.kind = GroupItemKind::EMPTY;
  } else {
    ASSIGN_OR_RETURN(ExprPtr expr, ExpressionParser(cursor_).parse());
    const RowConstructor* row = tryAs<RowConstructor>(*expr);
    const bool composite = row != nullptr && !row->explicit_row;
    item.kind = composite ? GroupItemKind::COMPOSITE : GroupItemKind::EXPRESSION;
    if (composite) {
      item.expressions = row->fields;
    } else {
      item.expressions.push_back(std::move(expr));
    }
  }
  item.position = cursor_.since(start);
  return item;
}

Result<std::vector<NamedWindow>> QueryParser::parseWindows() {
  std::vector<NamedWindow> windows;
  do {
    NamedWindow window;
    ASSIGN_OR_RETURN(window.name, cursor_.expectIdentifier("a window's name behind WINDOW"));
    RETURN_IF_ERROR(cursor_.expect("AS"));
    ASSIGN_OR_RETURN(window.spec, WindowParser(cursor_).parseSpec());
    windows.push_back(std::move(window));
  } while (cursor_.acceptSymbol(","));
  return windows;
}

}  // namespace thalweg::sql
