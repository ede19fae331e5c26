#include "common/sql/parse/call_parser.h"

#include "common/sql/parse/expression_parser.h"
#include "common/sql/parse/keywords.h"
#include "common/sql/parse/node.h"
#include "common/sql/parse/primary_parser.h"
#include "common/sql/parse/query_parser.h"
#include "common/sql/parse/window_parser.h"

namespace thalweg::sql {

bool CallParser::atCall() const {
  const Token& token = cursor_.peek();
  if (token.kind != TokenKind::WORD) return false;
  if (cursor_.atSymbol("(", 1)) {
    const bool dated = cursor_.atAny({"DATE", "TIME", "TIMESTAMP", "DATETIME", "ARRAY", "TRANSLATE"});
    return dated || isReservedFunction(token.text) || isBareFunction(token.text) || specialSyntax() != nullptr;
  }
  return token.reserved && isBareFunction(token.text);
}

Result<ExprPtr> CallParser::parse() {
  const std::size_t start = cursor_.mark();
  const Token& token = cursor_.peek();
  if (!token.reserved && specialSyntax() == nullptr) {
    ASSIGN_OR_RETURN(QualifiedName name, cursor_.expectQualifiedName("a function's name"));
    return parseNamed(std::move(name), start);
  }
  auto call = std::make_shared<FunctionCall>();
  call->name.parts.push_back({std::string(token.text), token.position, false});
  call->name.position = token.position;
  const Special special = specialSyntax();
  cursor_.skip();
  if (!cursor_.acceptSymbol("(")) {
    call->bare = true;
    return finish(std::move(call), start);
  }
  if (special != nullptr) return (this->*special)(std::move(call), start);
  RETURN_IF_ERROR(parseArguments(*call));
  return finish(std::move(call), start);
}

Result<ExprPtr> CallParser::parseNamed(QualifiedName name, std::size_t start) {
  RETURN_IF_ERROR(cursor_.expectSymbol("("));
  auto call = std::make_shared<FunctionCall>();
  call->name = std::move(name);
  RETURN_IF_ERROR(parseArguments(*call));
  return finish(std::move(call), start);
}

Result<std::shared_ptr<const FunctionCall>> CallParser::parseTableFunction() {
  const std::size_t start = cursor_.mark();
  auto call = std::make_shared<FunctionCall>();
  ASSIGN_OR_RETURN(call->name, cursor_.expectQualifiedName("a function's name"));
  RETURN_IF_ERROR(cursor_.expectSymbol("("));
  RETURN_IF_ERROR(parseArguments(*call));
  return seal(cursor_, start, call, static_cast<const FunctionCall&>(*call));
}

// --- arguments ---------------------------------------------------------------------------------------

/// All up to and with `)`: `[ALL | DISTINCT] a, b [{RESPECT | IGNORE} NULLS] [ORDER BY ..]`.
Status CallParser::parseArguments(FunctionCall& call) {
  if (cursor_.acceptSymbol(")")) return Status::ok();
  if (cursor_.accept("DISTINCT")) call.quantifier = SetQuantifier::DISTINCT;
  if (cursor_.accept("ALL")) call.quantifier = SetQuantifier::ALL;
  do {
    ASSIGN_OR_RETURN(ExprPtr argument, parseArgument());
    if (argument->kind == ExprKind::STAR && call.quantifier == SetQuantifier::DISTINCT) {
      return Status::parse("`*` cannot be counted with DISTINCT", argument->position);
    }
    call.args.push_back(std::move(argument));
  } while (cursor_.acceptSymbol(","));
  if (cursor_.acceptWords({"RESPECT", "NULLS"})) call.nulls = NullTreatment::RESPECT;
  if (cursor_.acceptWords({"IGNORE", "NULLS"})) call.nulls = NullTreatment::IGNORE;
  ASSIGN_OR_RETURN(call.order_by, WindowParser(cursor_).parseOptionalOrderBy());
  return cursor_.expectSymbol(")");
}

Result<ExprPtr> CallParser::parseArgument() {
  if (!cursor_.atIdentifier() || !cursor_.atSymbol("=>", 1)) return parsePlainArgument();
  const std::size_t start = cursor_.mark();
  auto node = std::make_shared<NamedArgument>();
  ASSIGN_OR_RETURN(node->name, cursor_.expectIdentifier("an argument's name"));
  cursor_.skip();
  ASSIGN_OR_RETURN(node->value, parsePlainArgument());
  return sealExpr(cursor_, start, node, node->value);
}

Result<ExprPtr> CallParser::parsePlainArgument() {
  const std::size_t start = cursor_.mark();
  if (cursor_.accept("DEFAULT")) return sealExpr(cursor_, start, std::make_shared<Default>());
  if (cursor_.at("TABLE")) return parseTableArgument();
  if (cursor_.at("MODEL") && cursor_.atIdentifier(1)) return parseModelArgument();
  ASSIGN_OR_RETURN(ExprPtr star, PrimaryParser(cursor_).parseOptionalStar());
  if (star != nullptr) return star;
  ASSIGN_OR_RETURN(ExprPtr value, parseValueArgument());
  const Subquery* subquery = tryAs<Subquery>(*value);
  if (subquery == nullptr || !cursor_.at("PARTITION")) return value;
  auto table = std::make_shared<DerivedTable>();  // (SELECT ..) PARTITION BY a
  table->query = subquery->query;
  auto node = std::make_shared<TableArgument>();
  ASSIGN_OR_RETURN(node->table, seal(cursor_, start, table, table->query));
  RETURN_IF_ERROR(parseTableArgumentClauses(*node));
  return sealExpr(cursor_, start, node, node->table, node->partition_by, node->order_by);
}

Result<ExprPtr> CallParser::parseValueArgument() {
  const std::size_t start = cursor_.mark();
  PrimaryParser primaries(cursor_);
  ASSIGN_OR_RETURN(ExprPtr star, primaries.parseOptionalStar());
  if (star != nullptr) return star;
  QueryParser queries(cursor_);
  if (!queries.atQuery()) return ExpressionParser(cursor_).parse();
  auto node = std::make_shared<Subquery>();
  ASSIGN_OR_RETURN(node->query, queries.parse());
  return sealExpr(cursor_, start, node, node->query);
}

Result<ExprPtr> CallParser::parseTableArgument() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  const std::size_t name_start = cursor_.mark();
  auto table = std::make_shared<NamedTable>();
  ASSIGN_OR_RETURN(table->name, cursor_.expectQualifiedName("a table's name behind TABLE"));
  auto node = std::make_shared<TableArgument>();
  ASSIGN_OR_RETURN(node->table, seal(cursor_, name_start, std::move(table)));
  RETURN_IF_ERROR(parseTableArgumentClauses(*node));
  return sealExpr(cursor_, start, node, node->table, node->partition_by, node->order_by);
}

