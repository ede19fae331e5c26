// The keys a configuration may hold: ours and all of Flink's.
//
// Every key is one of three kinds. What a user may rely on is SUPPORTED and has a row with type, default and
// description; a key of Flink's that cannot change an answer is ACCEPTED_IGNORED, with the reason; one that
// would change answers, but is not built, is REFUSED, so that nobody gets a wrong answer for a setting.
// Old names of keys lead to the new ones. The tables are in config_options.cc and flink_keys.cc.
// Threads: immutable tables, any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/base/status.h"

namespace thalweg {

enum class ConfigType { STRING, BOOLEAN, INTEGER, DOUBLE, DURATION, MEMORY_SIZE, ENUM };

enum class ConfigSupport {
  SUPPORTED,         ///< does what its description says
  ACCEPTED_IGNORED,  ///< may be set, changes nothing; the description says why
  REFUSED,           ///< may only be set to its default: another value would change answers and is not built
};

struct ConfigOption {
  std::string_view key;
  ConfigType type = ConfigType::STRING;
  std::string_view default_value = {};  ///< empty: none
  std::string_view description = {};    ///< one sentence for users; if ignored, the reason
  ConfigSupport support = ConfigSupport::SUPPORTED;
  std::string_view enum_values = {};  ///< ENUM: `STREAMING|BATCH`, compared without regard to case
  int64_t min_value = std::numeric_limits<int64_t>::min();  ///< INTEGER: the smallest allowed
  int64_t max_value = std::numeric_limits<int64_t>::max();  ///< INTEGER: the largest allowed
};

/// Every SUPPORTED and REFUSED option, sorted by key; what the reference page lists.
std::span<const ConfigOption> configOptions();

/// The option of a key, by its present or an older name. NOT_FOUND suggests the nearest key. Keys of Flink's that
/// are accepted without effect have no default and are of type STRING.
Result<ConfigOption> findConfigOption(std::string_view key);

/// Whether `value` is one `option` may take; the error says what was expected.
Status checkConfigValue(const ConfigOption& option, std::string_view value);

/// For a key that is accepted without effect: a sentence that names it and says why. Otherwise nothing.
std::optional<std::string> ignoredKeyWarning(std::string_view key);

}  // namespace thalweg
