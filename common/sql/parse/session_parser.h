// Reads the statements that look around and set up the session: SHOW, DESCRIBE, USE, SET, RESET, modules, jars,
// jobs, ANALYZE, and the commands of the shell.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/ast_session.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class SessionParser {
 public:
  explicit SessionParser(TokenCursor& cursor) : cursor_(cursor) {}

  Result<StatementPtr> parseShow();
  Result<StatementPtr> parseDescribe();
  Result<StatementPtr> parseUse();
  Result<StatementPtr> parseSet();
  Result<StatementPtr> parseReset();
  Result<StatementPtr> parseModule();
  Result<StatementPtr> parseJar();
  Result<StatementPtr> parseStopJob();
  Result<StatementPtr> parseAnalyze();
  /// QUIT, EXIT, CLEAR or HELP, alone in the statement.
  bool atClientCommand() const;
  Result<StatementPtr> parseClientCommand();

 private:
  Status parseShown(ShowStatement& show);
  Status parseShowCreate(ShowStatement& show);
  Status parseShowCurrent(ShowStatement& show);
  Status parseShowFrom(ShowStatement& show, bool required);
  Status parseShowLike(ShowStatement& show, bool ilike);
  Result<ObjectKind> parseShownObject(bool or_alter);
  Result<std::string> parseBareKey();
  Result<StatementPtr> finish(std::shared_ptr<Statement> statement, std::size_t start) const;

  TokenCursor& cursor_;
};

}  // namespace thalweg::sql
