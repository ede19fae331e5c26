#include "common/sql/parse/alter_parser.h"

#include "common/sql/parse/create_parser.h"
#include "common/sql/parse/query_parser.h"

namespace thalweg::sql {

Result<StatementPtr> AlterParser::parseAlter() {
  if (cursor_.at("FUNCTION", 1) || cursor_.at("TEMPORARY", 1)) return CreateParser(cursor_).parseAlterFunction();
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto statement = std::make_shared<AlterStatement>();
  ASSIGN_OR_RETURN(statement->object, parseAlterObject());
  statement->if_exists = definitions_.acceptIfExists();
  if (statement->object == ObjectKind::CATALOG) {
    ASSIGN_OR_RETURN(Identifier catalog, cursor_.expectIdentifier("a catalog's name"));
    statement->name.position = catalog.position;
    statement->name.parts.push_back(std::move(catalog));
  } else {
    ASSIGN_OR_RETURN(statement->name, cursor_.expectQualifiedName("the name of what is altered"));
  }
  ASSIGN_OR_RETURN(statement->action, parseAction(statement->object));
  statement->position = cursor_.since(start);
  return StatementPtr(std::move(statement));
}

Result<ObjectKind> AlterParser::parseAlterObject() {
  if (cursor_.accept("TABLE")) return ObjectKind::TABLE;
  if (cursor_.accept("VIEW")) return ObjectKind::VIEW;
  if (cursor_.accept("DATABASE")) return ObjectKind::DATABASE;
  if (cursor_.accept("CATALOG")) return ObjectKind::CATALOG;
  if (cursor_.accept("MODEL")) return ObjectKind::MODEL;
  if (cursor_.accept("CONNECTION")) return ObjectKind::CONNECTION;
  if (cursor_.acceptWords({"MATERIALIZED", "TABLE"})) return ObjectKind::MATERIALIZED_TABLE;
  return cursor_.unexpectedWord(
      "TABLE, VIEW, DATABASE, CATALOG, FUNCTION, MODEL, CONNECTION or MATERIALIZED TABLE behind ALTER",
      {"TABLE", "VIEW", "DATABASE", "CATALOG", "FUNCTION", "MODEL", "CONNECTION", "MATERIALIZED"});
}

Result<AlterAction> AlterParser::parseAction(ObjectKind object) {
  switch (object) {
    case ObjectKind::TABLE: return parseTableAction(object);
    case ObjectKind::MATERIALIZED_TABLE: return parseMaterializedAction();
    case ObjectKind::VIEW: return parseViewAction();
    default: return parseOptionAction(object);
  }
}

/// What catalogs, databases, models and connections have, and tables, too.
Result<AlterAction> AlterParser::parseOptionAction(ObjectKind object) {
  const bool renames = object == ObjectKind::MODEL || object == ObjectKind::CONNECTION || object == ObjectKind::TABLE;
  const bool resets = object != ObjectKind::DATABASE;
  if (cursor_.accept("SET")) {
    ASSIGN_OR_RETURN(OptionList options, definitions_.parseOptions());
    return AlterAction(alter::SetOptions{std::move(options)});
  }
  if (resets && cursor_.accept("RESET")) {
    ASSIGN_OR_RETURN(std::vector<std::string> keys, definitions_.parseKeys());
    return AlterAction(alter::ResetOptions{std::move(keys)});
  }
  if (renames && cursor_.at("RENAME")) return parseRename(object);
  if (object == ObjectKind::CATALOG && cursor_.at("COMMENT")) {
    ASSIGN_OR_RETURN(std::optional<std::string> comment, definitions_.parseOptionalComment());
    return AlterAction(alter::SetComment{std::move(*comment)});
  }
  if (object == ObjectKind::DATABASE) return cursor_.unexpectedWord("SET", {"SET"});
  if (object == ObjectKind::CATALOG)
    return cursor_.unexpectedWord("SET, RESET or COMMENT", {"SET", "RESET", "COMMENT"});
  return cursor_.unexpectedWord("SET, RESET or RENAME TO", {"SET", "RESET", "RENAME"});
}

Result<AlterAction> AlterParser::parseRename(ObjectKind object) {
  cursor_.skip();
  if (cursor_.accept("TO")) {
    ASSIGN_OR_RETURN(QualifiedName name, cursor_.expectQualifiedName("the new name"));
    return AlterAction(alter::RenameTo{std::move(name)});
  }
  if (object != ObjectKind::TABLE) return cursor_.unexpectedWord("TO behind RENAME", {"TO"});
  alter::RenameColumn rename;
  ASSIGN_OR_RETURN(rename.from, cursor_.expectQualifiedName("TO or a column name behind RENAME"));
  RETURN_IF_ERROR(cursor_.expect("TO"));
  ASSIGN_OR_RETURN(rename.to, cursor_.expectQualifiedName("the column's new name"));
  return AlterAction(std::move(rename));
}

Result<AlterAction> AlterParser::parseTableAction(ObjectKind object) {
  if (cursor_.accept("ADD")) return parseAdd();
  if (cursor_.accept("MODIFY")) return parseModify();
  if (cursor_.accept("DROP")) return parseDropPart();
  if (cursor_.atAny({"SET", "RESET", "RENAME"})) return parseOptionAction(object);
  return cursor_.unexpectedWord("ADD, MODIFY, DROP, RENAME, SET or RESET",
                                {"ADD", "MODIFY", "DROP", "RENAME", "SET", "RESET"});
}

Result<AlterAction> AlterParser::parseMaterializedAction() {
  if (cursor_.accept("SUSPEND")) return AlterAction(alter::Suspend{});
  if (cursor_.accept("RESUME")) {
    ASSIGN_OR_RETURN(OptionList options, definitions_.parseOptionalWith());
    return AlterAction(alter::Resume{std::move(options)});
  }
  if (cursor_.accept("REFRESH")) {
    alter::Refresh refresh;
    if (cursor_.accept("PARTITION")) {
      ASSIGN_OR_RETURN(refresh.partition, definitions_.parsePartitionSpec(DefinitionParser::PartitionValues::REQUIRED));
    }
    return AlterAction(std::move(refresh));
  }
  if (cursor_.acceptWords({"SET", "FRESHNESS"})) {
    RETURN_IF_ERROR(cursor_.expectSymbol("="));
    ASSIGN_OR_RETURN(ExprPtr interval, parseFreshness(cursor_));
    return AlterAction(alter::SetFreshness{std::move(interval)});
  }
  if (cursor_.acceptWords({"SET", "REFRESH_MODE"})) {
    RETURN_IF_ERROR(cursor_.expectSymbol("="));
    ASSIGN_OR_RETURN(const RefreshMode mode, parseRefreshMode(cursor_));
    return AlterAction(alter::SetRefreshMode{mode});
  }
  if (cursor_.at("AS")) return parseAsQuery();
  return parseTableAction(ObjectKind::MATERIALIZED_TABLE);
}

Result<AlterAction> AlterParser::parseViewAction() {
  if (cursor_.at("AS")) return parseAsQuery();
  if (cursor_.at("RENAME")) return parseRename(ObjectKind::VIEW);
  return cursor_.unexpectedWord("AS or RENAME TO", {"AS", "RENAME"});
}

Result<AlterAction> AlterParser::parseAsQuery() {
  cursor_.skip();
  const std::size_t start = cursor_.mark();
  alter::AsQuery as;
  ASSIGN_OR_RETURN(as.query, QueryParser(cursor_).parse());
  as.query_text = cursor_.textSince(start);
  return AlterAction(std::move(as));
}

// --- ALTER TABLE t ADD / MODIFY / DROP ---------------------------------------------------------------

Result<AlterAction> AlterParser::parseAdd() {
  if (cursor_.at("PARTITION") || cursor_.atWords({"IF", "NOT", "EXISTS"})) return parseAddPartitions();
  if (cursor_.accept("DISTRIBUTION")) {
    ASSIGN_OR_RETURN(Distribution distribution, definitions_.parseDistribution());
    return AlterAction(alter::AddDistribution{std::move(distribution)});
  }
  ASSIGN_OR_RETURN(TableElements elements, definitions_.parseAlterElements());
  return AlterAction(alter::AddElements{std::move(elements)});
}

Result<AlterAction> AlterParser::parseModify() {
  if (cursor_.accept("DISTRIBUTION")) {
    ASSIGN_OR_RETURN(Distribution distribution, definitions_.parseDistribution());
    return AlterAction(alter::ModifyDistribution{std::move(distribution)});
  }
  ASSIGN_OR_RETURN(TableElements elements, definitions_.parseAlterElements());
  return AlterAction(alter::ModifyElements{std::move(elements)});
}

Result<AlterAction> AlterParser::parseAddPartitions() {
  alter::AddPartitions add;
  add.if_not_exists = definitions_.acceptIfNotExists();
  do {
    RETURN_IF_ERROR(cursor_.expect("PARTITION"));
    alter::NewPartition partition;
    ASSIGN_OR_RETURN(partition.partition, definitions_.parsePartitionSpec(DefinitionParser::PartitionValues::REQUIRED));
    ASSIGN_OR_RETURN(partition.options, definitions_.parseOptionalWith());
    add.partitions.push_back(std::move(partition));
  } while (cursor_.at("PARTITION"));
  return AlterAction(std::move(add));
}

Result<AlterAction> AlterParser::parseDropPart() {
  if (cursor_.at("PARTITION") || cursor_.atWords({"IF", "EXISTS"})) return parseDropPartitions();
  if (cursor_.acceptWords({"PRIMARY", "KEY"})) return AlterAction(alter::DropPrimaryKey{});
  if (cursor_.accept("WATERMARK")) return AlterAction(alter::DropWatermark{});
  if (cursor_.accept("DISTRIBUTION")) return AlterAction(alter::DropDistribution{});
  if (cursor_.accept("CONSTRAINT")) {
    ASSIGN_OR_RETURN(Identifier name, cursor_.expectIdentifier("a constraint's name"));
    return AlterAction(alter::DropConstraint{std::move(name)});
  }
  alter::DropColumns drop;
  const bool parentheses = cursor_.acceptSymbol("(");
  do {
    ASSIGN_OR_RETURN(QualifiedName column, cursor_.expectQualifiedName("a column name"));
    drop.columns.push_back(std::move(column));
  } while (parentheses && cursor_.acceptSymbol(","));
  if (parentheses) RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return AlterAction(std::move(drop));
}

Result<AlterAction> AlterParser::parseDropPartitions() {
  alter::DropPartitions drop;
  drop.if_exists = definitions_.acceptIfExists();
  do {
    RETURN_IF_ERROR(cursor_.expect("PARTITION"));
    ASSIGN_OR_RETURN(PartitionSpec spec, definitions_.parsePartitionSpec(DefinitionParser::PartitionValues::REQUIRED));
    drop.partitions.push_back(std::move(spec));
  } while (cursor_.acceptSymbol(","));
  return AlterAction(std::move(drop));
}

// --- DROP --------------------------------------------------------------------------------------------

Result<StatementPtr> AlterParser::parseDrop() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto drop = std::make_shared<DropStatement>();
  drop->temporary = cursor_.accept("TEMPORARY");
  drop->system = drop->temporary && cursor_.accept("SYSTEM");
  if (cursor_.accept("FUNCTION")) {
    drop->object = ObjectKind::FUNCTION;
  } else if (cursor_.accept("CONNECTION")) {
    drop->object = ObjectKind::CONNECTION;
  } else if (!drop->system && cursor_.accept("TABLE")) {
    drop->object = ObjectKind::TABLE;
  } else if (!drop->system && cursor_.accept("VIEW")) {
    drop->object = ObjectKind::VIEW;
  } else if (!drop->system && cursor_.accept("MODEL")) {
    drop->object = ObjectKind::MODEL;
  } else if (!drop->temporary && cursor_.accept("CATALOG")) {
    drop->object = ObjectKind::CATALOG;
  } else if (!drop->temporary && cursor_.accept("DATABASE")) {
    drop->object = ObjectKind::DATABASE;
  } else if (!drop->temporary && cursor_.acceptWords({"MATERIALIZED", "TABLE"})) {
    drop->object = ObjectKind::MATERIALIZED_TABLE;
  } else {
    return cursor_.unexpectedWord(
        "TABLE, VIEW, DATABASE, CATALOG, FUNCTION, MODEL, CONNECTION or MATERIALIZED TABLE behind DROP",
        {"TABLE", "VIEW", "DATABASE", "CATALOG", "FUNCTION", "MODEL", "CONNECTION", "MATERIALIZED", "TEMPORARY"});
  }
  drop->if_exists = definitions_.acceptIfExists();
  ASSIGN_OR_RETURN(drop->name, cursor_.expectQualifiedName("the name of what is dropped"));
  if (drop->object == ObjectKind::DATABASE && !cursor_.accept("RESTRICT")) drop->cascade = cursor_.accept("CASCADE");
  drop->position = cursor_.since(start);
  return StatementPtr(std::move(drop));
}

}  // namespace thalweg::sql
