#include "common/formats/format_options.h"

#include <algorithm>
#include <cctype>

#include "common/plan/catalog/connector_descriptor.h"

namespace thalweg::format {
namespace {

std::string mapped(std::string text, int (*change)(int)) {
  std::transform(text.begin(), text.end(), text.begin(), [change](char c) { return static_cast<char>(change(static_cast<unsigned char>(c))); });
  return text;
}

}  // namespace

std::string FormatOptions::get(std::string_view key) const {
  const auto found = options_.find(fullKey(key));
  if (found != options_.end()) return found->second;
  const FormatDescriptor* descriptor = findFormat(format_);
  const OptionSpec* option = descriptor == nullptr ? nullptr : findOption(descriptor->options, key);
  return option == nullptr ? std::string() : std::string(option->default_value);
}

std::string FormatOptions::getEnum(std::string_view key) const { return mapped(get(key), std::toupper); }

bool FormatOptions::flag(std::string_view key) const { return mapped(get(key), std::tolower) == "true"; }

std::string FormatOptions::character(std::string_view key) const {
  std::string text = get(key);
  if (text.size() != 2 || text[0] != '\\') return text;
  switch (text[1]) {
    case 't': return "\t";
    case 'n': return "\n";
    case 'r': return "\r";
    case 'b': return "\b";
    case 'f': return "\f";
    case '0': return std::string(1, '\0');
    default: return text.substr(1);
  }
}

Status checkCsvOptions(const FormatOptions& options) {
  if (options.has("quote-character") && options.flag("disable-quote-character")) {
    return Status::plan("'csv.quote-character' cannot be set while 'csv.disable-quote-character' is true");
  }
  return {};
}

}  // namespace thalweg::format
