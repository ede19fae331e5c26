// Operators are read by climbing binding powers (operators.h): parseAbove(p) reads an operand, then takes
// operators as long as they bind above p, reading each right side with the operator's own right power.
#include "common/sql/parse/expression_parser.h"

#include <utility>

#include "common/sql/parse/keywords.h"
#include "common/sql/parse/node.h"
#include "common/sql/parse/primary_parser.h"
#include "common/sql/parse/query_parser.h"

namespace thalweg::sql {
namespace {

bool isNumber(const Expr& expr) {
  const Literal* literal = tryAs<Literal>(expr);
  return literal != nullptr && (literal->literal == LiteralKind::INTEGER || literal->literal == LiteralKind::DECIMAL ||
                                literal->literal == LiteralKind::APPROXIMATE);
}

/// Whether all digits before the exponent are zero: there is no minus zero, as in Flink.
bool isZero(std::string_view number) {
  return number.substr(0, number.find_first_of("eE")).find_first_of("123456789") == std::string_view::npos;
}

/// The number with its sign turned.
std::shared_ptr<Literal> negate(const Literal& number) {
  auto negated = std::make_shared<Literal>(number);
  if (!isZero(number.text)) negated->text = number.text.starts_with('-') ? number.text.substr(1) : "-" + number.text;
  return negated;
}

}  // namespace

Result<ExprPtr> ExpressionParser::operatorNode(std::size_t start, std::string op, std::vector<ExprPtr> operands) {
  auto node = std::make_shared<OperatorCall>();
  node->op = std::move(op);
  node->operands = std::move(operands);
  return sealExpr(cursor_, start, node, node->operands);
}

Result<std::vector<ExprPtr>> ExpressionParser::parseList() {
  std::vector<ExprPtr> list;
  do {
    ASSIGN_OR_RETURN(ExprPtr item, parse());
    list.push_back(std::move(item));
  } while (cursor_.acceptSymbol(","));
  return list;
}

Result<std::vector<ExprPtr>> ExpressionParser::parseListPerhapsInParentheses() {
  if (!cursor_.acceptSymbol("(")) {
    ASSIGN_OR_RETURN(ExprPtr one, parse());
    return std::vector<ExprPtr>{std::move(one)};
  }
  ASSIGN_OR_RETURN(std::vector<ExprPtr> list, parseList());
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return list;
}

Result<std::variant<QueryPtr, std::vector<ExprPtr>>> ExpressionParser::parseParenthesised() {
  using Content = std::variant<QueryPtr, std::vector<ExprPtr>>;
  const std::size_t start = cursor_.mark();
  RETURN_IF_ERROR(cursor_.expectSymbol("("));
  QueryParser queries(cursor_);
  if (queries.atQuery()) {
    ASSIGN_OR_RETURN(QueryPtr query, queries.parse());
    RETURN_IF_ERROR(cursor_.expectSymbol(")"));
    return Content(std::move(query));
  }
  ASSIGN_OR_RETURN(std::vector<ExprPtr> list, parseList());
  const Subquery* only = list.size() == 1 ? tryAs<Subquery>(*list[0]) : nullptr;
  if (only != nullptr && queries.atContinuation()) {  // ((SELECT ..) UNION ..)
    ASSIGN_OR_RETURN(QueryPtr query, queries.parseContinuation(only->query, start + 1));
    RETURN_IF_ERROR(cursor_.expectSymbol(")"));
    return Content(std::move(query));
  }
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  if (only != nullptr) return Content(only->query);
  return Content(std::move(list));
}

Result<ExprPtr> ExpressionParser::parseAbove(int power, Stop stop) {
  NestingGuard guard(cursor_);
  RETURN_IF_ERROR(guard.status());
  const std::size_t start = cursor_.mark();
  ASSIGN_OR_RETURN(ExprPtr left, parsePrefix(stop));
  while (true) {
    ASSIGN_OR_RETURN(ExprPtr extended, parseInfix(left, start, power, stop));
    if (extended == nullptr) return left;
    left = std::move(extended);
  }
}

Result<ExprPtr> ExpressionParser::parsePrefix(Stop stop) {
  const std::size_t start = cursor_.mark();
  if (cursor_.accept("NOT")) {
    ASSIGN_OR_RETURN(ExprPtr operand, parseAbove(kNotPower, stop));
    return operatorNode(start, "NOT", {std::move(operand)});
  }
  if (cursor_.atSymbol("-") || cursor_.atSymbol("+")) return parseSigned(stop);
  ASSIGN_OR_RETURN(ExprPtr primary, PrimaryParser(cursor_).parse());
  return parsePostfix(std::move(primary), start);
}

Result<ExprPtr> ExpressionParser::parseSigned(Stop stop) {
  const std::size_t start = cursor_.mark();
  const bool minus = cursor_.atSymbol("-");
  cursor_.skip();
  ASSIGN_OR_RETURN(ExprPtr operand, parseAbove(kSignPower, stop));
  if (!isNumber(*operand)) return operatorNode(start, minus ? "-" : "+", {std::move(operand)});
  auto number = minus ? negate(as<Literal>(*operand)) : std::make_shared<Literal>(as<Literal>(*operand));
  return sealExpr(cursor_, start, std::move(number));
}

Result<ExprPtr> ExpressionParser::parsePostfix(ExprPtr operand, std::size_t start) {
  while (true) {
    if (cursor_.acceptSymbol("[")) {
      auto node = std::make_shared<ItemAccess>();
      node->operand = std::move(operand);
      ASSIGN_OR_RETURN(node->index, parse());
      RETURN_IF_ERROR(cursor_.expectSymbol("]"));
      ASSIGN_OR_RETURN(operand, sealExpr(cursor_, start, node, node->operand, node->index));
    } else if (cursor_.atSymbol(".")) {
      cursor_.skip();
      auto node = std::make_shared<FieldAccess>();
      node->operand = std::move(operand);
      ASSIGN_OR_RETURN(node->field, cursor_.expectIdentifier("a field name behind '.'"));
      ASSIGN_OR_RETURN(operand, sealExpr(cursor_, start, node, node->operand));
    } else {
      return operand;
    }
  }
}

Result<ExprPtr> ExpressionParser::parseInfix(const ExprPtr& left, std::size_t start, int power, Stop stop) {
  switch (cursor_.peek().kind) {
    case TokenKind::SYMBOL: return parseSymbolInfix(left, start, power, stop);
    case TokenKind::WORD: return parseWordInfix(left, start, power, stop);
    default: return ExprPtr();
  }
}

Result<ExprPtr> ExpressionParser::parseSymbolInfix(const ExprPtr& left, std::size_t start, int power, Stop stop) {
  const std::string op(cursor_.peek().text);
  if (op == "!=") return Status::parse("'!=' is not an operator; write <>", cursor_.peek().position);
  const BindingPower binding = infixPower(op);
  // `a = ANY (..)` binds as IN does
  const bool quantified =
      binding.left == kComparisonPower.left && cursor_.atAny({"ANY", "SOME", "ALL"}, 1) && cursor_.atSymbol("(", 2);
  if ((quantified ? kInPower.left : binding.left) <= power) return ExprPtr();
  cursor_.skip();
  return quantified ? parseQuantified(left, start, op) : parseBinary(left, start, op, binding.right, stop);
}

Result<ExprPtr> ExpressionParser::parseBinary(const ExprPtr& left, std::size_t start, std::string op, int right,
                                              Stop stop) {
  ASSIGN_OR_RETURN(ExprPtr operand, parseAbove(right, stop));
  return operatorNode(start, std::move(op), {left, std::move(operand)});
}

Result<ExprPtr> ExpressionParser::parseChain(const ExprPtr& left, std::size_t start, std::string_view op, int right,
                                             Stop stop) {
  std::vector<ExprPtr> operands;
  const OperatorCall* chain = tryAs<OperatorCall>(*left);
  if (chain != nullptr && chain->op == op) {
    operands = chain->operands;
  } else {
    operands.push_back(left);
  }
  while (cursor_.at(op) && (stop == Stop::NEVER || op != "AND")) {
    cursor_.skip();
    ASSIGN_OR_RETURN(ExprPtr operand, parseAbove(right, stop));
    operands.push_back(std::move(operand));
  }
  return operatorNode(start, std::string(op), std::move(operands));
}

ExpressionParser::WordOperator ExpressionParser::peekWordOperator() const {
  const bool negated = cursor_.at("NOT");
  const std::size_t n = negated ? 1 : 0;
  if (cursor_.at("LIKE", n)) return {negated ? "NOT LIKE" : "LIKE", n + 1};
  if (cursor_.at("ILIKE", n)) return {negated ? "NOT ILIKE" : "ILIKE", n + 1};
  if (cursor_.at("RLIKE", n)) return {negated ? "NOT RLIKE" : "RLIKE", n + 1};
  if (cursor_.atWords({"SIMILAR", "TO"}, n)) return {negated ? "NOT SIMILAR TO" : "SIMILAR TO", n + 2};
  if (cursor_.atWords({"MEMBER", "OF"}, n)) return {negated ? "NOT MEMBER OF" : "MEMBER OF", n + 2};
  if (cursor_.atWords({"SUBMULTISET", "OF"}, n)) return {negated ? "NOT SUBMULTISET OF" : "SUBMULTISET OF", n + 2};
  if (negated) return {};
  if (cursor_.at("OVERLAPS")) return {"OVERLAPS", 1};
  if (cursor_.at("CONTAINS")) return {"CONTAINS", 1};
  if (cursor_.at("EQUALS")) return {"EQUALS", 1};
  if (cursor_.at("PRECEDES")) return {"PRECEDES", 1};
  if (cursor_.at("SUCCEEDS")) return {"SUCCEEDS", 1};
  if (cursor_.atWords({"IMMEDIATELY", "PRECEDES"})) return {"IMMEDIATELY PRECEDES", 2};
  if (cursor_.atWords({"IMMEDIATELY", "SUCCEEDS"})) return {"IMMEDIATELY SUCCEEDS", 2};
  return {};
}

Result<ExprPtr> ExpressionParser::parseWordInfix(const ExprPtr& left, std::size_t start, int power, Stop stop) {
  if (cursor_.at("OR")) {
    return kOrPower.left > power ? parseChain(left, start, "OR", kOrPower.right, stop) : ExprPtr();
  }
  if (cursor_.at("AND")) {
    const bool taken = kAndPower.left > power && stop == Stop::NEVER;
    return taken ? parseChain(left, start, "AND", kAndPower.right, stop) : ExprPtr();
  }
  if (cursor_.at("IS")) return kIsPower > power ? parseIs(left, start, stop) : ExprPtr();
  const bool negated = cursor_.at("NOT");
  const std::size_t n = negated ? 1 : 0;
  if (cursor_.at("IN", n)) {
    if (kInPower.left <= power) return ExprPtr();
    cursor_.skip(n + 1);
    return parseIn(left, start, negated);
  }
  if (cursor_.at("BETWEEN", n)) {
    if (kLikePower.left <= power) return ExprPtr();
    cursor_.skip(n + 1);
    return parseBetween(left, start, negated, stop);
  }
  if (cursor_.at("MULTISET")) return parseMultisetInfix(left, start, power, stop);
  if (cursor_.atWords({"FORMAT", "JSON"}) && kIsPower > power) {
    cursor_.skip(2);
    return operatorNode(start, "FORMAT JSON", {left});
  }
  const WordOperator next = peekWordOperator();
  const BindingPower binding = infixPower(next.op);
  if (binding.left <= power) return ExprPtr();
  cursor_.skip(next.tokens);
  if (binding.left == kLikePower.left) return parseLike(left, start, std::string(next.op), stop);
  return parseBinary(left, start, std::string(next.op), binding.right, stop);
}

Result<ExprPtr> ExpressionParser::parseMultisetInfix(const ExprPtr& left, std::size_t start, int power, Stop stop) {
  for (std::string_view word : {"UNION", "INTERSECT", "EXCEPT"}) {
    if (!cursor_.at(word, 1)) continue;
    const bool distinct = cursor_.at("DISTINCT", 2);
    const std::string op = "MULTISET " + std::string(word) + (distinct ? " DISTINCT" : " ALL");
    const BindingPower binding = infixPower(op);
    if (binding.left <= power) return ExprPtr();
    cursor_.skip(distinct || cursor_.at("ALL", 2) ? 3 : 2);
    return parseBinary(left, start, op, binding.right, stop);
  }
  return ExprPtr();
}

Result<ExprPtr> ExpressionParser::parseLike(const ExprPtr& left, std::size_t start, std::string op, Stop stop) {
  std::vector<ExprPtr> operands{left};
  ASSIGN_OR_RETURN(ExprPtr pattern, parseAbove(kLikePower.right, stop));
  operands.push_back(std::move(pattern));
  if (cursor_.accept("ESCAPE")) {
    ASSIGN_OR_RETURN(ExprPtr escape, parseAbove(kLikePower.right, stop));
    operands.push_back(std::move(escape));
  }
  return operatorNode(start, std::move(op), std::move(operands));
}

Result<ExprPtr> ExpressionParser::parseIn(const ExprPtr& left, std::size_t start, bool negated) {
  if (!cursor_.atSymbol("(")) return cursor_.unexpected("a list or a query in parentheses behind IN");
  ASSIGN_OR_RETURN(auto content, parseParenthesised());
  if (auto* query = std::get_if<QueryPtr>(&content)) {
    auto node = std::make_shared<InQuery>();
    node->operand = left;
    node->query = std::move(*query);
    node->negated = negated;
    return sealExpr(cursor_, start, node, node->operand, node->query);
  }
  auto node = std::make_shared<InList>();
  node->operand = left;
  node->values = std::move(std::get<1>(content));
  node->negated = negated;
  return sealExpr(cursor_, start, node, node->operand, node->values);
}

Result<ExprPtr> ExpressionParser::parseQuantified(const ExprPtr& left, std::size_t start, std::string op) {
  auto node = std::make_shared<Quantified>();
  node->op = std::move(op);
  node->quantifier = cursor_.at("ALL") ? Quantifier::ALL : Quantifier::SOME;
  node->operand = left;
  cursor_.skip();
  ASSIGN_OR_RETURN(auto content, parseParenthesised());
  if (auto* query = std::get_if<QueryPtr>(&content)) {
    node->query = std::move(*query);
  } else {
    node->values = std::move(std::get<1>(content));
  }
  return sealExpr(cursor_, start, node, node->operand, node->query, node->values);
}

Result<ExprPtr> ExpressionParser::parseBetween(const ExprPtr& left, std::size_t start, bool negated, Stop stop) {
  auto node = std::make_shared<Between>();
  node->operand = left;
  node->negated = negated;
  node->symmetric = cursor_.at("SYMMETRIC");
  if (node->symmetric || cursor_.at("ASYMMETRIC")) cursor_.skip();
  ASSIGN_OR_RETURN(node->low, parseAbove(0, Stop::AT_AND));
  RETURN_IF_ERROR(cursor_.expect("AND"));
  ASSIGN_OR_RETURN(node->high, parseAbove(kLikePower.left, stop));
  return sealExpr(cursor_, start, node, node->operand, node->low, node->high);
}

Result<ExprPtr> ExpressionParser::parseIs(const ExprPtr& left, std::size_t start, Stop stop) {
  cursor_.skip();
  std::string op = cursor_.accept("NOT") ? "IS NOT " : "IS ";
  if (cursor_.acceptWords({"DISTINCT", "FROM"})) {
    return parseBinary(left, start, op + "DISTINCT FROM", kComparisonPower.right, stop);
  }
  if (cursor_.accept("JSON")) {
    op += "JSON ";
    for (std::string_view kind : {"VALUE", "OBJECT", "ARRAY", "SCALAR"}) {
      if (cursor_.accept(kind)) return operatorNode(start, op + std::string(kind), {left});
    }
    return operatorNode(start, op + "VALUE", {left});
  }
  if (cursor_.acceptWords({"A", "SET"})) return operatorNode(start, op + "A SET", {left});
  for (std::string_view state : {"NULL", "TRUE", "FALSE", "UNKNOWN", "EMPTY"}) {
    if (cursor_.accept(state)) return operatorNode(start, op + std::string(state), {left});
  }
  return cursor_.unexpectedWord("NULL, TRUE, FALSE, UNKNOWN, DISTINCT FROM, EMPTY, A SET or JSON behind IS",
                                {"NULL", "TRUE", "FALSE", "UNKNOWN", "DISTINCT", "EMPTY", "JSON"});
}

}  // namespace thalweg::sql
