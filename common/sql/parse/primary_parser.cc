#include "common/sql/parse/primary_parser.h"

#include "common/sql/parse/call_parser.h"
#include "common/sql/parse/expression_parser.h"
#include "common/sql/parse/keywords.h"
#include "common/sql/parse/literal_parser.h"
#include "common/sql/parse/node.h"
#include "common/sql/parse/query_parser.h"
#include "common/sql/parse/type_parser.h"

namespace thalweg::sql {

Result<ExprPtr> PrimaryParser::parse() {
  LiteralParser literals(cursor_);
  if (literals.atLiteral()) return literals.parse();
  const Token& token = cursor_.peek();
  if (token.kind == TokenKind::WORD) return parseWord();
  if (token.kind == TokenKind::QUOTED_IDENTIFIER) return parseName();
  if (cursor_.atSymbol("(")) return parseParenthesised();
  if (cursor_.atSymbol("{")) return parseBraces();
  if (cursor_.atSymbol("?")) return Status::plan("parameters ('?') have no values here", token.position);
  return cursor_.unexpected("an expression");
}

Result<ExprPtr> PrimaryParser::parseWord() {
  if (cursor_.at("CASE")) return parseCase();
  if (cursor_.atAny({"CAST", "TRY_CAST"}) && cursor_.atSymbol("(", 1)) return parseCast();
  if (cursor_.at("EXISTS")) return parseExists();
  if (cursor_.atAny({"ROW", "PERIOD"}) && cursor_.atSymbol("(", 1)) return parseRow();
  if (atCollection("ARRAY")) return parseCollection(CollectionKind::ARRAY);
  if (atCollection("MAP")) return parseCollection(CollectionKind::MAP);
  if (atCollection("MULTISET")) return parseCollection(CollectionKind::MULTISET);
  if (cursor_.at("INTERVAL")) return parseInterval();
  const bool match_prefix =
      cursor_.atAny({"FINAL", "RUNNING"}) && cursor_.peek(1).kind == TokenKind::WORD && cursor_.atSymbol("(", 2);
  if (match_prefix) return parseMatchPrefix();
  CallParser calls(cursor_);
  if (calls.atCall()) return calls.parse();
  return parseName();
}

bool PrimaryParser::atCollection(std::string_view word) const {
  if (!cursor_.at(word)) return false;
  return cursor_.atSymbol("[", 1) || (cursor_.atSymbol("(", 1) && cursor_.atAny({"SELECT", "VALUES", "WITH"}, 2));
}

Result<ExprPtr> PrimaryParser::parseParenthesised() {
  const std::size_t start = cursor_.mark();
  ASSIGN_OR_RETURN(auto content, ExpressionParser(cursor_).parseParenthesised());
  if (auto* query = std::get_if<QueryPtr>(&content)) {
    auto node = std::make_shared<Subquery>();
    node->query = std::move(*query);
    return sealExpr(cursor_, start, node, node->query);
  }
  std::vector<ExprPtr>& list = std::get<1>(content);
  if (list.size() == 1) {
    const OperatorCall* minus = tryAs<OperatorCall>(*list[0]);
    const bool difference = minus != nullptr && minus->op == "-" && minus->operands.size() == 2 &&
                            cursor_.atAny({"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"});
    return difference ? parseDifference(*minus, start) : Result<ExprPtr>(std::move(list[0]));
  }
  auto row = std::make_shared<RowConstructor>();
  row->fields = std::move(list);
  return sealExpr(cursor_, start, row, row->fields);
}

/// `(a - b) DAY TO SECOND`, with the qualifier next.
Result<ExprPtr> PrimaryParser::parseDifference(const OperatorCall& minus, std::size_t start) {
  const std::size_t qualifier_start = cursor_.mark();
  auto one = std::make_shared<IntervalLiteral>();
  one->text = "1";
  ASSIGN_OR_RETURN(one->qualifier, TypeParser(cursor_).parseIntervalQualifier());
  ASSIGN_OR_RETURN(ExprPtr interval, sealExpr(cursor_, qualifier_start, one));
  auto call = std::make_shared<FunctionCall>();
  call->position = cursor_.since(start);
  call->name = {{{"MINUS_DATE", call->position, false}}, call->position};
  call->args = {minus.operands[0], minus.operands[1], std::move(interval)};
  return sealExpr(cursor_, start, call, call->args);
}

Result<ExprPtr> PrimaryParser::parseCase() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  ExpressionParser expressions(cursor_);
  auto node = std::make_shared<Case>();
  if (!cursor_.at("WHEN")) {
    ASSIGN_OR_RETURN(node->operand, expressions.parse());
  }
  do {
    RETURN_IF_ERROR(cursor_.expect("WHEN"));
    std::vector<ExprPtr> conditions;
    do {
      ASSIGN_OR_RETURN(ExprPtr condition, expressions.parse());
      conditions.push_back(std::move(condition));
    } while (node->operand != nullptr && cursor_.acceptSymbol(","));
    RETURN_IF_ERROR(cursor_.expect("THEN"));
    ASSIGN_OR_RETURN(const ExprPtr result, expressions.parse());
    for (ExprPtr& condition : conditions) node->branches.push_back({std::move(condition), result});
  } while (cursor_.at("WHEN"));
  if (cursor_.accept("ELSE")) {
    ASSIGN_OR_RETURN(node->otherwise, expressions.parse());
  }
  if (!cursor_.accept("END")) return cursor_.unexpectedWord("WHEN, ELSE or END in CASE", {"WHEN", "ELSE", "END"});
  return sealExpr(cursor_, start, node, node->operand, node->branches, node->otherwise);
}

