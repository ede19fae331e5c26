#include "common/plan/catalog/table_resolver.h"

#include <algorithm>
#include <set>

#include "common/base/edit_distance.h"
#include "common/config/config_value.h"
#include "common/plan/binder/scope_context.h"
#include "common/plan/expressions/expression_binder.h"
#include "common/types/type_rules.h"

namespace thalweg {
namespace {

bool isSourceWatermark(const sql::Expr& expr) {
  const auto* call = sql::tryAs<sql::FunctionCall>(expr);
  return call && call->name.isSimple() && call->args.empty() && upperName(call->name.last()) == "SOURCE_WATERMARK";
}

/// Binds one table's declaration, column by column.
class TableBinding {
 public:
  TableBinding(const BindEnvironment& environment, ResolvedTable& table) : environment_(environment), table_(table) {}

  Status run() {
    RETURN_IF_ERROR(addProduced());
    RETURN_IF_ERROR(addColumns());
    RETURN_IF_ERROR(bindWatermark());
    return bindKey();
  }

 private:
  /// Physical columns, then metadata columns: what the connector gives.
  Status addProduced() {
    std::vector<Column> columns;
    for (bool metadata : {false, true}) {
      for (const TableColumn& column : table_.definition.columns) {
        if (column.kind != (metadata ? TableColumn::Kind::METADATA : TableColumn::Kind::PHYSICAL)) continue;
        columns.push_back({column.name, column.type});
        table_.produced_metadata_keys.push_back(metadata ? column.metadata_key : "");
      }
    }
    table_.produced = Schema(std::move(columns));
    return Status::ok();
  }

  /// Computed columns see all physical columns, and the metadata columns declared before them.
  Scope scopeBefore(const std::string& computed) const {
    std::set<std::string> hidden;
    bool behind = false;
    for (const TableColumn& column : table_.definition.columns) {
      behind = behind || column.name == computed;
      if (behind && column.kind == TableColumn::Kind::METADATA) hidden.insert(column.name);
    }
    Scope all = Scope::ofTable({table_.path.object, {}}, table_.produced);
    Scope scope;
    scope.addTable({table_.path.object, {}});
    for (const ScopeColumn& column : all.columns()) {
      if (!hidden.contains(column.name)) scope.addColumn(column);
    }
    return scope;
  }

  Status addColumns() {
    std::vector<Column> columns;
    for (TableColumn& column : table_.definition.columns) {
      BoundExprPtr expr;
      TimeAttribute time = TimeAttribute::NONE;
      if (column.kind == TableColumn::Kind::COMPUTED) {
        Scope scope = scopeBefore(column.name);
        ScopeContext rows(scope, nullptr, "a computed column");
        auto bound = ExpressionBinder(environment_, rows).bind(*column.expression);
        if (!bound.isOk()) return bound.status().withContext("column '" + column.name + "'");
        expr = *bound;
        if (expr->type.isNull()) {
          return Status::plan("column '" + column.name + "' is a bare NULL; give it a type, as in CAST(NULL AS INT)",
                              column.expression->position);
        }
        column.type = expr->type;
        time = timeAttributeOf(*expr, {});
      } else {
        int index = table_.produced.indexOf(column.name);
        expr = BoundExpr::column(index, column.type);
      }
      columns.push_back({column.name, column.type, time});
      table_.expressions.push_back(std::move(expr));
    }
    table_.schema = Schema(std::move(columns));
    return Status::ok();
  }

  Status bindWatermark() {
    if (!table_.definition.watermark) return Status::ok();
    const TableDefinition::Watermark& watermark = *table_.definition.watermark;
    const bool own = isSourceWatermark(*watermark.expression);
    if (own && !table_.stream) {
      return Status::plan("SOURCE_WATERMARK() is for streams of a program, which bring their watermarks; a table needs an expression",
                          watermark.expression->position);
    }
    int column = table_.schema.indexOf(watermark.column);
    if (column < 0) {
      std::vector<std::string> names;
      for (const Column& c : table_.schema.columns()) names.push_back(c.name);
      return Status::plan("the watermark is for column '" + watermark.column + "', which the table does not have" +
                          didYouMean(watermark.column, std::span<const std::string>(names)), watermark.expression->position);
    }
    const DataType& type = table_.schema.type(static_cast<size_t>(column));
    if (!type.isTimestamp() || type.precision() > 3) {
      return Status::plan("the row time column '" + watermark.column +
                          "' must be TIMESTAMP(p) or TIMESTAMP_LTZ(p) with p of at most 3, but is " + type.toString(),
                          watermark.expression->position);
    }
    if (table_.schema.column(static_cast<size_t>(column)).time == TimeAttribute::PROCTIME) {
      return Status::plan("no watermark can be declared for '" + watermark.column + "', which is the processing time",
                          watermark.expression->position);
    }
    if (own) {
      table_.stream->own_watermarks = true;
      markRowtime(column);
      return Status::ok();
    }
    Scope scope = Scope::ofTable({table_.path.object, {}}, table_.schema);
    ScopeContext rows(scope, nullptr, "a watermark");
    auto bound = ExpressionBinder(environment_, rows).bind(*watermark.expression);
    if (!bound.isOk()) return bound.status().withContext("watermark for '" + watermark.column + "'");
    const DataType& mark = (*bound)->type;
    if (mark.kind() != type.kind() || mark.precision() > 3) {
      return Status::plan("the watermark expression must give " + std::string(typeKindName(type.kind())) +
                          "(p) with p of at most 3, but gives " + mark.toString(), watermark.expression->position);
    }
    table_.watermark = WatermarkSpec{column, *bound, 0};
    markRowtime(column);
    return Status::ok();
  }

