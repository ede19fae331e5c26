// Reads the statements that move rows, and those around them: INSERT, UPDATE, DELETE, statement sets, CALL,
// EXECUTE, EXPLAIN, COMPILE PLAN.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/ast_statement.h"
#include "common/sql/parse/definition_parser.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class ChangeParser {
 public:
  explicit ChangeParser(TokenCursor& cursor) : cursor_(cursor) {}

  Result<StatementPtr> parseQuery();
  Result<std::shared_ptr<InsertStatement>> parseInsert();
  Result<StatementPtr> parseUpdate();
  Result<StatementPtr> parseDelete();
  Result<StatementPtr> parseTruncate();
  Result<StatementPtr> parseCall();
  Result<StatementPtr> parseExplain();
  Result<StatementPtr> parseCompile();
  /// EXECUTE and all that may follow it.
  Result<StatementPtr> parseExecute();
  /// `BEGIN STATEMENT SET; .. END`.
  Result<StatementPtr> parseBeginStatementSet();
  bool atQuery() const;

 private:
  Status parseInsertTarget(InsertStatement& insert);
  bool atColumnList() const;
  Status parseOnConflict(InsertStatement& insert);
  Status parseTableAlias(std::optional<Identifier>& alias);
  /// The inserts up to and with END, behind BEGIN.
  Result<std::shared_ptr<StatementSet>> parseStatementSetBody(std::size_t start);
  Result<StatementPtr> parseBareStatementSet();
  Result<ExplainDetail> parseExplainDetail();
  bool atExplainDetail() const;
  Result<StatementPtr> parseExplained();
  Result<StatementPtr> parseExplainedCreate();
  Result<StatementPtr> parseInsertOrSet();
  Result<StatementPtr> finish(std::shared_ptr<Statement> statement, std::size_t start) const;

  TokenCursor& cursor_;
};

}  // namespace thalweg::sql
