// SIMILAR TO: the regular expressions of the SQL standard, as RE2 expressions over the whole text.
#pragma once

#include <optional>
#include <string_view>

#include "common/functions/text/java_regex.h"

namespace thalweg {

/// `%` is any characters, `_` one; | * + ? {n,m} ( ) and [..] with [:ALPHA:] and its kin are operators, all else plain.
Result<JavaRegex> compileSimilarPattern(std::string_view pattern, std::optional<std::string_view> escape);

}  // namespace thalweg
