#include "common/sql/parse/change_parser.h"

#include "common/sql/parse/alter_parser.h"
#include "common/sql/parse/call_parser.h"
#include "common/sql/parse/create_parser.h"
#include "common/sql/parse/expression_parser.h"
#include "common/sql/parse/hint_parser.h"
#include "common/sql/parse/query_parser.h"

namespace thalweg::sql {

Result<StatementPtr> ChangeParser::finish(std::shared_ptr<Statement> statement, std::size_t start) const {
  statement->position = cursor_.since(start);
  return StatementPtr(std::move(statement));
}

bool ChangeParser::atQuery() const { return QueryParser(cursor_).atQuery() || cursor_.atSymbol("("); }

Result<StatementPtr> ChangeParser::parseQuery() {
  const std::size_t start = cursor_.mark();
  auto statement = std::make_shared<QueryStatement>();
  ASSIGN_OR_RETURN(statement->query, QueryParser(cursor_).parse());
  return finish(std::move(statement), start);
}

// --- INSERT ------------------------------------------------------------------------------------------

Result<std::shared_ptr<InsertStatement>> ChangeParser::parseInsert() {
  const std::size_t start = cursor_.mark();
  auto insert = std::make_shared<InsertStatement>();
  insert->upsert = cursor_.at("UPSERT");
  cursor_.skip();
  insert->overwrite = !insert->upsert && cursor_.accept("OVERWRITE");
  if (!insert->overwrite && !cursor_.accept("INTO")) {
    return cursor_.unexpectedWord("INTO or OVERWRITE behind INSERT", {"INTO", "OVERWRITE"});
  }
  RETURN_IF_ERROR(parseInsertTarget(*insert));
  if (!atQuery()) return cursor_.unexpectedWord("a query or VALUES", {"SELECT", "VALUES", "WITH", "PARTITION"});
  ASSIGN_OR_RETURN(insert->query, QueryParser(cursor_).parse());
  RETURN_IF_ERROR(parseOnConflict(*insert));
  insert->position = cursor_.since(start);
  return insert;
}

Status ChangeParser::parseInsertTarget(InsertStatement& insert) {
  ASSIGN_OR_RETURN(insert.target, cursor_.expectQualifiedName("a table's name"));
  ASSIGN_OR_RETURN(insert.hints, HintParser(cursor_).parseOptional());
  if (cursor_.accept("PARTITION")) {
    ASSIGN_OR_RETURN(insert.partition,
                     DefinitionParser(cursor_).parsePartitionSpec(DefinitionParser::PartitionValues::REQUIRED));
  }
  if (!atColumnList()) return Status::ok();
  cursor_.skip();
  do {
    ASSIGN_OR_RETURN(QualifiedName column, cursor_.expectQualifiedName("a column name"));
    insert.columns.push_back(std::move(column));
  } while (cursor_.acceptSymbol(","));
  return cursor_.expectSymbol(")");
}

/// `(a, b)`, as opposed to a query in parentheses.
bool ChangeParser::atColumnList() const {
  if (!cursor_.atSymbol("(")) return false;
  return !cursor_.atAny({"SELECT", "VALUES", "WITH", "TABLE"}, 1) && !cursor_.atSymbol("(", 1);
}

Status ChangeParser::parseOnConflict(InsertStatement& insert) {
  if (!cursor_.accept("ON")) return Status::ok();
  RETURN_IF_ERROR(cursor_.expectWords({"CONFLICT", "DO"}));
  if (cursor_.accept("ERROR")) {
    insert.on_conflict = ConflictAction::ERROR;
  } else if (cursor_.accept("NOTHING")) {
    insert.on_conflict = ConflictAction::NOTHING;
  } else if (cursor_.accept("DEDUPLICATE")) {
    insert.on_conflict = ConflictAction::DEDUPLICATE;
  } else {
    return cursor_.unexpectedWord("ERROR, NOTHING or DEDUPLICATE behind ON CONFLICT DO",
                                  {"ERROR", "NOTHING", "DEDUPLICATE"});
  }
  return Status::ok();
}

// --- statement sets ----------------------------------------------------------------------------------

Result<std::shared_ptr<StatementSet>> ChangeParser::parseStatementSetBody(std::size_t start) {
  auto set = std::make_shared<StatementSet>();
  do {
    if (!cursor_.at("INSERT")) {
      return cursor_.unexpectedWord("INSERT: a statement set holds one INSERT or more, each ended by ';'",
                                    {"INSERT", "END"});
    }
    ASSIGN_OR_RETURN(auto insert, parseInsert());
    set->inserts.push_back(std::move(insert));
    RETURN_IF_ERROR(cursor_.expectSymbol(";"));
  } while (!cursor_.accept("END"));
  set->position = cursor_.since(start);
  return set;
}

Result<StatementPtr> ChangeParser::parseBeginStatementSet() {
  const std::size_t start = cursor_.mark();
  RETURN_IF_ERROR(cursor_.expectWords({"BEGIN", "STATEMENT", "SET"}));
  RETURN_IF_ERROR(cursor_.expectSymbol(";"));
  ASSIGN_OR_RETURN(auto set, parseStatementSetBody(start));
  return StatementPtr(std::move(set));
}

/// `STATEMENT SET BEGIN .. END`, as it stands behind EXPLAIN and FOR.
Result<StatementPtr> ChangeParser::parseBareStatementSet() {
  const std::size_t start = cursor_.mark();
  RETURN_IF_ERROR(cursor_.expectWords({"STATEMENT", "SET", "BEGIN"}));
  ASSIGN_OR_RETURN(auto set, parseStatementSetBody(start));
  set->execute = false;
  return StatementPtr(std::move(set));
}

Result<StatementPtr> ChangeParser::parseExecute() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  if (cursor_.acceptWords({"STATEMENT", "SET", "BEGIN"})) {
    ASSIGN_OR_RETURN(auto set, parseStatementSetBody(start));
    return StatementPtr(std::move(set));
  }
  if (cursor_.at("STATEMENT")) return parseBareStatementSet();  // fails with what is missing
  if (cursor_.accept("PLAN")) {
    auto plan = std::make_shared<ExecutePlanStatement>();
    ASSIGN_OR_RETURN(plan->path, cursor_.expectString("the path of a plan in single quotes"));
    return finish(std::move(plan), start);
  }
  if (cursor_.at("INSERT")) {
    ASSIGN_OR_RETURN(auto insert, parseInsert());
    insert->execute = true;
    return finish(std::move(insert), start);
  }
  if (!atQuery()) {
    return cursor_.unexpectedWord("STATEMENT SET, INSERT, PLAN or a query behind EXECUTE",
                                  {"STATEMENT", "INSERT", "PLAN", "SELECT", "VALUES"});
  }
  auto statement = std::make_shared<QueryStatement>();
  statement->execute = true;
  ASSIGN_OR_RETURN(statement->query, QueryParser(cursor_).parse());
  return finish(std::move(statement), start);
}

