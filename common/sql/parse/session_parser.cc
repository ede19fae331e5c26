// SHOW is in show_parser.cc.
#include "common/sql/parse/session_parser.h"

#include "common/sql/parse/definition_parser.h"
#include "common/sql/parse/keywords.h"

namespace thalweg::sql {

Result<StatementPtr> SessionParser::finish(std::shared_ptr<Statement> statement, std::size_t start) const {
  statement->position = cursor_.since(start);
  return StatementPtr(std::move(statement));
}

Result<StatementPtr> SessionParser::parseDescribe() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto describe = std::make_shared<DescribeStatement>();
  struct Word {
    std::string_view word;
    ObjectKind object;
  };
  static constexpr Word kWords[] = {{"CATALOG", ObjectKind::CATALOG},
                                    {"DATABASE", ObjectKind::DATABASE},
                                    {"FUNCTION", ObjectKind::FUNCTION},
                                    {"MODEL", ObjectKind::MODEL},
                                    {"CONNECTION", ObjectKind::CONNECTION}};
  for (const Word& word : kWords) {
    // most of these words are names, too: DESCRIBE model describes a table
    if (!cursor_.at(word.word) || !(cursor_.atIdentifier(1) || cursor_.at("EXTENDED", 1))) continue;
    describe->object = word.object;
    cursor_.skip();
    break;
  }
  if (cursor_.at("JOB") && cursor_.peek(1).kind == TokenKind::STRING) {
    cursor_.skip();
    describe->object = ObjectKind::JOB;
    const SourcePosition position = cursor_.peek().position;
    ASSIGN_OR_RETURN(std::string id, cursor_.expectString("a job's id in single quotes"));
    describe->name = {{{std::move(id), position, true}}, position};
    return finish(std::move(describe), start);
  }
  if (describe->object == ObjectKind::TABLE && cursor_.at("TABLE")) {
    return Status::plan("DESCRIBE takes the name of a table without the word TABLE", cursor_.peek().position);
  }
  describe->extended = cursor_.accept("EXTENDED");
  ASSIGN_OR_RETURN(describe->name, cursor_.expectQualifiedName("the name of what is described"));
  return finish(std::move(describe), start);
}

Result<StatementPtr> SessionParser::parseUse() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto use = std::make_shared<UseStatement>();
  if (cursor_.accept("MODULES")) {
    use->what = UseKind::MODULES;
    do {
      ASSIGN_OR_RETURN(Identifier module, cursor_.expectIdentifier("a module's name"));
      use->modules.push_back(std::move(module));
    } while (cursor_.acceptSymbol(","));
  } else if (cursor_.at("CATALOG") && cursor_.atIdentifier(1)) {
    cursor_.skip();
    use->what = UseKind::CATALOG;
    ASSIGN_OR_RETURN(Identifier catalog, cursor_.expectIdentifier("a catalog's name"));
    use->name.position = catalog.position;
    use->name.parts.push_back(std::move(catalog));
  } else {
    ASSIGN_OR_RETURN(use->name, cursor_.expectQualifiedName("CATALOG, MODULES or a database's name behind USE"));
  }
  return finish(std::move(use), start);
}

// --- SET and RESET -----------------------------------------------------------------------------------

/// `table.local-time-zone` without quotes: all text up to a blank or '='.
Result<std::string> SessionParser::parseBareKey() {
  const std::size_t start = cursor_.mark();
  if (cursor_.peek().kind != TokenKind::WORD && cursor_.peek().kind != TokenKind::QUOTED_IDENTIFIER) {
    return cursor_.unexpected("an option's key in single quotes");
  }
  do {
    cursor_.skip();
  } while (!cursor_.atEnd() && !cursor_.atSymbol("=") && !cursor_.atSymbol(";") && !cursor_.afterBlank());
  return std::string(cursor_.textSince(start));
}

Result<StatementPtr> SessionParser::parseSet() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto set = std::make_shared<SetStatement>();
  if (cursor_.atEnd() || cursor_.atSymbol(";")) return finish(std::move(set), start);
  const std::size_t option_start = cursor_.mark();
  Option option;
  const bool quoted = cursor_.peek().kind == TokenKind::STRING;
  ASSIGN_OR_RETURN(option.key, quoted ? cursor_.expectString("an option's key") : parseBareKey());
  RETURN_IF_ERROR(cursor_.expectSymbol("="));
  if (cursor_.peek().kind == TokenKind::STRING) {
    ASSIGN_OR_RETURN(option.value, cursor_.expectString("an option's value"));
  } else if (quoted) {
    return cursor_.unexpected("the value of option '" + option.key + "' in single quotes");
  } else {
    option.value = cursor_.takeRest();
    if (option.value.empty()) return cursor_.unexpected("the value of option " + option.key);
  }
  option.position = cursor_.since(option_start);
  set->option = std::move(option);
  return finish(std::move(set), start);
}

