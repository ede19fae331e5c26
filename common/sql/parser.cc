#include "common/sql/parser.h"

#include "common/sql/parse/expression_parser.h"
#include "common/sql/parse/lexer.h"
#include "common/sql/parse/query_parser.h"
#include "common/sql/parse/statement_parser.h"
#include "common/sql/parse/type_parser.h"
#include "common/sql/script.h"

namespace thalweg::sql {
namespace {

Result<TokenCursor> open(std::string_view text, SourcePosition start = {}) {
  if (text.size() > kStatementBytesMax) {
    return Status::parse("a statement has at most " + std::to_string(kStatementBytesMax) + " bytes; this one has " +
                             std::to_string(text.size()),
                         start);
  }
  ASSIGN_OR_RETURN(std::vector<Token> tokens, tokenize(text, start));
  return TokenCursor(text, std::move(tokens));
}

}  // namespace

Result<StatementPtr> parseStatement(std::string_view text) {
  return parseStatement(ScriptStatement{std::string(text), {}});
}

Result<StatementPtr> parseStatement(const ScriptStatement& piece) {
  ASSIGN_OR_RETURN(TokenCursor cursor, open(piece.text, piece.position));
  ASSIGN_OR_RETURN(StatementPtr statement, StatementParser(cursor).parse());
  RETURN_IF_ERROR(cursor.expectEnd());
  return statement;
}

Result<std::vector<StatementPtr>> parseScript(std::string_view text) {
  std::vector<StatementPtr> statements;
  for (const ScriptStatement& piece : splitScript(text)) {
    ASSIGN_OR_RETURN(StatementPtr statement, parseStatement(piece));
    statements.push_back(std::move(statement));
  }
  return statements;
}

Result<ExprPtr> parseExpression(std::string_view text) {
  ASSIGN_OR_RETURN(TokenCursor cursor, open(text));
  ASSIGN_OR_RETURN(ExprPtr expr, ExpressionParser(cursor).parse());
  RETURN_IF_ERROR(cursor.expectEnd());
  return expr;
}

Result<QueryPtr> parseQuery(std::string_view text) {
  ASSIGN_OR_RETURN(TokenCursor cursor, open(text));
  ASSIGN_OR_RETURN(QueryPtr query, QueryParser(cursor).parse());
  RETURN_IF_ERROR(cursor.expectEnd());
  return query;
}

Result<TypeSpec> parseType(std::string_view text) {
  ASSIGN_OR_RETURN(TokenCursor cursor, open(text));
  ASSIGN_OR_RETURN(TypeSpec type, TypeParser(cursor).parseNullable());
  RETURN_IF_ERROR(cursor.expectEnd());
  return type;
}

}  // namespace thalweg::sql