Status CallParser::parseTableArgumentClauses(TableArgument& argument) {
  if (cursor_.acceptWords({"PARTITION", "BY"})) {
    ASSIGN_OR_RETURN(argument.partition_by, ExpressionParser(cursor_).parseListPerhapsInParentheses());
  }
  if (!cursor_.acceptWords({"ORDER", "BY"})) return Status::ok();
  const bool parentheses = cursor_.acceptSymbol("(");
  // without parentheses one item only: a comma starts the next argument
  do {
    ASSIGN_OR_RETURN(OrderItem item, WindowParser(cursor_).parseOrderItem());
    argument.order_by.push_back(std::move(item));
  } while (parentheses && cursor_.acceptSymbol(","));
  return parentheses ? cursor_.expectSymbol(")") : Status::ok();
}

Result<ExprPtr> CallParser::parseModelArgument() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto node = std::make_shared<ModelArgument>();
  ASSIGN_OR_RETURN(node->name, cursor_.expectQualifiedName("a model's name behind MODEL"));
  return sealExpr(cursor_, start, node);
}

// --- what follows the arguments ----------------------------------------------------------------------

Status CallParser::parseTrailingClauses(FunctionCall& call) {
  if (cursor_.acceptWords({"RESPECT", "NULLS"})) call.nulls = NullTreatment::RESPECT;
  if (cursor_.acceptWords({"IGNORE", "NULLS"})) call.nulls = NullTreatment::IGNORE;
  if (cursor_.acceptWords({"WITHIN", "DISTINCT"})) {
    RETURN_IF_ERROR(cursor_.expectSymbol("("));
    ASSIGN_OR_RETURN(call.within_distinct, ExpressionParser(cursor_).parseList());
    RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  }
  if (cursor_.acceptWords({"WITHIN", "GROUP"})) {
    RETURN_IF_ERROR(cursor_.expectSymbol("("));
    RETURN_IF_ERROR(cursor_.expectWords({"ORDER", "BY"}));
    ASSIGN_OR_RETURN(call.within_group, WindowParser(cursor_).parseOrderItems());
    RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  }
  if (cursor_.at("FILTER") && call.json) {
    return Status::parse(call.name.toString() + " takes no FILTER clause", cursor_.peek().position);
  }
  if (cursor_.accept("FILTER")) {
    RETURN_IF_ERROR(cursor_.expectSymbol("("));
    RETURN_IF_ERROR(cursor_.expect("WHERE"));
    ASSIGN_OR_RETURN(call.filter, ExpressionParser(cursor_).parse());
    RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  }
  if (cursor_.accept("OVER")) {
    ASSIGN_OR_RETURN(call.over, WindowParser(cursor_).parseOver());
  }
  return Status::ok();
}

Result<ExprPtr> CallParser::finish(CallPtr call, std::size_t start) {
  if (!call->bare) RETURN_IF_ERROR(parseTrailingClauses(*call));
  return sealExpr(cursor_, start, call, static_cast<const FunctionCall&>(*call));
}

Result<ExprPtr> CallParser::close(CallPtr call, std::size_t start) {
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return finish(std::move(call), start);
}

}  // namespace thalweg::sql
