#include "common/sql/parse/create_parser.h"

#include "common/sql/parse/expression_parser.h"
#include "common/sql/parse/keywords.h"
#include "common/sql/parse/query_parser.h"

namespace thalweg::sql {

Result<StatementPtr> CreateParser::finish(std::shared_ptr<Statement> statement, std::size_t start) const {
  statement->position = cursor_.since(start);
  return StatementPtr(std::move(statement));
}

Result<CreateParser::Prefix> CreateParser::parsePrefix() {
  Prefix prefix;
  prefix.start = cursor_.mark();
  if (cursor_.accept("REPLACE")) {
    prefix.create = false;
    prefix.or_replace = true;
    return prefix;
  }
  RETURN_IF_ERROR(cursor_.expect("CREATE"));
  prefix.or_replace = cursor_.acceptWords({"OR", "REPLACE"});
  prefix.or_alter = !prefix.or_replace && cursor_.acceptWords({"OR", "ALTER"});
  prefix.temporary = cursor_.accept("TEMPORARY");
  prefix.system = prefix.temporary && cursor_.accept("SYSTEM");
  return prefix;
}

Result<StatementPtr> CreateParser::parse() {
  ASSIGN_OR_RETURN(const Prefix prefix, parsePrefix());
  RETURN_IF_ERROR(checkPrefix(prefix));
  return parseObject(prefix);
}

Status CreateParser::checkPrefix(const Prefix& prefix) const {
  if (!prefix.create && !cursor_.at("TABLE")) return cursor_.unexpectedWord("TABLE behind REPLACE", {"TABLE"});
  if (prefix.or_alter && !cursor_.at("MATERIALIZED")) {
    return cursor_.unexpectedWord("MATERIALIZED TABLE behind CREATE OR ALTER", {"MATERIALIZED"});
  }
  if (prefix.or_replace && !cursor_.atAny({"TABLE", "VIEW"})) {
    return cursor_.unexpectedWord("TABLE or VIEW behind OR REPLACE", {"TABLE", "VIEW"});
  }
  if (prefix.system && !cursor_.atAny({"FUNCTION", "CONNECTION"})) {
    return cursor_.unexpectedWord("FUNCTION behind TEMPORARY SYSTEM", {"FUNCTION"});
  }
  return Status::ok();
}

Result<StatementPtr> CreateParser::parseObject(const Prefix& prefix) {
  if (cursor_.accept("TABLE")) return parseTable(prefix);
  if (cursor_.accept("VIEW")) return parseView(prefix);
  if (cursor_.accept("FUNCTION")) return parseFunction(prefix);
  if (cursor_.accept("MODEL")) return parseModel(prefix);
  if (cursor_.accept("CONNECTION")) return parseConnection(prefix);
  if (cursor_.at("MATERIALIZED") && prefix.temporary) {
    return Status::parse("a materialized table cannot be temporary", cursor_.peek().position);
  }
  if (cursor_.acceptWords({"MATERIALIZED", "TABLE"})) return parseMaterializedTable(prefix);
  if (!prefix.temporary && cursor_.accept("DATABASE")) return parseDatabase(prefix);
  if (!prefix.temporary && cursor_.accept("CATALOG")) return parseCatalog(prefix);
  return cursor_.unexpectedWord(
      "TABLE, VIEW, DATABASE, CATALOG, FUNCTION, MODEL, CONNECTION or MATERIALIZED TABLE",
      {"TABLE", "VIEW", "DATABASE", "CATALOG", "FUNCTION", "MODEL", "CONNECTION", "MATERIALIZED", "TEMPORARY"});
}

// --- tables ------------------------------------------------------------------------------------------

Result<StatementPtr> CreateParser::parseTable(const Prefix& prefix) {
  auto table = std::make_shared<CreateTableStatement>();
  table->temporary = prefix.temporary;
  table->create = prefix.create;
  table->replace = prefix.or_replace;
  table->if_not_exists = definitions_.acceptIfNotExists();
  ASSIGN_OR_RETURN(table->name, cursor_.expectQualifiedName("a table's name"));
  if (cursor_.atSymbol("(")) {
    ASSIGN_OR_RETURN(table->definition.elements, definitions_.parseTableElements());
  }
  RETURN_IF_ERROR(definitions_.parseTableClauses(table->definition));
  if (cursor_.acceptWords({"USING", "CONNECTION"})) {
    ASSIGN_OR_RETURN(table->connection, cursor_.expectQualifiedName("a connection's name"));
  }
  ASSIGN_OR_RETURN(table->definition.options, definitions_.parseOptionalWith());
  RETURN_IF_ERROR(parseTableRest(*table));
  return finish(std::move(table), prefix.start);
}

Status CreateParser::parseTableRest(CreateTableStatement& table) {
  if (cursor_.accept("LIKE")) {
    ASSIGN_OR_RETURN(table.like, definitions_.parseLike());
  } else if (cursor_.accept("AS")) {
    ASSIGN_OR_RETURN(table.query, QueryParser(cursor_).parse());
  }
  const auto& columns = table.definition.elements.columns;
  if (table.query == nullptr && !columns.empty() && columns.front().kind == ColumnKind::NAME_ONLY) {
    return Status::parse("expected a type for column " + columns.front().name.toString() +
                             ": columns without types need AS and a query behind",
                         columns.front().position);
  }
  if (!table.create && table.query == nullptr) return cursor_.unexpected("AS and a query in REPLACE TABLE");
  return Status::ok();
}

Result<StatementPtr> CreateParser::parseMaterializedTable(const Prefix& prefix) {
  auto table = std::make_shared<CreateMaterializedTableStatement>();
  table->or_alter = prefix.or_alter;
  ASSIGN_OR_RETURN(table->name, cursor_.expectQualifiedName("a table's name"));
  if (cursor_.atSymbol("(")) {
    ASSIGN_OR_RETURN(table->definition.elements, definitions_.parseTableElements());
  }
  RETURN_IF_ERROR(definitions_.parseTableClauses(table->definition));
  ASSIGN_OR_RETURN(table->definition.options, definitions_.parseOptionalWith());
  RETURN_IF_ERROR(parseRefresh(*table));
  RETURN_IF_ERROR(cursor_.expect("AS"));
  ASSIGN_OR_RETURN(table->query, QueryParser(cursor_).parse());
  return finish(std::move(table), prefix.start);
}

/// FRESHNESS, REFRESH_MODE and START_MODE, in any order.
Status CreateParser::parseRefresh(CreateMaterializedTableStatement& table) {
  while (true) {
    if (table.freshness == nullptr && cursor_.accept("FRESHNESS")) {
      RETURN_IF_ERROR(cursor_.expectSymbol("="));
      ASSIGN_OR_RETURN(table.freshness, parseFreshness(cursor_));
    } else if (table.refresh_mode == RefreshMode::UNSPECIFIED && cursor_.accept("REFRESH_MODE")) {
      RETURN_IF_ERROR(cursor_.expectSymbol("="));
      ASSIGN_OR_RETURN(table.refresh_mode, parseRefreshMode(cursor_));
    } else if (!table.start_mode && cursor_.accept("START_MODE")) {
      RETURN_IF_ERROR(cursor_.expectSymbol("="));
      ASSIGN_OR_RETURN(table.start_mode, parseStartMode());
    } else {
      return Status::ok();
    }
  }
}

Result<StartMode> CreateParser::parseStartMode() {
  struct Word {
    std::string_view word;
    StartModeKind kind;
  };
  static constexpr Word kWords[] = {{"FROM_BEGINNING", StartModeKind::FROM_BEGINNING},
                                    {"FROM_NOW", StartModeKind::FROM_NOW},
                                    {"FROM_TIMESTAMP", StartModeKind::FROM_TIMESTAMP},
                                    {"RESUME_OR_FROM_BEGINNING", StartModeKind::RESUME_OR_FROM_BEGINNING},
                                    {"RESUME_OR_FROM_NOW", StartModeKind::RESUME_OR_FROM_NOW},
                                    {"RESUME_OR_FROM_TIMESTAMP", StartModeKind::RESUME_OR_FROM_TIMESTAMP}};
  StartMode mode;
  for (const Word& word : kWords) {
    if (!cursor_.accept(word.word)) continue;
    mode.kind = word.kind;
    if (cursor_.acceptSymbol("(")) {
      ASSIGN_OR_RETURN(mode.argument, ExpressionParser(cursor_).parse());
      RETURN_IF_ERROR(cursor_.expectSymbol(")"));
    }
    return mode;
  }
  return cursor_.unexpectedWord("FROM_BEGINNING, FROM_NOW, FROM_TIMESTAMP or RESUME_OR_FROM_..",
                                {"FROM_BEGINNING", "FROM_NOW", "FROM_TIMESTAMP", "RESUME_OR_FROM_BEGINNING",
                                 "RESUME_OR_FROM_NOW", "RESUME_OR_FROM_TIMESTAMP"});
}

Result<ExprPtr> parseFreshness(TokenCursor& cursor) {
  const SourcePosition position = cursor.peek().position;
  ASSIGN_OR_RETURN(ExprPtr interval, ExpressionParser(cursor).parseOperand());
  if (interval->kind == ExprKind::INTERVAL_LITERAL) return interval;
  return Status::parse("expected an interval such as INTERVAL '3' MINUTE as FRESHNESS", position);
}

Result<RefreshMode> parseRefreshMode(TokenCursor& cursor) {
  if (cursor.accept("FULL")) return RefreshMode::FULL;
  RETURN_IF_ERROR(cursor.accept("CONTINUOUS")
                      ? Status::ok()
                      : cursor.unexpectedWord("CONTINUOUS or FULL as REFRESH_MODE", {"CONTINUOUS", "FULL"}));
  return RefreshMode::CONTINUOUS;
}

// --- other objects -----------------------------------------------------------------------------------

Result<StatementPtr> CreateParser::parseView(const Prefix& prefix) {
  auto view = std::make_shared<CreateViewStatement>();
  view->temporary = prefix.temporary;
  view->replace = prefix.or_replace;
  view->if_not_exists = definitions_.acceptIfNotExists();
  ASSIGN_OR_RETURN(view->name, cursor_.expectQualifiedName("a view's name"));
  if (cursor_.atSymbol("(")) {
    ASSIGN_OR_RETURN(view->columns, cursor_.expectIdentifierList("a column name"));
  }
  ASSIGN_OR_RETURN(view->comment, definitions_.parseOptionalComment());
  RETURN_IF_ERROR(cursor_.expect("AS"));
  const std::size_t query_start = cursor_.mark();
  ASSIGN_OR_RETURN(view->query, QueryParser(cursor_).parse());
  view->query_text = cursor_.textSince(query_start);
  return finish(std::move(view), prefix.start);
}

Result<StatementPtr> CreateParser::parseDatabase(const Prefix& prefix) {
  auto database = std::make_shared<CreateDatabaseStatement>();
  database->if_not_exists = definitions_.acceptIfNotExists();
  ASSIGN_OR_RETURN(database->name, cursor_.expectQualifiedName("a database's name"));
  ASSIGN_OR_RETURN(database->comment, definitions_.parseOptionalComment());
  ASSIGN_OR_RETURN(database->options, definitions_.parseOptionalWith());
  return finish(std::move(database), prefix.start);
}

Result<StatementPtr> CreateParser::parseCatalog(const Prefix& prefix) {
  auto catalog = std::make_shared<CreateCatalogStatement>();
  catalog->if_not_exists = definitions_.acceptIfNotExists();
  ASSIGN_OR_RETURN(catalog->name, cursor_.expectIdentifier("a catalog's name"));
  ASSIGN_OR_RETURN(catalog->comment, definitions_.parseOptionalComment());
  ASSIGN_OR_RETURN(catalog->options, definitions_.parseOptionalWith());
  return finish(std::move(catalog), prefix.start);
}

Result<StatementPtr> CreateParser::parseModel(const Prefix& prefix) {
  auto model = std::make_shared<CreateModelStatement>();
  model->temporary = prefix.temporary;
  model->if_not_exists = definitions_.acceptIfNotExists();
  ASSIGN_OR_RETURN(model->name, cursor_.expectQualifiedName("a model's name"));
  if (cursor_.accept("INPUT")) {
    ASSIGN_OR_RETURN(model->inputs, definitions_.parseModelColumns());
  }
  if (cursor_.accept("OUTPUT")) {
    ASSIGN_OR_RETURN(model->outputs, definitions_.parseModelColumns());
  }
  ASSIGN_OR_RETURN(model->comment, definitions_.parseOptionalComment());
  ASSIGN_OR_RETURN(model->options, definitions_.parseOptionalWith());
  if (cursor_.accept("AS")) {
    ASSIGN_OR_RETURN(model->query, QueryParser(cursor_).parse());
  }
  return finish(std::move(model), prefix.start);
}

Result<StatementPtr> CreateParser::parseConnection(const Prefix& prefix) {
  auto connection = std::make_shared<CreateConnectionStatement>();
  connection->temporary = prefix.temporary;
  connection->system = prefix.system;
  connection->if_not_exists = definitions_.acceptIfNotExists();
  ASSIGN_OR_RETURN(connection->name, cursor_.expectQualifiedName("a connection's name"));
  ASSIGN_OR_RETURN(connection->comment, definitions_.parseOptionalComment());
  RETURN_IF_ERROR(cursor_.expect("WITH"));
  ASSIGN_OR_RETURN(connection->options, definitions_.parseOptions());
  return finish(std::move(connection), prefix.start);
}

// --- functions ---------------------------------------------------------------------------------------

Result<StatementPtr> CreateParser::parseFunction(const Prefix& prefix) {
  auto function = std::make_shared<CreateFunctionStatement>();
  function->temporary = prefix.temporary;
  function->system = prefix.system;
  function->if_not_exists = definitions_.acceptIfNotExists();
  RETURN_IF_ERROR(parseFunctionBody(*function));
  if (cursor_.accept("USING")) RETURN_IF_ERROR(parseResources(*function));
  ASSIGN_OR_RETURN(function->options, definitions_.parseOptionalWith());
  return finish(std::move(function), prefix.start);
}

Result<StatementPtr> CreateParser::parseAlterFunction() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto function = std::make_shared<CreateFunctionStatement>();
  function->alter = true;
  function->temporary = cursor_.accept("TEMPORARY");
  function->system = function->temporary && cursor_.accept("SYSTEM");
  RETURN_IF_ERROR(cursor_.expect("FUNCTION"));
  function->if_exists = definitions_.acceptIfExists();
  RETURN_IF_ERROR(parseFunctionBody(*function));
  return finish(std::move(function), start);
}

