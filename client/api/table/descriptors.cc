#include "client/api/thalweg/descriptors.h"

#include <algorithm>
#include <iostream>

#include "client/api/table/table_state.h"
#include "client/api/thalweg/exception.h"
#include "common/plan/catalog/legacy_options.h"
#include "common/sql/parser.h"
#include "common/sql/unparser.h"

namespace thalweg::descriptors {
namespace {

/// `column - INTERVAL '5.000' SECOND`.
std::string delayed(const std::string& column, int64_t delay_ms) {
  std::string digits = std::to_string(delay_ms);
  if (delay_ms % 1000 == 0) digits = std::to_string(delay_ms / 1000);
  else digits = std::to_string(delay_ms / 1000) + "." + std::to_string(1000 + delay_ms % 1000).substr(1);
  return sql::quoteIdentifier(column) + " - INTERVAL '" + digits + "' SECOND";
}

}  // namespace

Rowtime& Rowtime::timestampsFromField(std::string field) {
  field_ = std::move(field);
  return *this;
}
Rowtime& Rowtime::timestampsFromSource() {
  from_source_ = true;
  return *this;
}
Rowtime& Rowtime::watermarksPeriodicAscending() { return watermarksPeriodicBounded(1); }
Rowtime& Rowtime::watermarksPeriodicBounded(int64_t delay_ms) {
  if (delay_ms < 0) throw api::ValidationException("watermarksPeriodicBounded takes milliseconds of 0 or more, not " + std::to_string(delay_ms));
  delay_ms_ = delay_ms;
  return *this;
}
Rowtime& Rowtime::watermarksFromSource() {
  watermarks_from_source_ = true;
  return *this;
}

Schema::Field& Schema::last(const char* call) {
  if (fields_.empty()) throw api::ValidationException(std::string(call) + " follows a field");
  return fields_.back();
}

Schema& Schema::field(std::string name, DataType type) {
  fields_.push_back({std::move(name), std::move(type), {}, {}});
  return *this;
}
Schema& Schema::field(std::string name, std::string_view type) { return field(std::move(name), api::DataTypes::of(type)); }

Schema& Schema::from(std::string original) {
  Field& field = last("from()");
  const std::string name = std::exchange(field.name, original);
  fields_.push_back({name, std::nullopt, sql::quoteIdentifier(original), {}});
  return *this;
}

Schema& Schema::proctime() {
  Field& field = last("proctime()");
  field.type.reset();
  field.expression = "PROCTIME()";
  return *this;
}
Schema& Schema::proctime(std::string name) { return computedColumn(std::move(name), "PROCTIME()"); }

Schema& Schema::computedColumn(std::string name, std::string expression) {
  fields_.push_back({std::move(name), std::nullopt, std::move(expression), {}});
  return *this;
}

Schema& Schema::rowtime(const Rowtime& rowtime) {
  Field& field = last("rowtime()");
  if (rowtime.field_.empty() && !rowtime.from_source_) {
    throw api::ValidationException("the rowtime '" + field.name + "' does not say where its timestamps come from: add timestampsFromField(\"…\") or timestampsFromSource()");
  }
  if (rowtime.delay_ms_ < 0 && !rowtime.watermarks_from_source_) {
    throw api::ValidationException("the rowtime '" + field.name + "' does not say its watermarks: add watermarksPeriodicBounded(ms), watermarksPeriodicAscending() or watermarksFromSource()");
  }
  const std::string name = field.name;
  if (rowtime.from_source_) {
    field.type = DataType::timestampLtz(3);
    field.metadata = "rowtime";
  } else {
    const std::string source = sql::quoteIdentifier(rowtime.field_);
    const auto found = std::find_if(fields_.begin(), fields_.end(), [&](const Field& f) { return f.name == rowtime.field_ && f.type && f.name != name; });
    std::string expression = "CAST(" + source + " AS TIMESTAMP(3))";
    if (found == fields_.end()) {
      // As the field was of the source only: it is declared, and read by its own name.
      Field added{rowtime.field_, DataType::timestamp(3), {}, {}};
      if (rowtime.field_ == name) throw api::ValidationException("the rowtime '" + name + "' cannot take its timestamps from itself");
      fields_.insert(fields_.end() - 1, std::move(added));
    } else if (found->type->isInteger()) {
      expression = "TO_TIMESTAMP_LTZ(" + source + ", 3)";
    } else if (found->type->isString()) {
      expression = "TO_TIMESTAMP(" + source + ")";
    }
    fields_.back().type.reset();
    fields_.back().expression = std::move(expression);
  }
  watermark_column_ = name;
  watermark_ = rowtime.watermarks_from_source_ ? "SOURCE_WATERMARK()" : delayed(name, rowtime.delay_ms_);
  return *this;
}

Schema::WatermarkStrategy Schema::watermarkFor(std::string column) { return {*this, std::move(column)}; }
Schema& Schema::WatermarkStrategy::boundedOutOfOrderTimestamps(Duration delay) const { return as(delayed(column_, delay.toMillis())); }
Schema& Schema::WatermarkStrategy::ascendingTimestamps() const { return as(delayed(column_, 1)); }
Schema& Schema::WatermarkStrategy::as(std::string expression) const {
  schema_.watermark_column_ = column_;
  schema_.watermark_ = std::move(expression);
  return schema_;
}

api::Schema Schema::toSchema() const {
  api::Schema::Builder builder = api::Schema::newBuilder();
  for (const Field& field : fields_) {
    if (!field.metadata.empty()) builder.columnByMetadata(field.name, *field.type, field.metadata);
    else if (field.type) builder.column(field.name, *field.type);
    else builder.columnByExpression(field.name, field.expression);
  }
  if (!watermark_.empty()) builder.watermark(watermark_column_, watermark_);
  if (!primary_key_.empty()) {
    std::string name = "PK";
    for (const std::string& column : primary_key_) name += "_" + column;
    builder.primaryKeyNamed(name, primary_key_);
  }
  return builder.build();
}

api::TableDescriptor Table::toDescriptor() const {
  const OptionMap options = modernOptions({options_.begin(), options_.end()});
  api::TableDescriptor::Builder builder = api::TableDescriptor::forConnector(options.at("connector"));
  for (const auto& [key, value] : options) builder.option(key, value);
  if (format_) {
    builder.option("format", format_->name());
    for (const auto& [key, value] : format_->options()) builder.option(format_->name() + "." + key, value);
  }
  if (schema_) builder.schema(schema_->toSchema());
  builder.partitionedByAll(partition_keys_);
  return builder.build();
}

ConnectTableDescriptor::ConnectTableDescriptor(api::TableEnvironment environment, Table connector)
    : environment_(std::move(environment)), connector_(std::move(connector)) {}
ConnectTableDescriptor& ConnectTableDescriptor::withFormat(const Format& format) {
  connector_.setFormat(format);
  return *this;
}
ConnectTableDescriptor& ConnectTableDescriptor::withSchema(const Schema& schema) {
  connector_.setSchema(schema);
  return *this;
}
void ConnectTableDescriptor::createTemporaryTable(std::string_view path) const { environment_.createTemporaryTable(path, connector_); }

}  // namespace thalweg::descriptors

