#include "common/plan/catalog/legacy_options.h"

#include <string_view>

#include "common/sql/unparser.h"

namespace thalweg {
namespace {

struct Rename {
  std::string_view from;
  std::string_view to;      ///< empty: left out
};

constexpr Rename kConnectorKeys[] = {
    {"path", "path"},
    {"topic", "topic"},
    {"startup-mode", "scan.startup.mode"},
    {"specific-offsets", "scan.startup.specific-offsets"},
    {"startup-timestamp-millis", "scan.startup.timestamp-millis"},
    {"sink-partitioner", "sink.partitioner"},
    {"url", "url"},
    {"table", "table-name"},
    {"driver", "driver"},
    {"username", "username"},
    {"password", "password"},
    {"hosts", "hosts"},
    {"index", "index"},
    {"version", ""},
    {"property-version", ""},
    {"document-type", ""},
};

constexpr std::string_view kFormatKeysLeftOut[] = {"derive-schema", "property-version", "schema", "json-schema"};

/// Connectors had their system's version in their name.
std::string connectorName(const std::string& name) {
  for (const std::string_view system : {"kafka", "elasticsearch"}) {
    if (name.starts_with(std::string(system) + "-0.") || name == std::string(system) + "-universal") return std::string(system);
  }
  return name;
}

std::string startupMode(const std::string& mode) { return mode == "earliest" || mode == "latest" ? mode + "-offset" : mode; }

bool isLeftOut(std::string_view format_key) {
  for (const std::string_view key : kFormatKeysLeftOut) {
    if (key == format_key) return true;
  }
  return false;
}

void addConnectorOption(const std::string& key, const std::string& value, OptionMap& out) {
  if (key == "type") {
    out["connector"] = connectorName(value);
    return;
  }
  for (const Rename& rename : kConnectorKeys) {
    if (rename.from != key) continue;
    if (!rename.to.empty()) out[std::string(rename.to)] = value;
    return;
  }
  out[key] = value;      // properties.*, and what only the connector knows
}

bool startsWith(const std::string& key, std::string_view prefix) { return key.starts_with(prefix); }

}  // namespace

OptionMap modernOptions(const OptionMap& options) {
  OptionMap out;
  const auto format = options.find("format.type");
  const std::string format_name = format == options.end() ? "" : format->second;
  const bool old = options.contains("connector.type") || options.contains("format.type");
  for (const auto& [key, value] : options) {
    if (old && startsWith(key, "connector.")) {
      addConnectorOption(key.substr(10), value, out);
    } else if (key == "format.type") {
      out["format"] = value;
    } else if (startsWith(key, "format.") && !format_name.empty()) {
      if (!isLeftOut(key.substr(7))) out[format_name + "." + key.substr(7)] = value;
    } else if (key == "connector") {
      out[key] = connectorName(value);
    } else if (!(key == "update-mode" && old)) {
      out[key] = value;
    }
  }
  const auto connector = out.find("connector");
  if (const auto mode = out.find("scan.startup.mode"); mode != out.end() && connector != out.end() && connector->second == "kafka") {
    mode->second = startupMode(mode->second);
  }
  return out;
}

std::string modernOptionsAdvice(const OptionMap& options) {
  const OptionMap modern = modernOptions(options);
  if (modern == options) return {};
  std::string text = "these table options are deprecated; today they are written WITH (";
  bool first = true;
  for (const auto& [key, value] : modern) {
    text += (first ? "" : ", ") + sql::quoteString(key) + " = " + sql::quoteString(value);
    first = false;
  }
  return text + ")";
}

}  // namespace thalweg