Result<ExprPtr> PrimaryParser::parseCast() {
  const std::size_t start = cursor_.mark();
  auto node = std::make_shared<Cast>();
  node->is_try = cursor_.at("TRY_CAST");
  cursor_.skip(2);
  ASSIGN_OR_RETURN(node->operand, ExpressionParser(cursor_).parse());
  RETURN_IF_ERROR(cursor_.expect("AS"));
  ASSIGN_OR_RETURN(node->type, TypeParser(cursor_).parse());
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return sealExpr(cursor_, start, node, node->operand);
}

Result<ExprPtr> PrimaryParser::parseExists() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  const SourcePosition position = cursor_.peek().position;
  ASSIGN_OR_RETURN(auto content, ExpressionParser(cursor_).parseParenthesised());
  auto* query = std::get_if<QueryPtr>(&content);
  if (query == nullptr) return Status::parse("expected a query in parentheses behind EXISTS", position);
  auto node = std::make_shared<Exists>();
  node->query = std::move(*query);
  return sealExpr(cursor_, start, node, node->query);
}

Result<ExprPtr> PrimaryParser::parseRow() {
  const std::size_t start = cursor_.mark();
  auto row = std::make_shared<RowConstructor>();
  row->explicit_row = cursor_.at("ROW");
  cursor_.skip(2);
  CallParser calls(cursor_);
  do {
    ASSIGN_OR_RETURN(ExprPtr field, calls.parseValueArgument());
    row->fields.push_back(std::move(field));
  } while (cursor_.acceptSymbol(","));
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return sealExpr(cursor_, start, row, row->fields);
}

Result<ExprPtr> PrimaryParser::parseCollection(CollectionKind kind) {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  if (cursor_.acceptSymbol("(")) {
    auto node = std::make_shared<CollectionQuery>();
    node->collection = kind;
    ASSIGN_OR_RETURN(node->query, QueryParser(cursor_).parse());
    RETURN_IF_ERROR(cursor_.expectSymbol(")"));
    return sealExpr(cursor_, start, node, node->query);
  }
  cursor_.skip();
  auto node = std::make_shared<CollectionConstructor>();
  node->collection = kind;
  if (!cursor_.atSymbol("]")) {
    ASSIGN_OR_RETURN(node->elements, ExpressionParser(cursor_).parseList());
  }
  RETURN_IF_ERROR(cursor_.expectSymbol("]"));
  return sealExpr(cursor_, start, node, node->elements);
}

Result<ExprPtr> PrimaryParser::parseInterval() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  const bool negative = cursor_.atSymbol("-");
  LiteralParser literals(cursor_);
  if (negative || cursor_.atSymbol("+")) {
    cursor_.skip();
    if (!literals.atString()) return cursor_.unexpected("a string such as '1' behind INTERVAL");
  }
  if (!literals.atString()) return parseIntervalOf(start);
  auto node = std::make_shared<IntervalLiteral>();
  node->negative = negative;
  ASSIGN_OR_RETURN(node->text, literals.parseStringText(nullptr));
  ASSIGN_OR_RETURN(node->qualifier, TypeParser(cursor_).parseIntervalQualifier());
  return sealExpr(cursor_, start, node);
}

