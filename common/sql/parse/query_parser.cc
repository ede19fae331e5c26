#include "common/sql/parse/query_parser.h"

#include "common/sql/parse/call_parser.h"
#include "common/sql/parse/expression_parser.h"
#include "common/sql/parse/node.h"
#include "common/sql/parse/primary_parser.h"
#include "common/sql/parse/window_parser.h"

namespace thalweg::sql {
namespace {

// INTERSECT binds more tightly than UNION and EXCEPT.
constexpr int kUnionLevel = 1;
constexpr int kIntersectLevel = 2;

bool isPlain(const Query& query) {
  return query.with.empty() && query.order_by.empty() && query.offset == nullptr && query.fetch == nullptr;
}

/// A query as an operand: its body, or itself in parentheses if there is more to it.
QueryBodyPtr asBody(const QueryPtr& query) {
  if (isPlain(*query)) return query->body;
  auto nested = std::make_shared<NestedQuery>();
  nested->query = query;
  nested->position = query->position;
  nested->depth = query->depth + 1;
  return nested;
}

}  // namespace

bool QueryParser::atQuery() const {
  return cursor_.atAny({"SELECT", "VALUES", "WITH"}) || (cursor_.at("TABLE") && cursor_.atIdentifier(1));
}

bool QueryParser::atContinuation() const {
  return cursor_.atAny({"UNION", "INTERSECT", "EXCEPT", "ORDER", "LIMIT", "OFFSET", "FETCH"});
}

Result<QueryPtr> QueryParser::parse() {
  NestingGuard guard(cursor_);
  RETURN_IF_ERROR(guard.status());
  const std::size_t start = cursor_.mark();
  auto query = std::make_shared<Query>();
  if (cursor_.accept("WITH")) RETURN_IF_ERROR(parseWith(*query));
  ASSIGN_OR_RETURN(query->body, parseSetOperations(kUnionLevel));
  RETURN_IF_ERROR(parseTail(*query));
  return finish(std::move(query), start);
}

Result<QueryPtr> QueryParser::parseContinuation(const QueryPtr& first, std::size_t start) {
  auto query = std::make_shared<Query>();
  ASSIGN_OR_RETURN(query->body, extendSetOperations(asBody(first), start, kUnionLevel));
  RETURN_IF_ERROR(parseTail(*query));
  return finish(std::move(query), start);
}

Result<QueryPtr> QueryParser::finish(std::shared_ptr<Query> query, std::size_t start) {
  const NestedQuery* nested = tryAs<NestedQuery>(*query->body);
  if (nested != nullptr && isPlain(*query)) return nested->query;  // parentheses around the whole
  return seal(cursor_, start, query, query->with, query->body, query->order_by, query->offset, query->fetch);
}

Status QueryParser::parseWith(Query& query) {
  query.recursive = cursor_.accept("RECURSIVE");
  do {
    ASSIGN_OR_RETURN(CommonTable table, parseCommonTable());
    query.with.push_back(std::move(table));
  } while (cursor_.acceptSymbol(","));
  return Status::ok();
}

Result<CommonTable> QueryParser::parseCommonTable() {
  const std::size_t start = cursor_.mark();
  CommonTable table;
  ASSIGN_OR_RETURN(table.name, cursor_.expectIdentifier("the name of a common table behind WITH"));
  if (cursor_.atSymbol("(")) {
    ASSIGN_OR_RETURN(table.columns, cursor_.expectIdentifierList("a column name"));
  }
  RETURN_IF_ERROR(cursor_.expect("AS"));
  RETURN_IF_ERROR(cursor_.expectSymbol("("));
  ASSIGN_OR_RETURN(table.query, parse());
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  table.position = cursor_.since(start);
  return table;
}

Result<QueryBodyPtr> QueryParser::parseSetOperations(int level) {
  const std::size_t start = cursor_.mark();
  ASSIGN_OR_RETURN(QueryBodyPtr first, parseTerm());
  return extendSetOperations(std::move(first), start, level);
}

Result<QueryBodyPtr> QueryParser::extendSetOperations(QueryBodyPtr left, std::size_t start, int level) {
  while (true) {
    if (cursor_.at("MINUS")) return Status::parse("MINUS is not supported; write EXCEPT", cursor_.peek().position);
    const bool intersect = cursor_.at("INTERSECT");
    const int op_level = intersect ? kIntersectLevel : kUnionLevel;
    if ((!intersect && !cursor_.atAny({"UNION", "EXCEPT"})) || op_level < level) return left;
    auto operation = std::make_shared<SetOperation>();
    operation->op = intersect ? SetOperator::INTERSECT : cursor_.at("UNION") ? SetOperator::UNION : SetOperator::EXCEPT;
    cursor_.skip();
    operation->all = cursor_.accept("ALL");
    if (!operation->all) cursor_.accept("DISTINCT");
    operation->left = std::move(left);
    ASSIGN_OR_RETURN(operation->right, parseSetOperations(op_level + 1));
    ASSIGN_OR_RETURN(left, seal(cursor_, start, operation, operation->left, operation->right));
  }
}

Result<QueryBodyPtr> QueryParser::parseTerm() {
  if (cursor_.at("SELECT")) return parseSelect();
  if (cursor_.at("VALUES")) return parseValues();
  if (cursor_.at("TABLE")) return parseExplicitTable();
  if (!cursor_.acceptSymbol("(")) return cursor_.unexpectedWord("a query", {"SELECT", "VALUES", "WITH"});
  ASSIGN_OR_RETURN(const QueryPtr query, parse());
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return asBody(query);
}

Result<QueryBodyPtr> QueryParser::parseExplicitTable() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto table = std::make_shared<ExplicitTable>();
  ASSIGN_OR_RETURN(table->name, cursor_.expectQualifiedName("a table's name behind TABLE"));
  ASSIGN_OR_RETURN(auto body, seal(cursor_, start, std::move(table)));
  return QueryBodyPtr(std::move(body));
}