  void markRowtime(int column) {
    std::vector<Column> columns = table_.schema.columns();
    columns[static_cast<size_t>(column)].time = TimeAttribute::ROWTIME;
    table_.schema = Schema(std::move(columns));
  }

  Status bindKey() {
    for (const std::string& name : table_.definition.primary_key) {
      int column = table_.schema.indexOf(name);
      CHECK(column >= 0);
      table_.primary_key.push_back(column);
    }
    return Status::ok();
  }

  const BindEnvironment& environment_;
  ResolvedTable& table_;
};

/// Metadata columns must name what the connector has, with a type that it can be cast to.
Status checkMetadata(const ResolvedTable& table, const TableConnector& connector, TableUse use) {
  for (const TableColumn& column : table.definition.columns) {
    if (column.kind != TableColumn::Kind::METADATA) continue;
    if (use == TableUse::SINK && column.is_virtual) continue;
    const MetadataColumn* found = connector.metadata(column.metadata_key);
    std::string context = "table " + table.path.toString() + ": ";
    if (!found) {
      std::vector<std::string> keys = connector.metadataKeys();
      return Status::plan(context + "there is no metadata '" + column.metadata_key + "' for column '" + column.name + "'" +
                          didYouMean(column.metadata_key, std::span<const std::string>(keys)));
    }
    if (use == TableUse::SINK && !found->writable) {
      return Status::plan(context + "metadata column '" + column.name + "' cannot be written; declare it VIRTUAL");
    }
    bool fits = use == TableUse::SOURCE ? supportsExplicitCast(found->type, column.type)
                                        : supportsExplicitCast(column.type, found->type);
    if (!fits) {
      return Status::plan(context + "metadata '" + column.metadata_key + "' is " + found->type.toString() +
                          ", which cannot be column '" + column.name + "' of type " + column.type.toString());
    }
  }
  return Status::ok();
}

/// Batch mode reads what ends and what never changes.
Status checkBatch(const ObjectPath& path, const TableConnector& connector, const OptionMap& options) {
  std::string context = "table " + path.toString() + " cannot be read in batch mode: ";
  if (!connector.readMode().isInsertOnly()) {
    return Status::plan(context + "its rows are changes; use SET 'execution.runtime-mode' = 'streaming'");
  }
  if (!connector.isBounded(options)) {
    return Status::plan(context + "it never ends; use SET 'execution.runtime-mode' = 'streaming'");
  }
  return Status::ok();
}

/// Physical columns that are in the files, not in the names of their folders.
Schema dataSchema(const TableDefinition& definition) {
  const Schema physical = physicalSchema(definition);
  std::vector<Column> columns;
  for (const Column& column : physical.columns()) {
    const auto& keys = definition.partition_keys;
    if (std::find(keys.begin(), keys.end(), column.name) == keys.end()) columns.push_back(column);
  }
  return Schema(std::move(columns));
}

}  // namespace

Schema physicalSchema(const TableDefinition& definition) {
  std::vector<Column> columns;
  for (const TableColumn& column : definition.columns) {
    if (column.kind == TableColumn::Kind::PHYSICAL) columns.push_back({column.name, column.type});
  }
  return Schema(std::move(columns));
}

Result<ResolvedTable> resolveSchema(const BindEnvironment& environment, ObjectPath path, TableDefinition definition) {
  ResolvedTable table;
  table.path = std::move(path);
  table.definition = std::move(definition);
  RETURN_IF_ERROR(TableBinding(environment, table).run());
  return table;
}

namespace {

/// The declared column made from what the stream brings.
Result<BoundExprPtr> fromRecord(const CallFactory& calls, const Schema& columns, const std::string& name, const DataType& type, bool rowtime) {
  const int index = columns.indexOf(name);
  BoundExprPtr source;
  if (index >= 0) {
    source = BoundExpr::column(index, columns.type(static_cast<size_t>(index)));
  } else {
    std::vector<BoundExprPtr> fields;
    const size_t record = columns.size() - (rowtime ? 1 : 0);
    for (size_t i = 0; i < record; ++i) fields.push_back(BoundExpr::column(static_cast<int>(i), columns.type(i)));
    ASSIGN_OR_RETURN(source, calls.call("ROW", std::move(fields), {}));
  }
  if (source->type == type) return source;
  if (source->type.sameAs(type) && source->isColumn()) return BoundExpr::column(source->index, type);
  if (source->type.kind() == TypeKind::BIGINT && type.kind() == TypeKind::TIMESTAMP_LTZ) {
    ASSIGN_OR_RETURN(source, calls.call("TO_TIMESTAMP_LTZ", {source, BoundExpr::literal(Value::integer(3), DataType::integer(false))}, {}));
    if (source->type.sameAs(type)) return source;
  }
  if (!supportsExplicitCast(source->type, type)) {
    return Status::plan("column '" + name + "' is declared " + type.toString() + ", but the stream brings " + source->type.toString());
  }
  return BoundExpr::cast(std::move(source), type);
}

}  // namespace

Result<std::shared_ptr<const ResolvedTable>> resolveStream(const BindEnvironment& environment, const ObjectPath& path,
                                                           const TableDefinition& definition, const StreamInput& input,
                                                           const Schema& columns, bool rowtime) {
  ResolvedTable table;
  table.path = path;
  table.definition = definition;
  table.stream = input;
  RETURN_IF_ERROR(TableBinding(environment, table).run());
  const CallFactory calls(environment.session_zone);
  std::vector<BoundExprPtr> sources;
  for (size_t i = 0; i < table.produced.size(); ++i) {
    const Column& produced = table.produced.column(i);
    const bool metadata = !table.produced_metadata_keys[i].empty();
    const std::string& name = metadata ? columns.column(columns.size() - 1).name : produced.name;
    ASSIGN_OR_RETURN(BoundExprPtr source, fromRecord(calls, columns, name, produced.type, rowtime));
    sources.push_back(std::move(source));
  }
  for (BoundExprPtr& expression : table.expressions) expression = substituteColumns(expression, sources);
  table.produced = columns;
  table.produced_metadata_keys.assign(columns.size(), "");
  if (table.watermark) {
    table.watermark->idle_timeout_ms = environment.configuration->getDurationMillis("table.exec.source.idle-timeout");
  }
  return std::make_shared<const ResolvedTable>(std::move(table));
}

Result<std::shared_ptr<const ResolvedTable>> resolveTable(const BindEnvironment& environment, const ObjectPath& path,
                                                          const TableDefinition& definition,
                                                          const OptionMap& hint_options, TableUse use) {
  TableDefinition merged = definition;
  for (const auto& [key, value] : hint_options) merged.options[key] = value;
  ASSIGN_OR_RETURN(TableConnector connector,
                   resolveConnector(path.toString(), merged.options, physicalSchema(merged), use));
  if (connector.format) {
    Status checked = checkFormat(*connector.format, merged.options, dataSchema(merged), use);
    if (!checked.isOk()) return checked.withContext("table " + path.toString());
  }
  if (environment.batch_mode && use == TableUse::SOURCE) RETURN_IF_ERROR(checkBatch(path, connector, merged.options));
  BindEnvironment inside = environment;
  inside.foreign_text = true;
  auto resolved = resolveSchema(inside, path, std::move(merged));
  if (!resolved.isOk()) return Status(resolved.status().code(), resolved.status().message());   // its position is in the definition
  ResolvedTable table = *std::move(resolved);
  RETURN_IF_ERROR(checkMetadata(table, connector, use));
  if (table.watermark) {
    std::string idle = optionValue(table.definition.options, "scan.watermark.idle-timeout");
    if (idle.empty()) {
      table.watermark->idle_timeout_ms = environment.configuration->getDurationMillis("table.exec.source.idle-timeout");
    } else {
      ASSIGN_OR_RETURN(auto duration, parseConfigDuration(idle));
      table.watermark->idle_timeout_ms = std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
    }
  }
  return std::make_shared<const ResolvedTable>(std::move(table));
}

}  // namespace thalweg
