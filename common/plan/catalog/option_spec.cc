#include "common/plan/catalog/option_spec.h"

#include <algorithm>
#include <cctype>

#include "common/config/config_value.h"

namespace thalweg {
namespace {

bool equalIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
    return std::toupper(static_cast<unsigned char>(x)) == std::toupper(static_cast<unsigned char>(y));
  });
}

bool isOneOf(std::string_view values, std::string_view value) {
  while (!values.empty()) {
    size_t bar = values.find('|');
    if (equalIgnoringCase(values.substr(0, bar), value)) return true;
    if (bar == std::string_view::npos) break;
    values.remove_prefix(bar + 1);
  }
  return false;
}

/// One code point, or an escape such as `\t`.
bool isCharacter(std::string_view text) {
  if (text.size() == 2 && text[0] == '\\') return true;
  if (text.empty()) return false;
  size_t points = 0;
  for (char c : text) points += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return points == 1;
}

Status formError(std::string_view key, std::string_view expected, std::string_view value) {
  return Status::plan("option '" + std::string(key) + "' must be " + std::string(expected) + ", but is '" +
                      std::string(value) + "'");
}

}  // namespace

bool matchesOptionKey(std::string_view pattern, std::string_view key) {
  size_t hash = pattern.find('#');
  if (hash == std::string_view::npos) return pattern == key;
  std::string_view head = pattern.substr(0, hash);
  std::string_view tail = pattern.substr(hash + 1);
  return key.size() > head.size() + tail.size() && key.starts_with(head) && key.ends_with(tail);
}

std::string_view optionKeyColumn(std::string_view pattern, std::string_view key) {
  size_t hash = pattern.find('#');
  if (hash == std::string_view::npos) return {};
  return key.substr(hash, key.size() - (pattern.size() - 1));
}

const OptionSpec* findOption(std::span<const OptionSpec> options, std::string_view key) {
  for (const OptionSpec& option : options) {
    if (matchesOptionKey(option.key, key)) return &option;
  }
  return nullptr;
}

Status checkOptionValue(const OptionSpec& option, std::string_view key, std::string_view value) {
  switch (option.type) {
    case OptionType::STRING: break;
    case OptionType::BOOLEAN:
      if (!parseConfigBool(value).isOk()) return formError(key, "true or false", value);
      break;
    case OptionType::INTEGER:
      if (!parseConfigInt(value).isOk()) return formError(key, "a whole number", value);
      break;
    case OptionType::DOUBLE:
      if (!parseConfigDouble(value).isOk()) return formError(key, "a number", value);
      break;
    case OptionType::DURATION:
      if (!parseConfigDuration(value).isOk()) return formError(key, "a duration such as '10 s'", value);
      break;
    case OptionType::MEMORY_SIZE:
      if (!parseConfigMemorySize(value).isOk()) return formError(key, "a size such as '128 mb'", value);
      break;
    case OptionType::ENUM:
      if (!isOneOf(option.values, value)) return formError(key, "one of " + std::string(option.values), value);
      break;
    case OptionType::CHARACTER:
      if (!isCharacter(value)) return formError(key, "a single character", value);
      break;
  }
  if (!option.not_built.empty() && value != option.default_value) {
    return Status::notSupported(std::string(option.not_built) + " (option '" + std::string(key) + "') is not built yet");
  }
  return Status::ok();
}

std::string optionValue(const OptionMap& options, std::string_view key, std::string_view default_value) {
  auto found = options.find(std::string(key));
  return found == options.end() ? std::string(default_value) : found->second;
}

}  // namespace thalweg
