// TableDescriptor: a table by connector, schema and options, as CREATE TABLE declares it.
//
//   TableDescriptor::forConnector("datagen")
//       .schema(Schema::newBuilder().column("uid", DataTypes::TINYINT()).build())
//       .option("rows-per-second", "10")
//       .build();
//
// A FormatDescriptor's options get the format's name in front. Options are checked when the table is used.
// Threads: values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/api/thalweg/schema.h"

namespace thalweg::api {

class FormatDescriptor {
 public:
  class Builder;
  static Builder forFormat(std::string format);
  const std::string& getFormat() const { return format_; }
  const std::map<std::string, std::string>& getOptions() const { return options_; }

 private:
  std::string format_;
  std::map<std::string, std::string> options_;
};

class FormatDescriptor::Builder {
 public:
  Builder& option(std::string key, std::string value) {
    format_.options_[std::move(key)] = std::move(value);
    return *this;
  }
  FormatDescriptor build() const { return format_; }

 private:
  friend class FormatDescriptor;
  FormatDescriptor format_;
};

class TableDescriptor {
 public:
  class Builder;
  static Builder forConnector(std::string connector);
  const std::optional<Schema>& getSchema() const { return schema_; }
  const std::map<std::string, std::string>& getOptions() const { return options_; }
  const std::vector<std::string>& getPartitionKeys() const { return partition_keys_; }
  const std::string& getComment() const { return comment_; }
  /// `DISTRIBUTED BY HASH(…) INTO n BUCKETS`, or empty.
  const std::string& getDistribution() const { return distribution_; }

 private:
  std::optional<Schema> schema_;
  std::map<std::string, std::string> options_;
  std::vector<std::string> partition_keys_;
  std::string comment_;
  std::string distribution_;
};

class TableDescriptor::Builder {
 public:
  Builder& schema(Schema schema);
  Builder& option(std::string key, std::string value);
  Builder& format(std::string format);
  Builder& format(const FormatDescriptor& format);
  Builder& format(const std::string& option_key, const FormatDescriptor& format);
  template <typename... Keys>
  Builder& partitionedBy(Keys... keys) {
    descriptor_.partition_keys_ = {std::string(keys)...};
    return *this;
  }
  Builder& partitionedByAll(std::vector<std::string> keys) {
    descriptor_.partition_keys_ = std::move(keys);
    return *this;
  }
  Builder& distributedByHash(const std::vector<std::string>& columns, int buckets = 0);
  Builder& distributedByRange(const std::vector<std::string>& columns, int buckets = 0);
  Builder& distributedInto(int buckets);
  Builder& comment(std::string comment);
  TableDescriptor build() const { return descriptor_; }

 private:
  friend class TableDescriptor;
  Builder& distributed(const std::string& kind, const std::vector<std::string>& columns, int buckets);
  TableDescriptor descriptor_;
};

}  // namespace thalweg::api