// --- UPDATE, DELETE, TRUNCATE, CALL ------------------------------------------------------------------

Status ChangeParser::parseTableAlias(std::optional<Identifier>& alias) {
  if (!cursor_.accept("AS") && !cursor_.atIdentifier()) return Status::ok();
  ASSIGN_OR_RETURN(alias, cursor_.expectIdentifier("an alias behind AS"));
  return Status::ok();
}

Result<StatementPtr> ChangeParser::parseUpdate() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto update = std::make_shared<UpdateStatement>();
  ASSIGN_OR_RETURN(update->table, cursor_.expectQualifiedName("a table's name"));
  ASSIGN_OR_RETURN(update->hints, HintParser(cursor_).parseOptional());
  RETURN_IF_ERROR(parseTableAlias(update->alias));
  RETURN_IF_ERROR(cursor_.expect("SET"));
  do {
    Assignment assignment;
    ASSIGN_OR_RETURN(Identifier column, cursor_.expectIdentifier("a column name"));
    assignment.column = {{column}, column.position};
    RETURN_IF_ERROR(cursor_.expectSymbol("="));
    ASSIGN_OR_RETURN(assignment.value, ExpressionParser(cursor_).parse());
    update->assignments.push_back(std::move(assignment));
  } while (cursor_.acceptSymbol(","));
  if (cursor_.accept("WHERE")) {
    ASSIGN_OR_RETURN(update->where, ExpressionParser(cursor_).parse());
  }
  return finish(std::move(update), start);
}

Result<StatementPtr> ChangeParser::parseDelete() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  RETURN_IF_ERROR(cursor_.expect("FROM"));
  auto statement = std::make_shared<DeleteStatement>();
  ASSIGN_OR_RETURN(statement->table, cursor_.expectQualifiedName("a table's name"));
  ASSIGN_OR_RETURN(statement->hints, HintParser(cursor_).parseOptional());
  RETURN_IF_ERROR(parseTableAlias(statement->alias));
  if (cursor_.accept("WHERE")) {
    ASSIGN_OR_RETURN(statement->where, ExpressionParser(cursor_).parse());
  }
  return finish(std::move(statement), start);
}

Result<StatementPtr> ChangeParser::parseTruncate() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  RETURN_IF_ERROR(cursor_.expect("TABLE"));
  auto statement = std::make_shared<TruncateStatement>();
  ASSIGN_OR_RETURN(statement->table, cursor_.expectQualifiedName("a table's name"));
  return finish(std::move(statement), start);
}

Result<StatementPtr> ChangeParser::parseCall() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto statement = std::make_shared<CallStatement>();
  ASSIGN_OR_RETURN(statement->call, CallParser(cursor_).parseTableFunction());
  return finish(std::move(statement), start);
}

// --- EXPLAIN and plans -------------------------------------------------------------------------------

