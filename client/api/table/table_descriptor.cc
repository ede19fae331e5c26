#include "client/api/thalweg/table_descriptor.h"

#include "client/api/thalweg/exception.h"
#include "common/sql/unparser.h"

namespace thalweg::api {

FormatDescriptor::Builder FormatDescriptor::forFormat(std::string format) {
  Builder builder;
  builder.format_.format_ = std::move(format);
  return builder;
}

TableDescriptor::Builder TableDescriptor::forConnector(std::string connector) {
  Builder builder;
  builder.option("connector", std::move(connector));
  return builder;
}

TableDescriptor::Builder& TableDescriptor::Builder::schema(Schema schema) {
  descriptor_.schema_ = std::move(schema);
  return *this;
}

TableDescriptor::Builder& TableDescriptor::Builder::option(std::string key, std::string value) {
  descriptor_.options_[std::move(key)] = std::move(value);
  return *this;
}

TableDescriptor::Builder& TableDescriptor::Builder::format(std::string format) { return option("format", std::move(format)); }

TableDescriptor::Builder& TableDescriptor::Builder::format(const FormatDescriptor& format) {
  return this->format("format", format);
}

TableDescriptor::Builder& TableDescriptor::Builder::format(const std::string& option_key, const FormatDescriptor& format) {
  // `key.format` puts `key.` before the options' names as well.
  const std::string prefix = option_key == "format" ? "" : option_key.substr(0, option_key.size() - std::string("format").size());
  option(option_key, format.getFormat());
  for (const auto& [key, value] : format.getOptions()) option(prefix + format.getFormat() + "." + key, value);
  return *this;
}

TableDescriptor::Builder& TableDescriptor::Builder::comment(std::string comment) {
  descriptor_.comment_ = std::move(comment);
  return *this;
}

TableDescriptor::Builder& TableDescriptor::Builder::distributed(const std::string& kind, const std::vector<std::string>& columns,
                                                                int buckets) {
  if (columns.empty() && buckets < 1) throw ValidationException("a distribution needs columns or a number of buckets of 1 or more");
  std::string text = "DISTRIBUTED";
  if (!columns.empty()) {
    text += " BY " + kind + "(";
    for (size_t i = 0; i < columns.size(); ++i) text += (i ? ", " : "") + sql::quoteIdentifier(columns[i]);
    text += ")";
  }
  if (buckets > 0) text += " INTO " + std::to_string(buckets) + " BUCKETS";
  descriptor_.distribution_ = text;
  return *this;
}
TableDescriptor::Builder& TableDescriptor::Builder::distributedByHash(const std::vector<std::string>& columns, int buckets) {
  return distributed("HASH", columns, buckets);
}
TableDescriptor::Builder& TableDescriptor::Builder::distributedByRange(const std::vector<std::string>& columns, int buckets) {
  return distributed("RANGE", columns, buckets);
}
TableDescriptor::Builder& TableDescriptor::Builder::distributedInto(int buckets) { return distributed("", {}, buckets); }

}  // namespace thalweg::api
