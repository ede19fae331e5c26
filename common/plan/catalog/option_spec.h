// OptionSpec: one option of a connector or a format, and the check of a table's WITH options against such lists.
//
// Keys may hold one `#`, which stands for a column's name: `fields.#.kind`.
// Errors: PLAN_ERROR naming the option, the expected form and the nearest key. Threads: immutable values.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/status.h"
#include "common/plan/operator_spec.h"

namespace thalweg {

enum class OptionType : uint8_t {
  STRING,
  BOOLEAN,
  INTEGER,
  DOUBLE,
  DURATION,
  MEMORY_SIZE,
  ENUM,       ///< one of `values`, in any case
  CHARACTER,  ///< exactly one character, escapes like \t included
};

struct OptionSpec {
  std::string_view key;
  OptionType type = OptionType::STRING;
  bool required = false;
  std::string_view default_value = {};  ///< empty: none
  std::string_view description = {};
  std::string_view values = {};         ///< ENUM: `SQL|ISO-8601`
  std::string_view not_built = {};      ///< the feature that any value but the default asks for and that is missing
};

/// Whether `key` is `pattern`, `#` standing for any text without a dot at its place.
bool matchesOptionKey(std::string_view pattern, std::string_view key);
/// The text that `#` stands for.
std::string_view optionKeyColumn(std::string_view pattern, std::string_view key);

/// The option that describes `key`, or null.
const OptionSpec* findOption(std::span<const OptionSpec> options, std::string_view key);
/// Whether `value` has the option's form.
Status checkOptionValue(const OptionSpec& option, std::string_view key, std::string_view value);

/// What was set, or the option's default, or "".
std::string optionValue(const OptionMap& options, std::string_view key, std::string_view default_value = {});

}  // namespace thalweg
