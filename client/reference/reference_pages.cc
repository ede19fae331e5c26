#include "client/reference/reference_pages.h"

#include <algorithm>
#include <map>
#include <vector>

#include "common/config/config_option.h"
#include "common/functions/function_registry.h"

namespace thalweg::reference {
namespace {

struct Entry {
  std::string signature;
  std::string description;
  std::string example;
  auto operator<=>(const Entry&) const = default;
};

/// In a table's cell a bar must be escaped, inside code too.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string code(std::string_view text) { return text.empty() ? "" : "`" + cell(text) + "`"; }

std::string_view typeName(const ConfigOption& option) {
  switch (option.type) {
    case ConfigType::STRING: return "text";
    case ConfigType::BOOLEAN: return "true, false";
    case ConfigType::INTEGER: return "whole number";
    case ConfigType::DOUBLE: return "number";
    case ConfigType::DURATION: return "duration";
    case ConfigType::MEMORY_SIZE: return "memory size";
    case ConfigType::ENUM: break;
  }
  return option.enum_values;
}

std::string typeText(const ConfigOption& option) {
  std::string text(typeName(option));
  for (size_t at = 0; option.type == ConfigType::ENUM && (at = text.find('|', at)) != std::string::npos; at += 2) text.replace(at, 1, ", ");
  return text;
}

/// The rows of `support`, one table for all.
std::string keyTable(ConfigSupport support) {
  std::string page = "| key | values | default | meaning |\n|---|---|---|---|\n";
  for (const ConfigOption& option : configOptions()) {
    if (option.support != support) continue;
    page += "| " + code(option.key) + " | " + typeText(option) + " | " + code(option.default_value) + " | " + cell(option.description) + " |\n";
  }
  return page;
}

}  // namespace

std::string functionsPage() {
  std::map<std::string, std::vector<Entry>> categories;
  const auto add = [&](const auto& function) { categories[function.category].push_back({function.signature, function.description, function.example}); };
  for (const ScalarFunction* function : FunctionRegistry::instance().scalars()) {
    if (function->listed) add(*function);
  }
  for (const AggregateFunction* function : FunctionRegistry::instance().aggregates()) add(*function);

  std::string page =
      "# Functions\n\nEvery built-in function, by category. Made by `thalweg reference functions`; `SHOW FUNCTIONS` lists the names,\n"
      "`DESCRIBE FUNCTION EXTENDED name` tells of one.\n";
  for (auto& [category, entries] : categories) {
    std::sort(entries.begin(), entries.end());
    page += "\n## " + category + "\n\n| function | meaning | example |\n|---|---|---|\n";
    for (const Entry& entry : entries) page += "| " + code(entry.signature) + " | " + cell(entry.description) + " | " + code(entry.example) + " |\n";
  }
  return page;
}

std::string configurationPage() {
  return "# Configuration keys\n\nMade by `thalweg reference configuration`. Keys are set by `SET 'key' = 'value'`, `-D key=value` or the daemons'\n"
         "configuration file. Every other key of Flink's is accepted with a warning that says why it changes nothing; a key that\n"
         "is nobody's is an error that names the nearest.\n\n" +
         keyTable(ConfigSupport::SUPPORTED) +
         "\n## Keys that must keep their default\n\nAnother value would change answers, and is not built: it is refused.\n\n" +
         keyTable(ConfigSupport::REFUSED);
}

}  // namespace thalweg::reference
