// Descriptors: tables as Flink declared them before TableDescriptor, by connect() and by connector classes.
//
//   tEnv.connect(descriptors::FileSystem().path("sensor.txt"))
//       .withFormat(descriptors::Csv())
//       .withSchema(descriptors::Schema().field("id", DataTypes::STRING()).field("pt", DataTypes::TIMESTAMP(3)).proctime())
//       .createTemporaryTable("input_table");
//   tEnv.createTemporaryTable("MyTable", descriptors::Kafka().version("0.11").topic("user_logs").format(descriptors::Json())
//       .schema(descriptors::Schema().column("user_id", DataTypes::BIGINT()).primaryKey("user_id")));
//
// Deprecated: each makes a TableDescriptor of today (toDescriptor()), and says on standard error how that is written.
// Errors: ValidationException for a rowtime without a source of its timestamps. Threads: values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/api/thalweg/table_environment.h"
#include "client/api/thalweg/values.h"

namespace thalweg::descriptors {

using api::DataType;
using api::Duration;

/// Where an event time comes from, and how far its watermarks trail.
class Rowtime {
 public:
  Rowtime& timestampsFromField(std::string field);
  /// The timestamp that the source gives each record.
  Rowtime& timestampsFromSource();
  Rowtime& watermarksPeriodicAscending();
  Rowtime& watermarksPeriodicBounded(int64_t delay_ms);
  Rowtime& watermarksFromSource();

 private:
  friend class Schema;
  std::string field_;
  bool from_source_ = false;
  int64_t delay_ms_ = -1;
  bool watermarks_from_source_ = false;
};

class Schema {
 public:
  class WatermarkStrategy;

  // As connect() had it.
  Schema& field(std::string name, DataType type);
  Schema& field(std::string name, std::string_view type);
  /// The field declared last is called so where it comes from.
  Schema& from(std::string original);
  /// The field declared last is the processing time.
  Schema& proctime();
  /// The field declared last is the event time.
  Schema& rowtime(const Rowtime& rowtime);

  // As FLIP-129 has it.
  Schema& column(std::string name, DataType type) { return field(std::move(name), std::move(type)); }
  Schema& proctime(std::string name);
  Schema& computedColumn(std::string name, std::string expression);
  WatermarkStrategy watermarkFor(std::string column);
  template <typename... Names>
  Schema& primaryKey(Names... names) {
    primary_key_ = {std::string(names)...};
    return *this;
  }

  api::Schema toSchema() const;

 private:
  struct Field {
    std::string name;
    std::optional<DataType> type;
    std::string expression;
    std::string metadata;
  };
  Field& last(const char* call);
  std::vector<Field> fields_;
  std::string watermark_column_;
  std::string watermark_;
  std::vector<std::string> primary_key_;
};

class Schema::WatermarkStrategy {
 public:
  WatermarkStrategy(Schema& schema, std::string column) : schema_(schema), column_(std::move(column)) {}
  Schema& boundedOutOfOrderTimestamps(Duration delay) const;
  Schema& ascendingTimestamps() const;
  Schema& as(std::string expression) const;

 private:
  Schema& schema_;
  std::string column_;
};

/// A format and its options, under the names they have today.
class Format {
 public:
  explicit Format(std::string name) : name_(std::move(name)) {}
  const std::string& name() const { return name_; }
  const std::map<std::string, std::string>& options() const { return options_; }

 protected:
  std::string name_;
  std::map<std::string, std::string> options_;
};

class Csv : public Format {
 public:
  Csv() : Format("csv") {}
  Csv& fieldDelimiter(char delimiter) { return set("field-delimiter", std::string(1, delimiter)); }
  Csv& quoteCharacter(char quote) { return set("quote-character", std::string(1, quote)); }
  Csv& escapeCharacter(char escape) { return set("escape-character", std::string(1, escape)); }
  Csv& arrayElementDelimiter(std::string delimiter) { return set("array-element-delimiter", std::move(delimiter)); }
  Csv& nullLiteral(std::string literal) { return set("null-literal", std::move(literal)); }
  Csv& allowComments() { return set("allow-comments", "true"); }
  Csv& ignoreParseErrors(bool ignore = true) { return set("ignore-parse-errors", ignore ? "true" : "false"); }
  Csv& deriveSchema() { return *this; }

