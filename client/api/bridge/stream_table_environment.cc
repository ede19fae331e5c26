#include "client/api/thalweg/stream_table_environment.h"

#include "client/api/bridge/stream_bridge.h"
#include "client/api/bridge/stream_sink.h"
#include "client/api/bridge/stream_table.h"
#include "client/api/thalweg/exception.h"
#include "common/types/type_rules.h"

namespace thalweg::api {
namespace {

std::shared_ptr<StreamBridge> makeBridge(const StreamExecutionEnvironment& environment) {
  if (environment.getConfiguration().getEnum("execution.runtime-mode") == "AUTOMATIC") {
    throw ValidationException("Unsupported mode 'AUTOMATIC' for 'execution.runtime-mode'. Only an explicit BATCH mode or STREAMING mode is supported in Table API.");
  }
  return std::make_shared<StreamBridge>(environment.graph());
}

}  // namespace

StreamTableEnvironment StreamTableEnvironment::create(const StreamExecutionEnvironment& environment) {
  auto bridge = makeBridge(environment);
  auto state = std::make_shared<EnvironmentState>(environment.getConfiguration());
  state->runner = std::move(bridge);
  return StreamTableEnvironment(std::move(state), environment.graph());
}

StreamTableEnvironment StreamTableEnvironment::create(const StreamExecutionEnvironment& environment, const EnvironmentSettings& settings) {
  Configuration& configuration = environment.getConfiguration();
  throwIfFailed(configuration.set("execution.runtime-mode", settings.isStreamingMode() ? "STREAMING" : "BATCH"));
  auto state = makeState(settings, configuration);
  state->runner = makeBridge(environment);
  return StreamTableEnvironment(std::move(state), environment.graph());
}

Table StreamTableEnvironment::fromSource(TableSource source, const Schema* schema, ChangelogMode mode) const {
  return tableOfStream(state_, std::move(source), schema, mode);
}

Table StreamTableEnvironment::fromFields(TableSource source, const std::vector<Expression>& fields) const {
  return tableOfFields(state_, std::move(source), fields);
}

TableStream StreamTableEnvironment::insertStream(const Table& table, const DataType* type) const { return insertOnlyStream(table, type); }

TableStream StreamTableEnvironment::flaggedStream(const Table& table, const DataType* type) const { return retractStream(table, type); }

TableStream StreamTableEnvironment::changelogStream(const Table& table, const Schema* schema, ChangelogMode mode) const {
  return thalweg::api::changelogStream(table, schema, mode);
}

StreamLinkPtr StreamTableEnvironment::outputLink(StreamLinkPtr records, const TableStream& table) {
  return std::make_shared<TableOutputLink>(std::move(records), *table.output);
}

std::vector<Field> StreamTableEnvironment::fieldsOf(const Table& table) {
  std::vector<Field> fields;
  for (const thalweg::Column& column : table.state()->node->schema.columns()) fields.push_back({column.name, column.type, {}});
  return fields;
}

std::vector<Field> StreamTableEnvironment::fieldsOf(const Schema& schema) {
  std::vector<Field> fields;
  for (const Schema::Column& column : schema.getColumns()) {
    if (column.kind == Schema::ColumnKind::PHYSICAL) fields.push_back({column.name, *column.type, {}});
  }
  return fields;
}

std::vector<Field> StreamTableEnvironment::rowFields(const DataType& type) {
  if (type.kind() == TypeKind::ROW) return type.fields();
  return {{"f0", type, {}}};
}

DataType StreamTableEnvironment::recordFields(const DataType& declared, const DataType& record) {
  const bool fields = record.kind() == TypeKind::ROW && declared.kind() == TypeKind::ROW && record.childCount() == declared.childCount();
  bool fits = fields || supportsImplicitCast(declared, record);
  for (size_t i = 0; fields && i < record.childCount(); ++i) {
    const int same = declared.fieldIndex(record.fieldName(i));
    fits = fits && same >= 0 && supportsImplicitCast(declared.child(static_cast<size_t>(same)), record.child(i));
  }
  if (!fits) throw ValidationException("the data type " + declared.toString() + " does not have the fields of the stream's record type, " + record.toString());
  return record;
}

void StreamStatementSet::attachAsDataStream() {
  if (sinks_.empty()) return;
  std::vector<LogicalNodePtr> plans;
  for (const auto& sink : sinks_) plans.push_back(std::static_pointer_cast<const LogicalNode>(sink));
  sinks_.clear();
  StreamBridge& bridge = bridgeOf(*environment_);
  bridge.addPlan(bridge.graph(), *environment_, valueOrThrow(environment_->engine.prepare(std::move(plans))), "Insert into tables");
}

}  // namespace thalweg::api