/// `INTERVAL 3 DAY`, `INTERVAL a DAY`, `INTERVAL (a + 1) DAY`: so many times one day.
Result<ExprPtr> PrimaryParser::parseIntervalOf(std::size_t start) {
  ExprPtr count;
  if (cursor_.atSymbol("(") || cursor_.peek().kind == TokenKind::INTEGER || cursor_.peek().kind == TokenKind::DECIMAL) {
    ASSIGN_OR_RETURN(count, parse());
  } else if (cursor_.atIdentifier()) {
    ASSIGN_OR_RETURN(count, parseName());
  } else {
    return cursor_.unexpected("a string such as '1' behind INTERVAL");
  }
  const std::size_t unit_start = cursor_.mark();
  const std::optional<TimeUnit> unit = TypeParser(cursor_).acceptIntervalUnit();
  if (!unit) return cursor_.unexpected("a unit of time such as DAY or SECOND behind INTERVAL");
  auto one = std::make_shared<IntervalLiteral>();
  one->qualifier.start = *unit;
  one->qualifier.end = *unit;
  one->qualifier.position = cursor_.since(unit_start);
  const Literal* literal = tryAs<Literal>(*count);
  const bool whole = literal != nullptr && literal->literal == LiteralKind::INTEGER;
  one->text = whole ? literal->text : "1";
  ASSIGN_OR_RETURN(ExprPtr interval, sealExpr(cursor_, start, std::move(one)));
  if (whole) return interval;
  auto product = std::make_shared<OperatorCall>();
  product->op = "*";
  product->operands = {std::move(count), std::move(interval)};
  return sealExpr(cursor_, start, product, product->operands);
}

Result<ExprPtr> PrimaryParser::parseMatchPrefix() {
  const std::size_t start = cursor_.mark();
  auto node = std::make_shared<OperatorCall>();
  node->op = upperAscii(cursor_.peek().text);
  cursor_.skip();
  ASSIGN_OR_RETURN(ExprPtr call, CallParser(cursor_).parse());
  node->operands.push_back(std::move(call));
  return sealExpr(cursor_, start, node, node->operands);
}

Result<ExprPtr> PrimaryParser::parseName() {
  const std::size_t start = cursor_.mark();
  if (!cursor_.atIdentifier()) {
    return cursor_.peek().kind == TokenKind::WORD
               ? Status::parse("expected an expression but found the keyword " + upperAscii(cursor_.peek().text) +
                                   "; as a name it needs back-ticks: `" + std::string(cursor_.peek().text) + "`",
                               cursor_.peek().position)
               : cursor_.unexpected("an expression");
  }
  ASSIGN_OR_RETURN(QualifiedName name, cursor_.expectQualifiedName("a column name"));
  if (cursor_.atSymbol("(")) return CallParser(cursor_).parseNamed(std::move(name), start);
  auto node = std::make_shared<ColumnRef>();
  node->name = std::move(name);
  return sealExpr(cursor_, start, node);
}

Result<ExprPtr> PrimaryParser::parseOptionalStar() {
  const std::size_t start = cursor_.mark();
  std::size_t ahead = 0;
  while (cursor_.atIdentifier(ahead) && cursor_.atSymbol(".", ahead + 1)) ahead += 2;
  if (!cursor_.atSymbol("*", ahead)) return ExprPtr();
  auto star = std::make_shared<Star>();
  while (!cursor_.acceptSymbol("*")) {
    ASSIGN_OR_RETURN(Identifier part, cursor_.expectIdentifier("a table's name"));
    star->qualifier.push_back(std::move(part));
    cursor_.skip();
  }
  return sealExpr(cursor_, start, star);
}

/// The escapes of JDBC: `{d '2020-01-01'}`, `{t '..'}`, `{ts '..'}`, `{fn f(x)}`.
Result<ExprPtr> PrimaryParser::parseBraces() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  ExprPtr content;
  if (cursor_.accept("FN")) {
    ASSIGN_OR_RETURN(content, parse());
  } else {
    auto literal = std::make_shared<Literal>();
    if (cursor_.accept("D")) {
      literal->literal = LiteralKind::DATE;
    } else if (cursor_.accept("T")) {
      literal->literal = LiteralKind::TIME;
    } else if (cursor_.accept("TS")) {
      literal->literal = LiteralKind::TIMESTAMP;
    } else {
      return cursor_.unexpected("D, T, TS or FN behind '{'");
    }
    ASSIGN_OR_RETURN(literal->text, cursor_.expectString("a string with the literal's value"));
    ASSIGN_OR_RETURN(content, sealExpr(cursor_, start, std::move(literal)));
  }
  RETURN_IF_ERROR(cursor_.expectSymbol("}"));
  return content;
}

}  // namespace thalweg::sql