namespace thalweg::api {

descriptors::ConnectTableDescriptor TableEnvironment::connect(const descriptors::Table& connector) const {
  return descriptors::ConnectTableDescriptor(*this, connector);
}

void TableEnvironment::createTemporaryTable(std::string_view path, const descriptors::Table& table) const {
  createTemporaryTable(path, table.toDescriptor());
  const std::string today = executeSql("SHOW CREATE TABLE " + std::string(path)).collect().next().getFieldAs<std::string>(0);
  std::cerr << "deprecated: descriptors of connectors; today this table is written as\n" << today;
}

void TableEnvironment::sqlUpdate(std::string_view sql) const {
  std::cerr << "deprecated: sqlUpdate(); use executeSql(), and a StatementSet for several INSERTs in one job\n";
  const sql::StatementPtr statement = valueOrThrow(sql::parseStatement(sql));
  if (statement->kind == sql::StatementKind::INSERT) {
    state_->buffered.push_back(std::string(sql));
    return;
  }
  if (statement->kind == sql::StatementKind::QUERY) throw ValidationException("sqlUpdate() is for statements without rows; use sqlQuery() for queries");
  executeSql(sql);
}

TableResult TableEnvironment::execute(std::string_view job_name) const {
  if (state_->buffered.empty()) throw ValidationException("No statements to execute: sqlUpdate() was given no INSERT before execute()");
  StatementSet set = createStatementSet();
  for (const std::string& insert : std::exchange(state_->buffered, {})) set.addInsertSql(insert);
  if (!job_name.empty()) getConfig().set("pipeline.name", job_name);
  return set.execute();
}

}  // namespace thalweg::api
