#include "common/sql/parse/statement_parser.h"

#include "common/sql/parse/alter_parser.h"
#include "common/sql/parse/change_parser.h"
#include "common/sql/parse/create_parser.h"
#include "common/sql/parse/session_parser.h"

namespace thalweg::sql {

Result<StatementPtr> StatementParser::parse() {
  if (cursor_.at("CREATE") || cursor_.atWords({"REPLACE", "TABLE"})) return CreateParser(cursor_).parse();
  if (cursor_.at("ALTER")) return AlterParser(cursor_).parseAlter();
  if (cursor_.at("DROP")) return AlterParser(cursor_).parseDrop();
  ASSIGN_OR_RETURN(StatementPtr change, parseChange());
  if (change != nullptr) return change;
  ASSIGN_OR_RETURN(StatementPtr session, parseSession());
  if (session != nullptr) return session;
  return unknown();
}

Result<StatementPtr> StatementParser::parseChange() {
  ChangeParser changes(cursor_);
  if (changes.atQuery()) return changes.parseQuery();
  if (cursor_.atAny({"INSERT", "UPSERT"})) {
    ASSIGN_OR_RETURN(auto insert, changes.parseInsert());
    return StatementPtr(std::move(insert));
  }
  if (cursor_.at("EXECUTE")) return changes.parseExecute();
  if (cursor_.at("EXPLAIN")) return changes.parseExplain();
  if (cursor_.at("COMPILE")) return changes.parseCompile();
  if (cursor_.at("BEGIN")) return changes.parseBeginStatementSet();
  if (cursor_.at("UPDATE")) return changes.parseUpdate();
  if (cursor_.at("DELETE")) return changes.parseDelete();
  if (cursor_.at("TRUNCATE")) return changes.parseTruncate();
  if (cursor_.at("CALL")) return changes.parseCall();
  return StatementPtr();
}

Result<StatementPtr> StatementParser::parseSession() {
  SessionParser session(cursor_);
  if (cursor_.at("SHOW")) return session.parseShow();
  if (cursor_.atAny({"DESCRIBE", "DESC"})) return session.parseDescribe();
  if (cursor_.at("USE")) return session.parseUse();
  if (cursor_.at("SET")) return session.parseSet();
  if (cursor_.at("RESET")) return session.parseReset();
  if (cursor_.atAny({"LOAD", "UNLOAD"})) return session.parseModule();
  if (cursor_.atAny({"ADD", "REMOVE"})) return session.parseJar();
  if (cursor_.at("STOP")) return session.parseStopJob();
  if (cursor_.at("ANALYZE")) return session.parseAnalyze();
  if (session.atClientCommand()) return session.parseClientCommand();
  return StatementPtr();
}

Status StatementParser::unknown() const {
  if (cursor_.atEnd()) return Status::parse("expected a statement but found none", cursor_.peek().position);
  if (cursor_.at("MERGE")) {
    return Status::notSupported("MERGE is not supported; write INSERT into a table with a primary key",
                                cursor_.peek().position);
  }
  return cursor_.unexpectedWord("a statement such as SELECT, INSERT or CREATE",
                                {"SELECT",   "INSERT",  "CREATE", "ALTER",  "DROP",    "SHOW",    "DESCRIBE", "EXPLAIN",
                                 "USE",      "SET",     "RESET",  "WITH",   "VALUES",  "EXECUTE", "UPDATE",   "DELETE",
                                 "TRUNCATE", "ANALYZE", "LOAD",   "UNLOAD", "COMPILE", "CALL",    "ADD",      "REMOVE",
                                 "STOP",     "BEGIN",   "TABLE",  "QUIT",   "EXIT",    "HELP",    "CLEAR"});
}

}  // namespace thalweg::sql
