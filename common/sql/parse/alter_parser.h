// Reads ALTER .. and DROP ...
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/ast_ddl.h"
#include "common/sql/parse/definition_parser.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class AlterParser {
 public:
  explicit AlterParser(TokenCursor& cursor) : cursor_(cursor), definitions_(cursor) {}

  /// With ALTER next.
  Result<StatementPtr> parseAlter();
  /// With DROP next.
  Result<StatementPtr> parseDrop();

 private:
  Result<ObjectKind> parseAlterObject();
  Result<AlterAction> parseAction(ObjectKind object);
  Result<AlterAction> parseTableAction(ObjectKind object);
  Result<AlterAction> parseMaterializedAction();
  Result<AlterAction> parseViewAction();
  Result<AlterAction> parseOptionAction(ObjectKind object);
  Result<AlterAction> parseRename(ObjectKind object);
  Result<AlterAction> parseAdd();
  Result<AlterAction> parseModify();
  Result<AlterAction> parseDropPart();
  Result<AlterAction> parseAddPartitions();
  Result<AlterAction> parseDropPartitions();
  Result<AlterAction> parseAsQuery();

  TokenCursor& cursor_;
  DefinitionParser definitions_;
};

}  // namespace thalweg::sql
