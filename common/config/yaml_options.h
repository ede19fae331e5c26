// Options as YAML: a line `key: value` for each, the value bare or in quotes.
//
// Errors: PLAN_ERROR naming file and line. Threads: pure functions.
#pragma once

#include <map>
#include <string>

#include "common/base/status.h"

namespace thalweg {

/// `file` is for messages.
Result<std::map<std::string, std::string>> parseYamlOptions(const std::string& file, const std::string& text);
/// A value in double quotes.
std::string quotedYaml(const std::string& value);

}  // namespace thalweg