bool ChangeParser::atExplainDetail() const {
  return cursor_.atAny({"ESTIMATED_COST", "CHANGELOG_MODE", "JSON_EXECUTION_PLAN", "PLAN_ADVICE", "STATE"});
}

Result<ExplainDetail> ChangeParser::parseExplainDetail() {
  if (cursor_.accept("ESTIMATED_COST")) return ExplainDetail::ESTIMATED_COST;
  if (cursor_.accept("CHANGELOG_MODE")) return ExplainDetail::CHANGELOG_MODE;
  if (cursor_.accept("JSON_EXECUTION_PLAN")) return ExplainDetail::JSON_EXECUTION_PLAN;
  if (cursor_.accept("PLAN_ADVICE")) return ExplainDetail::PLAN_ADVICE;
  if (cursor_.accept("STATE")) return ExplainDetail::STATE;
  return cursor_.unexpectedWord("ESTIMATED_COST, CHANGELOG_MODE, JSON_EXECUTION_PLAN, PLAN_ADVICE or STATE",
                                {"ESTIMATED_COST", "CHANGELOG_MODE", "JSON_EXECUTION_PLAN", "PLAN_ADVICE", "STATE"});
}

Result<StatementPtr> ChangeParser::parseExplain() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto explain = std::make_shared<ExplainStatement>();
  if (!cursor_.acceptWords({"PLAN", "FOR"}) && atExplainDetail()) {
    do {
      const SourcePosition position = cursor_.peek().position;
      ASSIGN_OR_RETURN(const ExplainDetail detail, parseExplainDetail());
      for (ExplainDetail earlier : explain->details) {
        if (earlier == detail) return Status::parse("each detail of EXPLAIN may stand once only", position);
      }
      explain->details.push_back(detail);
    } while (cursor_.acceptSymbol(","));
  }
  ASSIGN_OR_RETURN(explain->statement, parseExplained());
  return finish(std::move(explain), start);
}

Result<StatementPtr> ChangeParser::parseExplained() {
  if (atQuery()) return parseQuery();
  if (cursor_.atAny({"INSERT", "UPSERT"})) {
    ASSIGN_OR_RETURN(auto insert, parseInsert());
    return StatementPtr(std::move(insert));
  }
  if (cursor_.at("EXECUTE")) return parseExecute();
  if (cursor_.at("STATEMENT")) return parseBareStatementSet();
  if (cursor_.at("UPDATE")) return parseUpdate();
  if (cursor_.at("DELETE")) return parseDelete();
  if (cursor_.atAny({"CREATE", "REPLACE"})) return parseExplainedCreate();
  if (cursor_.atWords({"ALTER", "MATERIALIZED"})) return AlterParser(cursor_).parseAlter();
  return cursor_.unexpectedWord("a query, INSERT, STATEMENT SET, EXECUTE or CREATE TABLE .. AS behind EXPLAIN",
                                {"SELECT", "INSERT", "STATEMENT", "EXECUTE", "CREATE", "VALUES", "PLAN", "WITH",
                                 "ESTIMATED_COST", "CHANGELOG_MODE", "JSON_EXECUTION_PLAN", "PLAN_ADVICE"});
}

Result<StatementPtr> ChangeParser::parseExplainedCreate() {
  ASSIGN_OR_RETURN(StatementPtr statement, CreateParser(cursor_).parse());
  const CreateTableStatement* table = tryAs<CreateTableStatement>(*statement);
  const bool materialized = statement->kind == StatementKind::CREATE_MATERIALIZED_TABLE;
  if (materialized || (table != nullptr && table->query != nullptr)) return statement;
  return Status::parse("EXPLAIN needs a statement with a query, such as CREATE TABLE .. AS SELECT",
                       statement->position);
}

Result<StatementPtr> ChangeParser::parseCompile() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto compile = std::make_shared<CompilePlanStatement>();
  compile->execute = cursor_.acceptWords({"AND", "EXECUTE"});
  RETURN_IF_ERROR(cursor_.expect("PLAN"));
  ASSIGN_OR_RETURN(compile->path, cursor_.expectString("the path of the plan in single quotes"));
  compile->if_not_exists = !compile->execute && DefinitionParser(cursor_).acceptIfNotExists();
  RETURN_IF_ERROR(cursor_.expect("FOR"));
  ASSIGN_OR_RETURN(compile->statement, parseInsertOrSet());
  return finish(std::move(compile), start);
}

Result<StatementPtr> ChangeParser::parseInsertOrSet() {
  if (cursor_.at("STATEMENT")) return parseBareStatementSet();
  if (!cursor_.at("INSERT"))
    return cursor_.unexpectedWord("INSERT or STATEMENT SET behind FOR", {"INSERT", "STATEMENT"});
  ASSIGN_OR_RETURN(auto insert, parseInsert());
  return StatementPtr(std::move(insert));
}

}  // namespace thalweg::sql
