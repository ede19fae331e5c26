#include "common/plan/catalog/table_declaration.h"

#include <algorithm>
#include <set>

#include "common/base/edit_distance.h"
#include "common/plan/catalog/legacy_options.h"
#include "common/plan/catalog/table_like.h"
#include "common/plan/catalog/table_resolver.h"
#include "common/plan/expressions/type_binder.h"
#include "common/sql/unparser.h"

namespace thalweg {
namespace {

TableColumn* findColumn(TableDefinition& definition, const std::string& name) {
  for (TableColumn& column : definition.columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

std::string nearColumn(const TableDefinition& definition, const std::string& name) {
  std::vector<std::string> names;
  for (const TableColumn& column : definition.columns) names.push_back(column.name);
  return didYouMean(name, std::span<const std::string>(names));
}

/// Puts the key's names in and makes their columns NOT NULL.
Status setKey(TableDefinition& definition, const sql::TableConstraint& key, size_t inherited) {
  definition.primary_key.clear();
  for (const sql::Identifier& name : key.columns) {
    TableColumn* column = findColumn(definition, name.text);
    if (!column) {
      return Status::plan("PRIMARY KEY names '" + name.text + "', which is no column of the table" +
                          nearColumn(definition, name.text), name.position);
    }
    if (column->kind != TableColumn::Kind::PHYSICAL) {
      return Status::plan("PRIMARY KEY can only name physical columns, but '" + name.text + "' is computed or metadata",
                          name.position);
    }
    if (std::find(definition.primary_key.begin(), definition.primary_key.end(), name.text) != definition.primary_key.end()) {
      return Status::plan("PRIMARY KEY names '" + name.text + "' twice", name.position);
    }
    bool is_inherited = static_cast<size_t>(column - definition.columns.data()) < inherited;
    if (is_inherited && column->type.nullable()) {
      return Status::plan("PRIMARY KEY names '" + name.text + "', which the other table or the query leaves nullable", name.position);
    }
    column->type = column->type.notNull();
    definition.primary_key.push_back(name.text);
  }
  definition.primary_key_name = key.name ? key.name->text : "";
  if (!key.name) {
    definition.primary_key_name = "PK";
    for (const std::string& name : definition.primary_key) definition.primary_key_name += "_" + name;
  }
  return Status::ok();
}

Status addQueryColumns(const sql::TableElements& elements, const Schema& query, TableDefinition& definition, size_t& inherited) {
  std::vector<TableColumn> declared = std::move(definition.columns);
  definition.columns.clear();
  bool reorders = !elements.columns.empty() && elements.columns[0].kind == sql::ColumnKind::NAME_ONLY;
  std::vector<TableColumn> from_query;
  for (const Column& column : query.columns()) {
    TableColumn out;
    out.name = column.name;
    out.type = column.type;
    from_query.push_back(std::move(out));
  }
  if (reorders) {
    std::vector<TableColumn> ordered;
    for (const sql::ColumnDefinition& name : elements.columns) {
      auto found = std::find_if(from_query.begin(), from_query.end(),
                                [&](const TableColumn& c) { return c.name == name.name.last(); });
      if (found == from_query.end()) {
        return Status::plan("the query has no column '" + name.name.last() + "'", name.position);
      }
      ordered.push_back(*found);
    }
    if (ordered.size() != from_query.size()) {
      return Status::plan("a list of names must name all " + std::to_string(from_query.size()) + " columns of the query",
                          elements.columns[0].position);
    }
    definition.columns = std::move(ordered);
    inherited = definition.columns.size();
    return Status::ok();
  }
  // Columns that the query does not have come first; the others change the type of the query's column.
  for (TableColumn& column : declared) {
    auto found = std::find_if(from_query.begin(), from_query.end(), [&](const TableColumn& c) { return c.name == column.name; });
    if (found == from_query.end()) definition.columns.push_back(std::move(column));
    else *found = std::move(column);
  }
  size_t own = definition.columns.size();
  definition.columns.insert(definition.columns.end(), from_query.begin(), from_query.end());
  if (own == 0) inherited = definition.columns.size();
  return Status::ok();
}

}  // namespace

Result<TableColumn> declareColumn(const sql::ColumnDefinition& column) {
  TableColumn out;
  out.name = column.name.last();
  out.comment = column.comment.value_or("");
  switch (column.kind) {
    case sql::ColumnKind::PHYSICAL: case sql::ColumnKind::METADATA: {
      ASSIGN_OR_RETURN(out.type, bindType(*column.type, TypePlace::COLUMN));
      if (column.kind == sql::ColumnKind::METADATA) {
        out.kind = TableColumn::Kind::METADATA;
        out.metadata_key = column.metadata_key.value_or(out.name);
        out.is_virtual = column.is_virtual;
      }
      return out;
    }
    case sql::ColumnKind::COMPUTED:
      out.kind = TableColumn::Kind::COMPUTED;
      out.expression = column.expression;
      return out;
    case sql::ColumnKind::NAME_ONLY: break;
  }
  return Status::plan("column '" + out.name + "' needs a type", column.position);
}

Result<std::optional<sql::TableConstraint>> declaredKey(const sql::TableElements& elements) {
  std::vector<sql::TableConstraint> keys = elements.constraints;
  if (keys.empty()) return std::optional<sql::TableConstraint>();
  if (keys.size() > 1) return Status::plan("a table has at most one PRIMARY KEY", keys[1].position);
  if (keys[0].kind == sql::ConstraintKind::UNIQUE) return Status::plan("UNIQUE is not known; there is PRIMARY KEY", keys[0].position);
  if (!keys[0].enforced || *keys[0].enforced) {
    return Status::plan("PRIMARY KEY must be NOT ENFORCED: the engine does not own the data and cannot check it", keys[0].position);
  }
  return std::optional(keys[0]);
}

Result<std::string> distributionText(const sql::Distribution& distribution, const TableDefinition& definition) {
  std::string text = "DISTRIBUTED";
  if (!distribution.columns.empty()) {
    text += " BY " + distribution.kind.value_or("");
    text += "(";
    for (size_t i = 0; i < distribution.columns.size(); ++i) {
      const sql::Identifier& name = distribution.columns[i];
      const auto found = std::ranges::find(definition.columns, name.text, &TableColumn::name);
      if (found == definition.columns.end()) {
        return Status::plan("DISTRIBUTED BY names '" + name.text + "', which is no column of the table" +
                            nearColumn(definition, name.text), name.position);
      }
      if (found->kind != TableColumn::Kind::PHYSICAL) {
        return Status::plan("DISTRIBUTED BY names '" + name.text + "', which is no physical column", name.position);
      }
      text += (i ? ", " : "") + sql::quoteIdentifier(name.text);
    }
    text += ")";
  }
  if (distribution.buckets) {
    if (*distribution.buckets < 1) return Status::plan("the number of buckets must be 1 or more", distribution.position);
    text += " INTO " + std::to_string(*distribution.buckets) + " BUCKETS";
  }
  return text;
}

Result<TableDefinition> declareTable(const BindEnvironment& environment, const ObjectPath& path,
                                     const sql::CreateTableStatement& create, const Schema* query_schema) {
  const sql::TableElements& elements = create.definition.elements;
  TableDefinition definition;
  definition.temporary = create.temporary;
  definition.comment = create.definition.comment.value_or("");
  for (const sql::Option& option : create.definition.options) definition.options[option.key] = option.value;
  definition.options = modernOptions(definition.options);
  for (const sql::Identifier& key : create.definition.partitioned_by) definition.partition_keys.push_back(key.text);
  bool names_only = query_schema && !elements.columns.empty() && elements.columns[0].kind == sql::ColumnKind::NAME_ONLY;
  for (const sql::ColumnDefinition& column : elements.columns) {
    if (names_only) break;
    ASSIGN_OR_RETURN(TableColumn declared, declareColumn(column));
    definition.columns.push_back(std::move(declared));
  }
  if (elements.watermark) {
    definition.watermark = TableDefinition::Watermark{elements.watermark->column.toString(), elements.watermark->expression};
  }
  ASSIGN_OR_RETURN(auto key, declaredKey(elements));
  size_t inherited = 0;
  if (query_schema) RETURN_IF_ERROR(addQueryColumns(elements, *query_schema, definition, inherited));
  if (create.like) {
    const OwnParts own{.key = key.has_value(), .distribution = create.definition.distribution.has_value()};
    ASSIGN_OR_RETURN(inherited, mergeLike(environment, *create.like, own, definition));
  }
  if (key) RETURN_IF_ERROR(setKey(definition, *key, inherited));
  if (create.definition.distribution) {
    ASSIGN_OR_RETURN(definition.distribution, distributionText(*create.definition.distribution, definition));
  }
  RETURN_IF_ERROR(checkDefinition(environment, path, definition, create.position));
  return definition;
}

Status checkDefinition(const BindEnvironment& environment, const ObjectPath& path, const TableDefinition& definition,
                       SourcePosition position) {
  std::set<std::string> names;
  std::set<std::string> metadata_keys;
  for (const TableColumn& column : definition.columns) {
    if (!names.insert(column.name).second) return Status::plan("column '" + column.name + "' is declared twice", position);
    if (column.kind == TableColumn::Kind::METADATA && !metadata_keys.insert(column.metadata_key).second) {
      return Status::plan("metadata '" + column.metadata_key + "' feeds two columns; it can feed one", position);
    }
  }
  for (const std::string& key : definition.partition_keys) {
    auto found = std::find_if(definition.columns.begin(), definition.columns.end(),
                              [&](const TableColumn& c) { return c.name == key; });
    if (found == definition.columns.end()) {
      return Status::plan("PARTITIONED BY names '" + key + "', which is no column of the table" + nearColumn(definition, key), position);
    }
    if (found->kind != TableColumn::Kind::PHYSICAL) {
      return Status::plan("PARTITIONED BY can only name physical columns, but '" + key + "' is none", position);
    }
  }
  auto resolved = resolveSchema(environment, path, definition);
  return resolved.isOk() ? Status::ok() : resolved.status().at(position);
}

}  // namespace thalweg
