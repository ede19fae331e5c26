// Reads calls of functions: plain ones with all their clauses, and those with a syntax of their own, which
// become plain calls as ast_expression.h says.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/ast_query.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class CallParser {
 public:
  explicit CallParser(TokenCursor& cursor) : cursor_(cursor) {}

  /// Whether the next word is a reserved one that calls a function, with or without parentheses,
  /// or a function with a syntax of its own.
  bool atCall() const;
  /// Needs atCall(), or any name that is not reserved and `(`.
  Result<ExprPtr> parse();
  /// The call of `name`, with `(` next; `start` is the name's first token.
  Result<ExprPtr> parseNamed(QualifiedName name, std::size_t start);
  /// A call as FROM and CALL have it: no clauses behind the parentheses, no special syntaxes.
  Result<std::shared_ptr<const FunctionCall>> parseTableFunction();

  /// An expression, or a query without parentheses of its own.
  Result<ExprPtr> parseValueArgument();

 private:
  using CallPtr = std::shared_ptr<FunctionCall>;
  using Special = Result<ExprPtr> (CallParser::*)(CallPtr, std::size_t);

  Special specialSyntax() const;
  Result<ExprPtr> parseExtract(CallPtr call, std::size_t start);
  Result<ExprPtr> parseRounding(CallPtr call, std::size_t start);
  Result<ExprPtr> parseTrim(CallPtr call, std::size_t start);
  Result<ExprPtr> parseSubstring(CallPtr call, std::size_t start);
  Result<ExprPtr> parseOverlay(CallPtr call, std::size_t start);
  Result<ExprPtr> parsePosition(CallPtr call, std::size_t start);
  Result<ExprPtr> parseTimestampArithmetic(CallPtr call, std::size_t start);
  Result<ExprPtr> parseConvert(CallPtr call, std::size_t start);
  Result<ExprPtr> parseDescriptor(CallPtr call, std::size_t start);
  Result<ExprPtr> parseJson(CallPtr call, std::size_t start);

  Status parseArguments(FunctionCall& call);
  Result<ExprPtr> parseArgument();
  Result<ExprPtr> parsePlainArgument();
  Result<ExprPtr> parseTableArgument();
  Status parseTableArgumentClauses(TableArgument& argument);
  Result<ExprPtr> parseModelArgument();
  Status addExpression(FunctionCall& call);
  Result<ExprPtr> parseUnit();
  Result<ExprPtr> symbol(std::size_t start, std::string text);

  Status parseTrailingClauses(FunctionCall& call);
  Result<ExprPtr> finish(CallPtr call, std::size_t start);
  Result<ExprPtr> close(CallPtr call, std::size_t start);

  TokenCursor& cursor_;
};

}  // namespace thalweg::sql
