// CREATE, ALTER and DROP.
#include "common/sql/unparse/writer.h"
#include "common/sql/unparser.h"

namespace thalweg::sql {

std::string_view objectWord(ObjectKind object) {
  switch (object) {
    case ObjectKind::CATALOG: return "CATALOG ";
    case ObjectKind::DATABASE: return "DATABASE ";
    case ObjectKind::TABLE: return "TABLE ";
    case ObjectKind::VIEW: return "VIEW ";
    case ObjectKind::MATERIALIZED_TABLE: return "MATERIALIZED TABLE ";
    case ObjectKind::FUNCTION: return "FUNCTION ";
    case ObjectKind::MODEL: return "MODEL ";
    case ObjectKind::CONNECTION: return "CONNECTION ";
    case ObjectKind::JOB: return "JOB ";
  }
  return {};
}

namespace {

std::string_view scopeWord(bool temporary, bool system) {
  if (!temporary) return {};
  return system ? "TEMPORARY SYSTEM " : "TEMPORARY ";
}

std::string_view startModeWord(StartModeKind kind) {
  switch (kind) {
    case StartModeKind::FROM_BEGINNING: return "FROM_BEGINNING";
    case StartModeKind::FROM_NOW: return "FROM_NOW";
    case StartModeKind::FROM_TIMESTAMP: return "FROM_TIMESTAMP";
    case StartModeKind::RESUME_OR_FROM_BEGINNING: return "RESUME_OR_FROM_BEGINNING";
    case StartModeKind::RESUME_OR_FROM_NOW: return "RESUME_OR_FROM_NOW";
    case StartModeKind::RESUME_OR_FROM_TIMESTAMP: return "RESUME_OR_FROM_TIMESTAMP";
  }
  return {};
}

constexpr std::string_view kIfNotExists = "IF NOT EXISTS ";
constexpr std::string_view kIfExists = "IF EXISTS ";

}  // namespace

void Writer::createTable(const CreateTableStatement& node) {
  text(!node.create ? "REPLACE " : node.replace ? "CREATE OR REPLACE " : "CREATE ");
  text(scopeWord(node.temporary, false));
  text("TABLE ");
  if (node.if_not_exists) text(kIfNotExists);
  name(node.name);
  tableDefinition(node.definition);
  if (node.connection) {
    text("\nUSING CONNECTION ");
    name(*node.connection);
  }
  withOptions(node.definition.options);
  if (node.like) like(*node.like);
  if (node.query == nullptr) return;
  text("\nAS\n");
  query(*node.query);
}

void Writer::createMaterializedTable(const CreateMaterializedTableStatement& node) {
  text(node.or_alter ? "CREATE OR ALTER MATERIALIZED TABLE " : "CREATE MATERIALIZED TABLE ");
  name(node.name);
  tableDefinition(node.definition);
  withOptions(node.definition.options);
  if (node.start_mode) {
    text("\nSTART_MODE = ");
    text(startModeWord(node.start_mode->kind));
    if (node.start_mode->argument != nullptr) {
      text("(");
      expr(*node.start_mode->argument);
      text(")");
    }
  }
  if (node.freshness != nullptr) {
    text("\nFRESHNESS = ");
    expr(*node.freshness);
  }
  if (node.refresh_mode != RefreshMode::UNSPECIFIED) {
    text(node.refresh_mode == RefreshMode::FULL ? "\nREFRESH_MODE = FULL" : "\nREFRESH_MODE = CONTINUOUS");
  }
  text("\nAS\n");
  query(*node.query);
}

void Writer::createView(const CreateViewStatement& node) {
  text(node.replace ? "CREATE OR REPLACE " : "CREATE ");
  text(scopeWord(node.temporary, false));
  text("VIEW ");
  if (node.if_not_exists) text(kIfNotExists);
  name(node.name);
  if (!node.columns.empty()) {
    text(" ");
    identifiers(node.columns);
  }
  comment(node.comment);
  text("\nAS\n");
  query(*node.query);
}

void Writer::createDatabase(const CreateDatabaseStatement& node) {
  text("CREATE DATABASE ");
  if (node.if_not_exists) text(kIfNotExists);
  name(node.name);
  comment(node.comment);
  withOptions(node.options);
}

void Writer::createCatalog(const CreateCatalogStatement& node) {
  text("CREATE CATALOG ");
  if (node.if_not_exists) text(kIfNotExists);
  identifier(node.name);
  comment(node.comment);
  withOptions(node.options);
}

void Writer::createFunction(const CreateFunctionStatement& node) {
  text(node.alter ? "ALTER " : "CREATE ");
  text(scopeWord(node.temporary, node.system));
  text("FUNCTION ");
  if (node.if_not_exists) text(kIfNotExists);
  if (node.if_exists) text(kIfExists);
  name(node.name);
  text(" AS " + quoteString(node.class_name));
  if (node.language) text(" LANGUAGE " + *node.language);
  if (!node.resources.empty()) text(" USING ");
  list(node.resources, ", ",
       [this](const FunctionResource& resource) { text(resource.kind + " " + quoteString(resource.uri)); });
  withOptions(node.options);
}

void Writer::createModel(const CreateModelStatement& node) {
  text("CREATE ");
  text(scopeWord(node.temporary, false));
  text("MODEL ");
  if (node.if_not_exists) text(kIfNotExists);
  name(node.name);
  columnBlock("INPUT", node.inputs);
  columnBlock("OUTPUT", node.outputs);
  comment(node.comment);
  withOptions(node.options);
  if (node.query == nullptr) return;
  text("\nAS\n");
  query(*node.query);
}

void Writer::createConnection(const CreateConnectionStatement& node) {
  text("CREATE ");
  text(scopeWord(node.temporary, node.system));
  text("CONNECTION ");
  if (node.if_not_exists) text(kIfNotExists);
  name(node.name);
  comment(node.comment);
  text("\nWITH ");
  options(node.options);
}

void Writer::drop(const DropStatement& node) {
  text("DROP ");
  text(scopeWord(node.temporary, node.system));
  text(objectWord(node.object));
  if (node.if_exists) text(kIfExists);
  name(node.name);
  if (node.object == ObjectKind::DATABASE) text(node.cascade ? " CASCADE" : " RESTRICT");
}

// --- ALTER -------------------------------------------------------------------------------------------

void Writer::alterStatement(const AlterStatement& node) {
  text("ALTER ");
  text(objectWord(node.object));
  if (node.if_exists) text(kIfExists);
  name(node.name);
  text(" ");
  alterAction(node.action);
}

void Writer::alterAction(const AlterAction& action) {
  if (alterTablePart(action)) return;
  if (const auto* rename = std::get_if<alter::RenameTo>(&action)) {
    text("RENAME TO ");
    name(rename->name);
  } else if (const auto* set = std::get_if<alter::SetOptions>(&action)) {
    text("SET ");
    options(set->options);
  } else if (const auto* reset = std::get_if<alter::ResetOptions>(&action)) {
    text("RESET ");
    keys(reset->keys);
  } else if (const auto* remark = std::get_if<alter::SetComment>(&action)) {
    text("COMMENT " + quoteString(remark->comment));
  } else if (const auto* as_query = std::get_if<alter::AsQuery>(&action)) {
    text("AS\n");
    query(*as_query->query);
  } else if (std::holds_alternative<alter::Suspend>(action)) {
    text("SUSPEND");
  } else if (const auto* resume = std::get_if<alter::Resume>(&action)) {
    text("RESUME");
    withOptions(resume->options);
  } else if (const auto* refresh = std::get_if<alter::Refresh>(&action)) {
    text("REFRESH");
    if (refresh->partition.empty()) return;
    text(" ");
    partition(refresh->partition);
  } else if (const auto* freshness = std::get_if<alter::SetFreshness>(&action)) {
    text("SET FRESHNESS = ");
    expr(*freshness->interval);
  } else if (const auto* mode = std::get_if<alter::SetRefreshMode>(&action)) {
    text(mode->mode == RefreshMode::FULL ? "SET REFRESH_MODE = FULL" : "SET REFRESH_MODE = CONTINUOUS");
  }
}

/// ADD, MODIFY, DROP and RENAME of parts of a table; false for other actions.
bool Writer::alterTablePart(const AlterAction& action) {
  if (const auto* add = std::get_if<alter::AddElements>(&action)) {
    text("ADD ");
    elements(add->elements);
  } else if (const auto* modify = std::get_if<alter::ModifyElements>(&action)) {
    text("MODIFY ");
    elements(modify->elements);
  } else if (const auto* rename = std::get_if<alter::RenameColumn>(&action)) {
    text("RENAME ");
    name(rename->from);
    text(" TO ");
    name(rename->to);
  } else if (const auto* columns = std::get_if<alter::DropColumns>(&action)) {
    text("DROP (\n  ");
    list(columns->columns, ",\n  ", [this](const QualifiedName& column) { name(column); });
    text("\n)");
  } else if (std::holds_alternative<alter::DropPrimaryKey>(action)) {
    text("DROP PRIMARY KEY");
  } else if (const auto* dropped = std::get_if<alter::DropConstraint>(&action)) {
    text("DROP CONSTRAINT ");
    identifier(dropped->name);
  } else if (std::holds_alternative<alter::DropWatermark>(action)) {
    text("DROP WATERMARK");
  } else if (std::holds_alternative<alter::DropDistribution>(action)) {
    text("DROP DISTRIBUTION");
  } else if (const auto* added = std::get_if<alter::AddDistribution>(&action)) {
    text("ADD DISTRIBUTION");
    distribution(added->distribution);
  } else if (const auto* modified = std::get_if<alter::ModifyDistribution>(&action)) {
    text("MODIFY DISTRIBUTION");
    distribution(modified->distribution);
  } else if (const auto* partitions = std::get_if<alter::AddPartitions>(&action)) {
    text(partitions->if_not_exists ? "ADD IF NOT EXISTS" : "ADD");
    for (const alter::NewPartition& item : partitions->partitions) {
      text("\n");
      partition(item.partition);
      withOptions(item.options);
    }
  } else if (const auto* gone = std::get_if<alter::DropPartitions>(&action)) {
    text(gone->if_exists ? "DROP IF EXISTS\n" : "DROP\n");
    list(gone->partitions, ",\n", [this](const PartitionSpec& spec) { partition(spec); });
  } else {
    return false;
  }
  return true;
}

}  // namespace thalweg::sql