 private:
  Csv& set(const char* key, std::string value) {
    options_[key] = std::move(value);
    return *this;
  }
};

class Json : public Format {
 public:
  Json() : Format("json") {}
  Json& failOnMissingField(bool fail) { return set("fail-on-missing-field", fail ? "true" : "false"); }
  Json& ignoreParseErrors(bool ignore = true) { return set("ignore-parse-errors", ignore ? "true" : "false"); }
  Json& deriveSchema() { return *this; }

 private:
  Json& set(const char* key, std::string value) {
    options_[key] = std::move(value);
    return *this;
  }
};

/// A table by the class of its connector; Derived is that class.
class Table {
 public:
  api::TableDescriptor toDescriptor() const;
  void setFormat(const Format& format) { format_ = format; }
  void setSchema(const Schema& schema) { schema_ = schema; }

 protected:
  explicit Table(std::string connector) { options_["connector"] = std::move(connector); }
  std::map<std::string, std::string> options_;
  std::optional<Format> format_;
  std::optional<Schema> schema_;
  std::vector<std::string> partition_keys_;
};

template <typename Derived>
class ConnectorOf : public Table {
 public:
  Derived& format(const Format& format) { format_ = format; return self(); }
  Derived& schema(const Schema& schema) { schema_ = schema; return self(); }
  template <typename... Keys>
  Derived& partitionedBy(Keys... keys) {
    partition_keys_ = {std::string(keys)...};
    return self();
  }

 protected:
  using Table::Table;
  Derived& set(std::string key, std::string value) {
    options_[std::move(key)] = std::move(value);
    return self();
  }
  Derived& self() { return static_cast<Derived&>(*this); }
};

class FileSystem : public ConnectorOf<FileSystem> {
 public:
  FileSystem() : ConnectorOf("filesystem") {}
  FileSystem& path(std::string path) { return set("path", std::move(path)); }
};

class Kafka : public ConnectorOf<Kafka> {
 public:
  Kafka() : ConnectorOf("kafka") {}
  /// Kafka's protocol needs no version any more.
  Kafka& version(const std::string&) { return *this; }
  Kafka& topic(std::string topic) { return set("topic", std::move(topic)); }
  Kafka& property(const std::string& key, std::string value) { return set("properties." + key, std::move(value)); }
  Kafka& startFromEarliest() { return set("scan.startup.mode", "earliest-offset"); }
  Kafka& startFromLatest() { return set("scan.startup.mode", "latest-offset"); }
  Kafka& startFromGroupOffsets() { return set("scan.startup.mode", "group-offsets"); }
  Kafka& sinkPartitionerFixed() { return set("sink.partitioner", "fixed"); }
  Kafka& sinkPartitionerRoundRobin() { return set("sink.partitioner", "round-robin"); }
};

/// Any connector by name and options.
class Connector : public ConnectorOf<Connector> {
 public:
  explicit Connector(std::string name) : ConnectorOf(std::move(name)) {}
  Connector& option(std::string key, std::string value) { return set(std::move(key), std::move(value)); }
};

/// connect(): a table half declared.
class ConnectTableDescriptor {
 public:
  ConnectTableDescriptor(api::TableEnvironment environment, Table connector);
  ConnectTableDescriptor& withFormat(const Format& format);
  ConnectTableDescriptor& withSchema(const Schema& schema);
  // What these said follows from the query today.
  ConnectTableDescriptor& inAppendMode() { return *this; }
  ConnectTableDescriptor& inRetractMode() { return *this; }
  ConnectTableDescriptor& inUpsertMode() { return *this; }
  void createTemporaryTable(std::string_view path) const;

 private:
  api::TableEnvironment environment_;
  Table connector_;
};

}  // namespace thalweg::descriptors
