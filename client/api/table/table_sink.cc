#include "client/api/table/table_sink.h"

#include "client/api/table/expression_tree.h"
#include "client/api/thalweg/exception.h"
#include "common/plan/catalog/table_declaration.h"
#include "common/plan/catalog/table_resolver.h"
#include "common/sql/parser.h"
#include "common/sql/unparser.h"

namespace thalweg::api {
namespace {

sql::QualifiedName nameOfPath(std::string_view path) {
  const auto expr = valueOrThrow(sql::parseExpression(path));
  const auto* ref = sql::tryAs<sql::ColumnRef>(*expr);
  if (!ref) throw ValidationException("'" + std::string(path) + "' is no name of a table");
  return ref->name;
}

sql::TypeSpec typeSpec(const DataType& type) { return valueOrThrow(sql::parseType(type.toSerializableString())); }

sql::ColumnDefinition columnOf(const Schema::Column& column) {
  sql::ColumnDefinition out;
  out.name = qualifiedName({column.name});
  if (!column.comment.empty()) out.comment = column.comment;
  switch (column.kind) {
    case Schema::ColumnKind::PHYSICAL: out.type = typeSpec(*column.type); break;
    case Schema::ColumnKind::COMPUTED:
      out.kind = sql::ColumnKind::COMPUTED;
      out.expression = valueOrThrow(sql::parseExpression(column.expression));
      break;
    case Schema::ColumnKind::METADATA:
      out.kind = sql::ColumnKind::METADATA;
      out.type = typeSpec(*column.type);
      if (!column.metadata_key.empty()) out.metadata_key = column.metadata_key;
      out.is_virtual = column.is_virtual;
      break;
  }
  return out;
}

std::vector<sql::Identifier> identifiers(const std::vector<std::string>& names) {
  std::vector<sql::Identifier> out;
  for (const std::string& name : names) out.push_back(identifier(name));
  return out;
}

sql::TableElements elementsOf(const Schema& schema) {
  sql::TableElements elements;
  for (const Schema::Column& column : schema.getColumns()) elements.columns.push_back(columnOf(column));
  if (const auto& watermark = schema.getWatermark()) {
    elements.watermark = sql::WatermarkDefinition{qualifiedName({watermark->column}), valueOrThrow(sql::parseExpression(watermark->expression)), {}};
  }
  if (!schema.getPrimaryKey().empty()) {
    sql::TableConstraint key;
    key.name = identifier(schema.getPrimaryKeyName());
    key.columns = identifiers(schema.getPrimaryKey());
    key.enforced = false;
    elements.constraints.push_back(std::move(key));
  }
  return elements;
}

/// What printSchema() shows of a scanned table: its declarations, as they are in the catalog.
std::shared_ptr<const ResolvedSchema> declaredSchema(const LogicalScan& scan) {
  const ResolvedTable& table = *scan.table;
  auto schema = std::make_shared<ResolvedSchema>(scan.schema);
  for (size_t i = 0; i < table.definition.columns.size(); ++i) {
    const TableColumn& column = table.definition.columns[i];
    ResolvedSchema::Column& out = schema->columns[i];
    out.comment = column.comment;
    if (column.kind == TableColumn::Kind::COMPUTED) {
      out.kind = Schema::ColumnKind::COMPUTED;
      out.expression = sql::unparse(*column.expression);
    } else if (column.kind == TableColumn::Kind::METADATA) {
      out.kind = Schema::ColumnKind::METADATA;
      if (column.metadata_key != column.name) out.metadata_key = column.metadata_key;
      out.is_virtual = column.is_virtual;
    }
  }
  if (table.watermark) {
    const auto& watermark = *table.definition.watermark;
    schema->watermark = ResolvedSchema::Watermark{watermark.column, table.watermark->expression->type, sql::unparse(*watermark.expression)};
  }
  schema->primary_key_name = table.definition.primary_key_name;
  schema->primary_key = table.definition.primary_key;
  return schema;
}

/// A scan whose declarations are kept for printSchema().
Table scanned(const EnvironmentStatePtr& environment, const ObjectPath& path, const TableDefinition& definition) {
  LogicalNodePtr node = valueOrThrow(environment->engine.session().bindScan(path, definition));
  environment->declared[node.get()] = {node, declaredSchema(node->as<LogicalScan>())};
  return makeTable(environment, std::move(node));
}

ObjectPath anonymousPath(EnvironmentState& environment, const TableDefinition& definition) {
  const auto connector = definition.options.find("connector");
  const std::string name = connector == definition.options.end() ? "table" : connector->second;
  return {"", "", "*anonymous_" + name + "$" + std::to_string(++environment.anonymous_tables) + "*"};
}

}  // namespace

ObjectPath pathOf(const EnvironmentState& environment, std::string_view path) {
  return valueOrThrow(const_cast<client::SqlEngine&>(environment.engine).session().catalog().qualify(nameOfPath(path)));
}

TableDefinition definitionOf(const EnvironmentState& environment, const ObjectPath& path, const TableDescriptor& descriptor,
                             const thalweg::Schema* columns) {
  sql::CreateTableStatement create;
  if (descriptor.getSchema()) {
    create.definition.elements = elementsOf(*descriptor.getSchema());
  } else if (columns) {
    Schema::Builder builder = Schema::newBuilder();
    for (const thalweg::Column& column : columns->columns()) builder.column(column.name, column.type);
    create.definition.elements = elementsOf(builder.build());
  } else {
    throw ValidationException("the table descriptor has no schema; call schema(…)");
  }
  for (const auto& [key, value] : descriptor.getOptions()) create.definition.options.push_back({key, value, {}});
  create.definition.partitioned_by = identifiers(descriptor.getPartitionKeys());
  if (!descriptor.getComment().empty()) create.definition.comment = descriptor.getComment();
  const auto session = valueOrThrow(const_cast<client::SqlEngine&>(environment.engine).session().environment());
  TableDefinition definition = valueOrThrow(declareTable(session, path, create, nullptr));
  definition.distribution = descriptor.getDistribution();
  return definition;
}

void putTable(EnvironmentState& environment, std::string_view path, const TableDescriptor& descriptor, bool temporary) {
  const ObjectPath full = pathOf(environment, path);
  SessionCatalog& catalog = environment.engine.session().catalog();
  if (temporary ? catalog.findTemporary(full) : catalog.findPermanent(full)) {
    throw ValidationException("there is a table or view " + full.toString() + " already");
  }
  TableDefinition definition = definitionOf(environment, full, descriptor);
  definition.temporary = temporary;
  throwIfFailed(catalog.put(full, CatalogObject{std::make_shared<const TableDefinition>(std::move(definition)), nullptr}, temporary));
}

void putView(EnvironmentState& environment, std::string_view path, const Table& table, bool replace) {
  const ObjectPath full = pathOf(environment, path);
  SessionCatalog& catalog = environment.engine.session().catalog();
  if (!replace && catalog.findTemporary(full)) throw ValidationException("there is a temporary table or view " + full.toString() + " already");
  auto view = std::make_shared<ViewDefinition>();
  view->plan = table.state()->node;
  view->schema = view->plan->schema;
  for (const thalweg::Column& column : view->schema.columns()) view->column_names.push_back(column.name);
  view->creating_catalog = full.catalog;
  view->creating_database = full.database;
  view->temporary = true;
  throwIfFailed(catalog.put(full, CatalogObject{nullptr, std::move(view)}, true));
}

Table tableAt(const EnvironmentStatePtr& environment, std::string_view path) {
  const ObjectPath full = pathOf(*environment, path);
  const CatalogObject* object = valueOrThrow(environment->engine.session().catalog().get(full, nameOfPath(path)));
  if (!object->isView()) return scanned(environment, full, *object->table);
  if (object->view->plan) return makeTable(environment, object->view->plan);
  auto ref = std::make_shared<sql::NamedTable>();
  ref->name = nameOfPath(path);
  auto body = selectAll();
  body->from = std::move(ref);
  return makeTable(environment, environment->bind(queryOf(std::move(body)), {}));
}

Table tableOf(const EnvironmentStatePtr& environment, const TableDescriptor& descriptor) {
  TableDefinition definition = definitionOf(*environment, {"", "", "*anonymous*"}, descriptor);
  return scanned(environment, anonymousPath(*environment, definition), definition);
}

LogicalNodePtr sinkOf(const Table& table, std::string_view path, bool overwrite) {
  EnvironmentState& environment = *table.state()->environment;
  const ObjectPath full = pathOf(environment, path);
  SqlSession& session = environment.engine.session();
  const CatalogObject* object = valueOrThrow(session.catalog().get(full, nameOfPath(path)));
  if (object->isView()) throw ValidationException(full.toString() + " is a view; rows can only be inserted into tables");
  LogicalNodePtr sink = valueOrThrow(session.bindSink(full, *object->table, table.state()->node));
  if (!overwrite) return sink;
  auto copy = std::make_shared<LogicalSink>(sink->as<LogicalSink>());
  copy->overwrite = true;
  return copy;
}

LogicalNodePtr sinkOf(const Table& table, const TableDescriptor& descriptor, bool overwrite) {
  EnvironmentState& environment = *table.state()->environment;
  TableDefinition definition = definitionOf(environment, {"", "", "*anonymous*"}, descriptor, &table.state()->node->schema);
  const ObjectPath path = anonymousPath(environment, definition);
  LogicalNodePtr sink = valueOrThrow(environment.engine.session().bindSink(path, definition, table.state()->node));
  if (!overwrite) return sink;
  auto copy = std::make_shared<LogicalSink>(sink->as<LogicalSink>());
  copy->overwrite = true;
  return copy;
}

}  // namespace thalweg::api