Status CreateParser::parseFunctionBody(CreateFunctionStatement& function) {
  ASSIGN_OR_RETURN(function.name, cursor_.expectQualifiedName("a function's name"));
  if (function.system && !function.alter && !function.name.isSimple()) {
    return Status::parse("a system function's name has one part only", function.name.position);
  }
  RETURN_IF_ERROR(cursor_.expect("AS"));
  ASSIGN_OR_RETURN(function.class_name, cursor_.expectString("a class name in single quotes"));
  if (!cursor_.accept("LANGUAGE")) return Status::ok();
  if (!cursor_.atAny({"JAVA", "SCALA", "PYTHON", "CPP"})) {
    return cursor_.unexpectedWord("JAVA, SCALA, PYTHON or CPP behind LANGUAGE", {"JAVA", "SCALA", "PYTHON", "CPP"});
  }
  function.language = upperAscii(cursor_.peek().text);
  cursor_.skip();
  if (function.language == "CPP" && !cursor_.at("USING")) return cursor_.unexpectedWord("USING LIBRARY '…' behind LANGUAGE CPP", {"USING"});
  return Status::ok();
}

Status CreateParser::parseResources(CreateFunctionStatement& function) {
  do {
    FunctionResource resource;
    const bool cpp = function.language == "CPP";
    if (cpp ? !cursor_.at("LIBRARY") : !cursor_.atAny({"JAR", "ARTIFACT"})) {
      return cpp ? cursor_.unexpectedWord("LIBRARY behind USING", {"LIBRARY"}) : cursor_.unexpectedWord("JAR or ARTIFACT behind USING", {"JAR", "ARTIFACT"});
    }
    resource.kind = upperAscii(cursor_.peek().text);
    cursor_.skip();
    ASSIGN_OR_RETURN(resource.uri, cursor_.expectString("a path in single quotes"));
    function.resources.push_back(std::move(resource));
  } while (cursor_.acceptSymbol(","));
  return Status::ok();
}

}  // namespace thalweg::sql
