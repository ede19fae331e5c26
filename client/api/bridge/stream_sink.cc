#include "client/api/bridge/stream_sink.h"

#include <algorithm>

#include "client/api/thalweg/exception.h"
#include "common/plan/binder/relation.h"
#include "common/plan/expressions/call_factory.h"
#include "common/types/type_rules.h"

namespace thalweg::api {
namespace {

std::string sinkName(const EnvironmentState& environment) {
  return "*anonymous_datastream_sink$" + std::to_string(++const_cast<EnvironmentState&>(environment).anonymous_tables) + "*";
}

std::string columnsText(const std::vector<Field>& fields) {
  std::string text = "[";
  for (const Field& field : fields) text += (text.size() > 1 ? ", " : "") + field.name + ": " + field.type.toString();
  return text + "]";
}

std::vector<Field> fieldsOf(const thalweg::Schema& schema) {
  std::vector<Field> fields;
  for (const thalweg::Column& column : schema.columns()) fields.push_back({column.name, column.type, {}});
  return fields;
}

/// The query's columns as the sink's: by name if it has them all, else by position; cast where they may be.
LogicalNodePtr fitted(const EnvironmentState& environment, const LogicalNodePtr& query, const std::vector<Field>& sink, const std::string& name) {
  const thalweg::Schema& schema = query->schema;
  const std::string head = "Column types of query result and sink for '" + name + "' do not match.\nCause: ";
  const std::string tail = "\n\nQuery schema: " + columnsText(fieldsOf(schema)) + "\nSink schema:  " + columnsText(sink);
  if (schema.size() != sink.size()) throw ValidationException(head + "Different number of columns." + tail);
  const bool by_name = std::all_of(sink.begin(), sink.end(), [&](const Field& field) { return schema.indexOf(field.name) >= 0; });
  const CallFactory calls(environment.zone());
  std::vector<BoundExprPtr> columns;
  std::vector<std::string> names;
  bool same = true;
  for (size_t i = 0; i < sink.size(); ++i) {
    const int from = by_name ? schema.indexOf(sink[i].name) : static_cast<int>(i);
    const DataType& type = schema.type(static_cast<size_t>(from));
    if (!supportsImplicitCast(type, sink[i].type)) {
      throw ValidationException(head + "Incompatible types for sink column '" + sink[i].name + "' at position " + std::to_string(i) + "." + tail);
    }
    columns.push_back(calls.coerce(BoundExpr::column(from, type), sink[i].type));
    same = same && from == static_cast<int>(i) && columns.back()->isColumn() && schema.column(i).name == sink[i].name;
    names.push_back(sink[i].name);
  }
  return same ? query : project(query, std::move(columns), std::move(names));
}

/// What makes updates, seen from the root through operators that only pass them on.
std::string producerOfUpdates(const PlanNode& root) {
  const PlanNode* at = &root;
  while (std::holds_alternative<CollectSpec>(at->spec) || std::holds_alternative<CalcSpec>(at->spec) || std::holds_alternative<UnionSpec>(at->spec)) {
    const auto updating = std::find_if(at->inputs.begin(), at->inputs.end(), [](const PlanInput& input) { return !input.node->mode.isInsertOnly(); });
    if (updating == at->inputs.end()) break;
    at = updating->node.get();
  }
  return at->description;
}

int rowtimeColumn(const thalweg::Schema& schema, const std::string& sink) {
  int found = -1;
  std::vector<std::string> names;
  for (size_t i = 0; i < schema.size(); ++i) {
    if (schema.column(i).time != TimeAttribute::ROWTIME) continue;
    found = static_cast<int>(i);
    names.push_back(schema.column(i).name);
  }
  if (names.size() < 2) return found;
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  throw ValidationException("The query contains more than one rowtime attribute column [" + list + "] for writing into table '" + sink +
                            "'. Please select the column that should be used as the event-time timestamp for the table sink by casting all other "
                            "columns to regular TIMESTAMP or TIMESTAMP_LTZ.");
}

TableStream added(const Table& table, LogicalNodePtr query, TableOutput output, bool inserts_only, const std::string& name) {
  EnvironmentState& environment = *table.state()->environment;
  for (const thalweg::Column& column : query->schema.columns()) output.types.push_back(column.type);
  auto sink = std::make_shared<LogicalSink>(std::move(query), nullptr);
  sink->gathers = false;
  client::PreparedPlans plans = valueOrThrow(environment.engine.prepare({std::move(sink)}));
  const PlanNode& root = *plans.plan.sinks[0];
  if (inserts_only && !root.mode.isInsertOnly()) {
    throw ValidationException("Table sink '" + name + "' doesn't support consuming update changes which is produced by node " + producerOfUpdates(root));
  }
  StreamBridge& bridge = bridgeOf(environment);
  const int node = bridge.addPlan(bridge.graph(), environment, std::move(plans), "Table");
  bridge.graph().forget(node);
  return {node, std::make_shared<const TableOutput>(std::move(output)), bridge.graph().node(node).bounded};
}

/// `type`: of the records; null: rows of the table's columns.
TableStream recordStream(const Table& table, const DataType* type, bool inserts_only) {
  const EnvironmentState& environment = *table.state()->environment;
  const std::string name = sinkName(environment);
  LogicalNodePtr query = table.state()->node;
  TableOutput output;
  output.rowtime = rowtimeColumn(query->schema, name);
  if (type) {
    const std::string rowtime = output.rowtime < 0 ? "" : query->schema.column(static_cast<size_t>(output.rowtime)).name;
    std::vector<Field> fields = type->kind() == TypeKind::ROW ? type->fields() : std::vector<Field>{{"f0", *type, {}}};
    query = fitted(environment, query, fields, name);
    if (output.rowtime >= 0) output.rowtime = query->schema.indexOf(rowtime) >= 0 ? query->schema.indexOf(rowtime) : output.rowtime;
  }
  return added(table, std::move(query), std::move(output), inserts_only, name);
}

}  // namespace

TableStream insertOnlyStream(const Table& table, const DataType* type) { return recordStream(table, type, true); }

TableStream retractStream(const Table& table, const DataType* type) { return recordStream(table, type, false); }

TableStream changelogStream(const Table& table, const Schema* schema, ChangelogMode mode) {
  const EnvironmentState& environment = *table.state()->environment;
  const std::string name = sinkName(environment);
  LogicalNodePtr query = table.state()->node;
  TableOutput output;
  output.rowtime = rowtimeColumn(query->schema, name);
  output.upsert = mode.hasUpdates() && !mode.update_before;
  if (output.upsert && (!schema || schema->getPrimaryKey().empty())) {
    throw ValidationException("an upsert changelog stream needs a primary key in its Schema: primaryKey(\"id\")");
  }
  if (schema) {
    std::vector<Field> fields;
    int metadata = -1;
    for (const Schema::Column& column : schema->getColumns()) {
      if (column.kind == Schema::ColumnKind::COMPUTED) continue;
      if (column.kind == Schema::ColumnKind::METADATA) {
        const std::string key = column.metadata_key.empty() ? column.name : column.metadata_key;
        if (key != "rowtime") throw ValidationException("Invalid metadata key '" + key + "' in column '" + column.name + "' of stream. The DataStream supports the following metadata keys: [rowtime]");
        metadata = static_cast<int>(fields.size());
      }
      fields.push_back({column.name, *column.type, {}});
    }
    query = fitted(environment, query, fields, name);
    if (metadata >= 0) {
      output.rowtime = metadata;
      output.drop_rowtime = true;
    } else if (output.rowtime >= 0) {
      output.rowtime = rowtimeColumn(query->schema, name);
    }
  }
  return added(table, std::move(query), std::move(output), mode.isInsertOnly(), name);
}

}  // namespace thalweg::api