Result<StatementPtr> SessionParser::parseReset() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto reset = std::make_shared<ResetStatement>();
  if (cursor_.atEnd() || cursor_.atSymbol(";")) return finish(std::move(reset), start);
  const bool quoted = cursor_.peek().kind == TokenKind::STRING;
  ASSIGN_OR_RETURN(reset->key, quoted ? cursor_.expectString("an option's key") : parseBareKey());
  return finish(std::move(reset), start);
}

// --- modules, jars, jobs, statistics, the shell ------------------------------------------------------

Result<StatementPtr> SessionParser::parseModule() {
  const std::size_t start = cursor_.mark();
  auto module = std::make_shared<ModuleStatement>();
  module->load = cursor_.at("LOAD");
  cursor_.skip();
  RETURN_IF_ERROR(cursor_.expect("MODULE"));
  ASSIGN_OR_RETURN(module->name, cursor_.expectIdentifier("a module's name"));
  if (module->load) {
    ASSIGN_OR_RETURN(module->options, DefinitionParser(cursor_).parseOptionalWith());
  }
  return finish(std::move(module), start);
}

Result<StatementPtr> SessionParser::parseJar() {
  const std::size_t start = cursor_.mark();
  auto jar = std::make_shared<JarStatement>();
  jar->add = cursor_.at("ADD");
  cursor_.skip();
  RETURN_IF_ERROR(cursor_.expect("JAR"));
  ASSIGN_OR_RETURN(jar->path, cursor_.expectString("a path in single quotes"));
  return finish(std::move(jar), start);
}

Result<StatementPtr> SessionParser::parseStopJob() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  RETURN_IF_ERROR(cursor_.expect("JOB"));
  auto stop = std::make_shared<StopJobStatement>();
  ASSIGN_OR_RETURN(stop->id, cursor_.expectString("a job's id in single quotes"));
  stop->with_savepoint = cursor_.acceptWords({"WITH", "SAVEPOINT"});
  if (cursor_.atWords({"WITH", "DRAIN"})) {
    if (!stop->with_savepoint) return cursor_.unexpected("WITH SAVEPOINT before WITH DRAIN");
    cursor_.skip(2);
    stop->with_drain = true;
  }
  return finish(std::move(stop), start);
}

Result<StatementPtr> SessionParser::parseAnalyze() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  RETURN_IF_ERROR(cursor_.expect("TABLE"));
  auto analyze = std::make_shared<AnalyzeStatement>();
  ASSIGN_OR_RETURN(analyze->table, cursor_.expectQualifiedName("a table's name"));
  if (cursor_.accept("PARTITION")) {
    ASSIGN_OR_RETURN(analyze->partition,
                     DefinitionParser(cursor_).parsePartitionSpec(DefinitionParser::PartitionValues::OPTIONAL));
  }
  RETURN_IF_ERROR(cursor_.expectWords({"COMPUTE", "STATISTICS"}));
  if (cursor_.accept("FOR")) {
    if (cursor_.accept("ALL")) {
      RETURN_IF_ERROR(cursor_.expect("COLUMNS"));
      analyze->all_columns = true;
    } else {
      RETURN_IF_ERROR(cursor_.expect("COLUMNS"));
      do {
        ASSIGN_OR_RETURN(Identifier column, cursor_.expectIdentifier("a column name"));
        analyze->columns.push_back(std::move(column));
      } while (cursor_.acceptSymbol(","));
    }
  }
  return finish(std::move(analyze), start);
}

bool SessionParser::atClientCommand() const {
  if (!cursor_.atAny({"QUIT", "EXIT", "CLEAR", "HELP"})) return false;
  return cursor_.peek(1).kind == TokenKind::END || cursor_.atSymbol(";", 1);
}

Result<StatementPtr> SessionParser::parseClientCommand() {
  const std::size_t start = cursor_.mark();
  auto command = std::make_shared<ClientCommandStatement>();
  if (cursor_.at("QUIT")) command->command = ClientCommand::QUIT;
  if (cursor_.at("EXIT")) command->command = ClientCommand::EXIT;
  if (cursor_.at("CLEAR")) command->command = ClientCommand::CLEAR;
  cursor_.skip();
  return finish(std::move(command), start);
}

}  // namespace thalweg::sql
