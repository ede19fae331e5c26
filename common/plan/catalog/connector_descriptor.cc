#include "common/plan/catalog/connector_descriptor.h"

#include "common/base/edit_distance.h"

namespace thalweg {
namespace {

/// Options that every connector takes.
constexpr OptionSpec kCommonOptions[] = {
    {"connector", OptionType::STRING, true, "", "The connector's name."},
    {"property-version", OptionType::INTEGER, false, "1", "Version of the option layout; always 1."},
    {"scan.parallelism", OptionType::INTEGER, false, "", "Parallelism of the source."},
    {"sink.parallelism", OptionType::INTEGER, false, "", "Parallelism of the sink."},
    {"scan.watermark.idle-timeout", OptionType::DURATION, false, "", "A source without rows for so long holds nobody up."},
    {"scan.watermark.emit.strategy", OptionType::ENUM, false, "on-periodic", "When watermarks are sent.",
     "on-event|on-periodic"},
    {"scan.watermark.emit.on-event.gap", OptionType::INTEGER, false, "1", "Rows between watermarks of on-event."},
    {"scan.watermark.alignment.group", OptionType::STRING, false, "", "Sources that wait for each other.", "",
     "watermark alignment"},
    {"scan.watermark.alignment.max-drift", OptionType::DURATION, false, "", "How far sources may drift apart.", "",
     "watermark alignment"},
    {"scan.watermark.alignment.update-interval", OptionType::DURATION, false, "1 s", "How often they look.", "",
     "watermark alignment"},
};

template <typename Descriptor>
const Descriptor* findByName(std::span<const Descriptor> list, std::string_view name) {
  for (const Descriptor& d : list) {
    if (d.name == name) return &d;
  }
  return nullptr;
}

template <typename Descriptor>
std::string nameSuggestion(std::span<const Descriptor> list, std::string_view wanted) {
  std::vector<std::string> names;
  std::string all;
  for (const Descriptor& d : list) {
    if (!d.built) continue;
    names.emplace_back(d.name);
    all += (all.empty() ? "" : ", ") + std::string(d.name);
  }
  std::string near = didYouMean(wanted, std::span<const std::string>(names));
  return near.empty() ? "; available are " + all : near;
}

Status checkRequired(std::span<const OptionSpec> specs, std::string_view prefix, const OptionMap& options) {
  for (const OptionSpec& spec : specs) {
    if (!spec.required) continue;
    std::string key = std::string(prefix) + std::string(spec.key);
    if (!options.contains(key)) return Status::plan("option '" + key + "' is required, but missing");
  }
  return Status::ok();
}

Result<const FormatDescriptor*> formatOf(const OptionMap& options, TableUse use) {
  auto given = options.find("format");
  if (given == options.end()) return Status::plan("option 'format' is required, but missing");
  const FormatDescriptor* format = findFormat(given->second);
  if (format == nullptr) {
    return Status::plan("unknown format '" + given->second + "'" + nameSuggestion(formats(), given->second));
  }
  if (!format->built) return Status::notSupported("format '" + given->second + "' is not built yet");
  if (use == TableUse::SOURCE && !format->readable) {
    return Status::plan("format '" + given->second + "' can only be written, not read");
  }
  if (use == TableUse::SINK && !format->writable) {
    return Status::plan("format '" + given->second + "' can only be read, not written");
  }
  return format;
}

struct KnownKeys {
  std::vector<std::string> keys;
  void add(std::span<const OptionSpec> specs, const std::string& prefix) {
    for (const OptionSpec& spec : specs) keys.push_back(prefix + std::string(spec.key));
  }
};

Status checkPatternColumn(const OptionSpec& spec, const std::string& key, const Schema& physical) {
  std::string_view column = optionKeyColumn(spec.key, key);
  if (column.empty()) return Status::ok();
  // Deeper names (fields.row.field.kind) are the connector's to judge by their first part.
  std::string first(column.substr(0, column.find('.')));
  if (physical.indexOf(first) >= 0 || physical.indexOf(column) >= 0) return Status::ok();
  std::vector<std::string> names;
  for (const Column& c : physical.columns()) names.push_back(c.name);
  return Status::plan("option '" + key + "' names the column '" + std::string(column) + "', which the table does not have" +
                      didYouMean(column, std::span<const std::string>(names)));
}

Status checkOptions(const TableConnector& found, const OptionMap& options, const Schema& physical) {
  KnownKeys known;
  known.add(kCommonOptions, "");
  known.add(found.connector->options, "");
  std::string prefix;
  if (found.format) {
    known.keys.push_back("format");
    prefix = std::string(found.format->name) + ".";
    known.add(found.format->options, prefix);
  }
  for (const auto& [key, value] : options) {
    const OptionSpec* spec = findOption(found.connector->options, key);
    if (!spec) spec = findOption(kCommonOptions, key);
    if (!spec && found.format && key == "format") continue;
    if (!spec && found.format && key.starts_with(prefix)) {
      spec = findOption(found.format->options, std::string_view(key).substr(prefix.size()));
      // As in Flink, what a format does not know is its own affair; but who writes nearly the name of an option means that.
      if (!spec && didYouMean(key, std::span<const std::string>(known.keys)).empty()) continue;
    }
    if (!spec) {
      return Status::plan("unknown option '" + key + "' for connector '" + std::string(found.connector->name) + "'" +
                          didYouMean(key, std::span<const std::string>(known.keys)));
    }
    RETURN_IF_ERROR(checkOptionValue(*spec, key, value));
    if (spec->key.find('#') != std::string_view::npos) RETURN_IF_ERROR(checkPatternColumn(*spec, key, physical));
  }
  RETURN_IF_ERROR(checkRequired(found.connector->options, "", options));
  if (found.format) RETURN_IF_ERROR(checkRequired(found.format->options, prefix, options));
  if (found.connector->check) RETURN_IF_ERROR(found.connector->check(options, physical));
  return Status::ok();
}

Result<TableConnector> lookUp(const OptionMap& options, TableUse use) {
  auto given = options.find("connector");
  if (given == options.end()) {
    return Status::plan("the table has no option 'connector', so it can be neither read nor written");
  }
  TableConnector found;
  found.connector = findConnector(given->second);
  if (found.connector == nullptr) {
    return Status::plan("unknown connector '" + given->second + "'" + nameSuggestion(connectors(), given->second));
  }
  if (!found.connector->built) return Status::notSupported("connector '" + given->second + "' is not built yet");
  if (use == TableUse::SOURCE && !found.connector->source) {
    return Status::plan("connector '" + given->second + "' can only be written, not read");
  }
  if (use == TableUse::SINK && !found.connector->sink) {
    return Status::plan("connector '" + given->second + "' can only be read, not written");
  }
  if (found.connector->uses_format) {
    ASSIGN_OR_RETURN(found.format, formatOf(options, use));
  }
  return found;
}

}  // namespace

const ConnectorDescriptor* findConnector(std::string_view name) { return findByName(connectors(), name); }
const FormatDescriptor* findFormat(std::string_view name) { return findByName(formats(), name); }

bool TableConnector::isBounded(const OptionMap& options) const {
  return !connector->bounded || connector->bounded(options);
}

ChangelogMode TableConnector::readMode() const { return format ? format->read_mode : connector->read_mode; }
ChangelogMode TableConnector::writeMode() const { return format ? format->write_mode : connector->write_mode; }

const MetadataColumn* TableConnector::metadata(std::string_view key) const {
  for (const MetadataColumn& column : connector->metadata) {
    if (column.key == key) return &column;
  }
  return nullptr;
}

std::vector<std::string> TableConnector::metadataKeys() const {
  std::vector<std::string> keys;
  for (const MetadataColumn& column : connector->metadata) keys.emplace_back(column.key);
  return keys;
}

Status checkFormat(const FormatDescriptor& format, const OptionMap& options, const Schema& data, TableUse use) {
  if (!format.check) return Status::ok();
  OptionMap own;
  std::string prefix = std::string(format.name) + ".";
  for (const auto& [key, value] : options) {
    if (key.starts_with(prefix)) own[key.substr(prefix.size())] = value;
  }
  return format.check(own, data, use == TableUse::SINK);
}

Result<TableConnector> resolveConnector(const std::string& table, const OptionMap& options, const Schema& physical,
                                        TableUse use) {
  std::string context = "table " + table;
  auto found = lookUp(options, use);
  if (!found.isOk()) return found.status().withContext(context);
  Status checked = checkOptions(*found, options, physical);
  if (!checked.isOk()) return checked.withContext(context);
  return found;
}

}  // namespace thalweg
