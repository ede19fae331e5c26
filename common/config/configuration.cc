#include "common/config/configuration.h"

#include <algorithm>

#include "common/config/config_option.h"
#include "common/config/config_value.h"

namespace thalweg {

namespace {

ConfigOption supportedOption(std::string_view key, ConfigType type) {
  Result<ConfigOption> option = findConfigOption(key);
  CHECK_MSG(option.isOk() && option->support == ConfigSupport::SUPPORTED && option->type == type, std::string(key));
  return *option;
}

/// The set value or the default, as text that is known to be of the option's type.
std::string effectiveValue(const Configuration::Entries& entries, const ConfigOption& option) {
  const auto entry = entries.find(option.key);
  return entry != entries.end() ? entry->second : std::string(option.default_value);
}

}  // namespace

Status Configuration::set(std::string_view key, std::string_view value) {
  ASSIGN_OR_RETURN(const ConfigOption option, findConfigOption(key));
  RETURN_IF_ERROR(checkConfigValue(option, value));
  // A key with placeholders is kept as the user wrote it.
  const bool placeholder = option.key.find_first_of("<#") != std::string_view::npos;
  entries_.insert_or_assign(std::string(placeholder ? key : option.key), std::string(value));
  return Status::ok();
}

Status Configuration::setPair(std::string_view pair) {
  const size_t equals = pair.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return Status::invalid("expected 'key=value', found '" + std::string(pair) + "'");
  }
  return set(pair.substr(0, equals), pair.substr(equals + 1));
}

Status Configuration::reset(std::string_view key) {
  ASSIGN_OR_RETURN(const ConfigOption option, findConfigOption(key));
  if (const auto entry = entries_.find(option.key); entry != entries_.end()) entries_.erase(entry);
  if (const auto entry = entries_.find(key); entry != entries_.end()) entries_.erase(entry);
  return Status::ok();
}

std::optional<std::string> Configuration::find(std::string_view key) const {
  auto entry = entries_.find(key);
  if (entry == entries_.end()) {
    const Result<ConfigOption> option = findConfigOption(key);
    if (option.isOk()) entry = entries_.find(option->key);
  }
  return entry == entries_.end() ? std::nullopt : std::optional(entry->second);
}

std::string Configuration::getString(std::string_view key) const {
  return effectiveValue(entries_, supportedOption(key, ConfigType::STRING));
}

bool Configuration::getBool(std::string_view key) const {
  return parseConfigBool(effectiveValue(entries_, supportedOption(key, ConfigType::BOOLEAN))).value();
}

int64_t Configuration::getInt(std::string_view key) const {
  return parseConfigInt(effectiveValue(entries_, supportedOption(key, ConfigType::INTEGER))).value();
}

double Configuration::getDouble(std::string_view key) const {
  return parseConfigDouble(effectiveValue(entries_, supportedOption(key, ConfigType::DOUBLE))).value();
}

std::chrono::nanoseconds Configuration::getDuration(std::string_view key) const {
  return parseConfigDuration(effectiveValue(entries_, supportedOption(key, ConfigType::DURATION))).value();
}

int64_t Configuration::getDurationMillis(std::string_view key) const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(getDuration(key)).count();
}

int64_t Configuration::getMemorySizeBytes(std::string_view key) const {
  return parseConfigMemorySize(effectiveValue(entries_, supportedOption(key, ConfigType::MEMORY_SIZE))).value();
}

std::string Configuration::getEnum(std::string_view key) const {
  std::string value = effectiveValue(entries_, supportedOption(key, ConfigType::ENUM));
  for (char& c : value) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return value;
}

}  // namespace thalweg
