// Reads expressions: operators by binding power, and what stands between them.
//
// Calls are read by CallParser, literals by LiteralParser, sub-queries by QueryParser.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include <variant>

#include "common/sql/ast_query.h"
#include "common/sql/operators.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenCursor& cursor) : cursor_(cursor) {}

  Result<ExprPtr> parse() { return parseAbove(0, Stop::NEVER); }
  /// An expression without AND and OR outside of parentheses.
  Result<ExprPtr> parseOperand() { return parseAbove(kAndPower.left, Stop::AT_AND); }
  /// An expression that ends before an IN outside of parentheses.
  Result<ExprPtr> parseBeforeIn() { return parseAbove(kInPower.left, Stop::NEVER); }
  /// One or more, parted by commas.
  Result<std::vector<ExprPtr>> parseList();
  /// What stands in parentheses: a query, or one or more expressions. Takes both parentheses.
  Result<std::variant<QueryPtr, std::vector<ExprPtr>>> parseParenthesised();
  /// `(a, b, c)`, or `a` without parentheses.
  Result<std::vector<ExprPtr>> parseListPerhapsInParentheses();

 private:
  enum class Stop { NEVER, AT_AND };  ///< AT_AND: within the lower bound of BETWEEN

  /// An expression of operators that bind more tightly than `power` on their left.
  Result<ExprPtr> parseAbove(int power, Stop stop);
  Result<ExprPtr> parsePrefix(Stop stop);
  Result<ExprPtr> parseSigned(Stop stop);
  Result<ExprPtr> parsePostfix(ExprPtr operand, std::size_t start);

  /// Extends `left` by the next operator if it binds above `power`; gives null if none does.
  Result<ExprPtr> parseInfix(const ExprPtr& left, std::size_t start, int power, Stop stop);
  Result<ExprPtr> parseSymbolInfix(const ExprPtr& left, std::size_t start, int power, Stop stop);
  Result<ExprPtr> parseWordInfix(const ExprPtr& left, std::size_t start, int power, Stop stop);
  Result<ExprPtr> parseChain(const ExprPtr& left, std::size_t start, std::string_view op, int right, Stop stop);
  Result<ExprPtr> parseBinary(const ExprPtr& left, std::size_t start, std::string op, int right, Stop stop);
  Result<ExprPtr> parseQuantified(const ExprPtr& left, std::size_t start, std::string op);
  Result<ExprPtr> parseLike(const ExprPtr& left, std::size_t start, std::string op, Stop stop);
  Result<ExprPtr> parseIn(const ExprPtr& left, std::size_t start, bool negated);
  Result<ExprPtr> parseBetween(const ExprPtr& left, std::size_t start, bool negated, Stop stop);
  Result<ExprPtr> parseIs(const ExprPtr& left, std::size_t start, Stop stop);
  Result<ExprPtr> parseMultisetInfix(const ExprPtr& left, std::size_t start, int power, Stop stop);

  /// The word operator that comes next, spelled as in OperatorCall, and how many tokens it has.
  struct WordOperator {
    std::string_view op;
    std::size_t tokens = 0;
  };
  WordOperator peekWordOperator() const;

  Result<ExprPtr> operatorNode(std::size_t start, std::string op, std::vector<ExprPtr> operands);

  TokenCursor& cursor_;
};

}  // namespace thalweg::sql