Result<QueryBodyPtr> QueryParser::parseValues() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto values = std::make_shared<ValuesBody>();
  do {
    ASSIGN_OR_RETURN(std::vector<ExprPtr> row, parseValuesRow());
    values->rows.push_back(std::move(row));
  } while (cursor_.acceptSymbol(","));
  ASSIGN_OR_RETURN(auto body, seal(cursor_, start, values, values->rows));
  return QueryBodyPtr(std::move(body));
}

/// `(1, DEFAULT)`, `ROW(1, 2)`, or `1` for a row of one column.
Result<std::vector<ExprPtr>> QueryParser::parseValuesRow() {
  std::vector<ExprPtr> row;
  const bool explicit_row = cursor_.at("ROW") && cursor_.atSymbol("(", 1);
  if (!explicit_row && !cursor_.atSymbol("(")) {
    ASSIGN_OR_RETURN(ExprPtr only, ExpressionParser(cursor_).parse());
    return std::vector<ExprPtr>{std::move(only)};
  }
  cursor_.skip(explicit_row ? 2 : 1);
  CallParser calls(cursor_);
  do {
    const std::size_t start = cursor_.mark();
    ExprPtr value;
    if (cursor_.accept("DEFAULT")) {
      ASSIGN_OR_RETURN(value, sealExpr(cursor_, start, std::make_shared<Default>()));
    } else {
      ASSIGN_OR_RETURN(value, calls.parseValueArgument());
    }
    row.push_back(std::move(value));
  } while (cursor_.acceptSymbol(","));
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return row;
}

// --- behind the body ---------------------------------------------------------------------------------

Status QueryParser::parseTail(Query& query) {
  ASSIGN_OR_RETURN(query.order_by, WindowParser(cursor_).parseOptionalOrderBy());
  if (cursor_.accept("LIMIT")) {
    if (!cursor_.accept("ALL")) {
      ASSIGN_OR_RETURN(query.fetch, parseRowCount());
    }
    if (cursor_.atSymbol(",")) {
      return Status::parse("LIMIT start, count is not supported; write LIMIT count OFFSET start",
                           cursor_.peek().position);
    }
  }
  if (cursor_.accept("OFFSET")) {
    ASSIGN_OR_RETURN(query.offset, parseRowCount());
    if (!cursor_.accept("ROWS")) cursor_.accept("ROW");
    if (cursor_.at("LIMIT")) {
      return Status::parse("LIMIT stands before OFFSET: write LIMIT count OFFSET start", cursor_.peek().position);
    }
  }
  if (query.fetch == nullptr && cursor_.accept("FETCH")) {
    if (!cursor_.accept("FIRST")) RETURN_IF_ERROR(cursor_.expect("NEXT"));
    ASSIGN_OR_RETURN(query.fetch, parseRowCount());
    if (!cursor_.accept("ROW")) RETURN_IF_ERROR(cursor_.expect("ROWS"));
    return cursor_.expect("ONLY");
  }
  return Status::ok();
}

Result<ExprPtr> QueryParser::parseRowCount() {
  const TokenKind kind = cursor_.peek().kind;
  if (kind != TokenKind::INTEGER && kind != TokenKind::DECIMAL) return cursor_.unexpected("a number of rows");
  return PrimaryParser(cursor_).parse();
}

}  // namespace thalweg::sql
