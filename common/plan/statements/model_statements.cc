// CREATE, ALTER, DROP and DESCRIBE of models.
#include "common/plan/catalog/table_declaration.h"
#include "common/plan/statements/statement_binder.h"
#include "common/sql/unparser.h"

namespace thalweg {
namespace {

Result<CatalogModel*> findModel(SessionCatalog& catalog, const sql::QualifiedName& name) {
  ASSIGN_OR_RETURN(ObjectPath path, catalog.qualify(name));
  auto found = catalog.models().find(path);
  if (found == catalog.models().end()) return Status::plan("there is no model '" + name.toString() + "'", name.position);
  return &found->second;
}

Result<std::vector<TableColumn>> columnsOf(const std::vector<sql::ColumnDefinition>& declared) {
  std::vector<TableColumn> columns;
  for (const sql::ColumnDefinition& column : declared) {
    ASSIGN_OR_RETURN(TableColumn bound, declareColumn(column));
    columns.push_back(std::move(bound));
  }
  return columns;
}

std::string columnList(const std::vector<TableColumn>& columns) {
  std::string text;
  for (const TableColumn& column : columns) {
    text += (text.empty() ? "" : ", ") + sql::quoteIdentifier(column.name) + " " + column.type.toSerializableString();
    if (!column.comment.empty()) text += " COMMENT " + sql::quoteString(column.comment);
  }
  return text;
}

}  // namespace

Result<BoundStatement> createModel(SessionCatalog& catalog, const sql::CreateModelStatement& create) {
  if (create.query) return Status::notSupported("CREATE MODEL AS is not built", create.position);
  ASSIGN_OR_RETURN(ObjectPath path, catalog.qualify(create.name));
  if (catalog.models().contains(path)) {
    if (create.if_not_exists) return BoundStatement(okResult());
    return Status::plan("there is a model '" + create.name.toString() + "' already", create.name.position);
  }
  if (create.inputs.empty() != create.outputs.empty()) {
    return Status::plan("a model has INPUT and OUTPUT columns, or neither", create.position);
  }
  if (create.options.empty()) return Status::plan("a model needs WITH ('provider' = …)", create.position);
  CatalogModel model;
  ASSIGN_OR_RETURN(model.inputs, columnsOf(create.inputs));
  ASSIGN_OR_RETURN(model.outputs, columnsOf(create.outputs));
  model.comment = create.comment.value_or("");
  for (const sql::Option& option : create.options) model.options[option.key] = option.value;
  catalog.models()[path] = std::move(model);
  return BoundStatement(okResult());
}

Result<BoundStatement> dropModel(SessionCatalog& catalog, const sql::DropStatement& drop) {
  ASSIGN_OR_RETURN(ObjectPath path, catalog.qualify(drop.name));
  bool dropped = catalog.models().erase(path) > 0;
  if (!dropped && !drop.if_exists) return Status::plan("there is no model '" + drop.name.toString() + "'", drop.name.position);
  return BoundStatement(okResult());
}

Result<BoundStatement> alterModel(SessionCatalog& catalog, const sql::AlterStatement& alter) {
  auto model = findModel(catalog, alter.name);
  if (!model.isOk() && alter.if_exists) return BoundStatement(okResult());
  if (!model.isOk()) return model.status();
  if (const auto* set = std::get_if<sql::alter::SetOptions>(&alter.action)) {
    for (const sql::Option& option : set->options) (*model)->options[option.key] = option.value;
  } else if (const auto* reset = std::get_if<sql::alter::ResetOptions>(&alter.action)) {
    for (const std::string& key : reset->keys) (*model)->options.erase(key);
  } else if (const auto* rename = std::get_if<sql::alter::RenameTo>(&alter.action)) {
    ASSIGN_OR_RETURN(ObjectPath from, catalog.qualify(alter.name));
    ObjectPath to = from;
    to.object = rename->name.last();
    if (catalog.models().contains(to)) return Status::plan("there is a model '" + to.object + "' already", rename->name.position);
    catalog.models()[to] = **model;
    catalog.models().erase(from);
  } else {
    return Status::notSupported("this ALTER MODEL is not built", alter.position);
  }
  return BoundStatement(okResult());
}

Result<BoundStatement> describeModel(const SessionCatalog& catalog, const sql::DescribeStatement& describe) {
  ASSIGN_OR_RETURN(ObjectPath path, catalog.qualify(describe.name));
  auto found = catalog.models().find(path);
  if (found == catalog.models().end()) {
    return Status::plan("there is no model '" + describe.name.toString() + "'", describe.name.position);
  }
  TableResult result;
  bool comments = false;
  for (const auto* columns : {&found->second.inputs, &found->second.outputs}) {
    for (const TableColumn& column : *columns) comments = comments || !column.comment.empty();
  }
  std::vector<Column> schema = {{"name", DataType::string()}, {"type", DataType::string()}, {"null", DataType::boolean()},
                                {"is input", DataType::boolean()}};
  if (comments) schema.push_back({"comment", DataType::string()});
  result.schema = Schema(std::move(schema));
  for (bool input : {true, false}) {
    for (const TableColumn& column : input ? found->second.inputs : found->second.outputs) {
      std::vector<Value> row = {Value::string(column.name), Value::string(column.type.asNullable().toString()),
                                Value::boolean(column.type.nullable()), Value::boolean(input)};
      if (comments) row.push_back(column.comment.empty() ? Value::null() : Value::string(column.comment));
      result.rows.push_back(std::move(row));
    }
  }
  return BoundStatement(std::move(result));
}

Result<std::string> createModelText(const SessionCatalog& catalog, const sql::QualifiedName& name) {
  ASSIGN_OR_RETURN(const ObjectPath path, catalog.qualify(name));
  const auto found = catalog.models().find(path);
  if (found == catalog.models().end()) return Status::plan("there is no model '" + name.toString() + "'", name.position);
  return createModelText(path, found->second) + "\n";
}

std::string createModelText(const ObjectPath& path, const CatalogModel& model) {
  std::string text = "CREATE MODEL " + path.toString() + "\n";
  if (!model.inputs.empty()) text += "INPUT (" + columnList(model.inputs) + ")\n";
  if (!model.outputs.empty()) text += "OUTPUT (" + columnList(model.outputs) + ")\n";
  if (!model.comment.empty()) text += "COMMENT " + sql::quoteString(model.comment) + "\n";
  text += "WITH (\n";
  size_t shown = 0;
  for (const auto& [key, value] : model.options) {
    text += "  " + sql::quoteString(key) + " = " + sql::quoteString(value) + (++shown < model.options.size() ? ",\n" : "\n");
  }
  return text + ")";
}

}  // namespace thalweg
