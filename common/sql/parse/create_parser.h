// Reads CREATE .. and REPLACE TABLE.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/ast_ddl.h"
#include "common/sql/parse/definition_parser.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class CreateParser {
 public:
  explicit CreateParser(TokenCursor& cursor) : cursor_(cursor), definitions_(cursor) {}

  /// With CREATE or REPLACE next.
  Result<StatementPtr> parse();
  /// With ALTER FUNCTION, perhaps TEMPORARY, next.
  Result<StatementPtr> parseAlterFunction();

 private:
  /// The words between CREATE and the kind of object.
  struct Prefix {
    std::size_t start = 0;
    bool create = true;  ///< CREATE was written
    bool or_replace = false;
    bool or_alter = false;
    bool temporary = false;
    bool system = false;
  };
  Result<Prefix> parsePrefix();
  Status checkPrefix(const Prefix& prefix) const;
  Result<StatementPtr> parseObject(const Prefix& prefix);
  Result<StatementPtr> parseTable(const Prefix& prefix);
  Status parseTableRest(CreateTableStatement& table);
  Result<StatementPtr> parseMaterializedTable(const Prefix& prefix);
  Status parseRefresh(CreateMaterializedTableStatement& table);
  Result<StartMode> parseStartMode();
  Result<StatementPtr> parseView(const Prefix& prefix);
  Result<StatementPtr> parseDatabase(const Prefix& prefix);
  Result<StatementPtr> parseCatalog(const Prefix& prefix);
  Result<StatementPtr> parseFunction(const Prefix& prefix);
  Status parseFunctionBody(CreateFunctionStatement& function);
  Status parseResources(CreateFunctionStatement& function);
  Result<StatementPtr> parseModel(const Prefix& prefix);
  Result<StatementPtr> parseConnection(const Prefix& prefix);
  Result<StatementPtr> finish(std::shared_ptr<Statement> statement, std::size_t start) const;

  TokenCursor& cursor_;
  DefinitionParser definitions_;
};

/// `FRESHNESS = INTERVAL '..' unit`'s interval, behind the '='.
Result<ExprPtr> parseFreshness(TokenCursor& cursor);
/// `FULL` or `CONTINUOUS`, behind REFRESH_MODE =.
Result<RefreshMode> parseRefreshMode(TokenCursor& cursor);

}  // namespace thalweg::sql
