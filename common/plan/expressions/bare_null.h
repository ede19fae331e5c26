// A bare NULL (without a type) as an argument: where SQL as Flink has it takes one, and where it wants a CAST.
#pragma once

#include <cstddef>
#include <string_view>

#include "common/base/status.h"

namespace thalweg {

/// Whether argument `index` (from 0) of a function or operator may be a bare NULL. Comparisons, CASE, IN, BETWEEN and CAST
/// type theirs and never ask.
bool takesBareNull(std::string_view function, size_t index);
/// "NULL has no type here …", at the NULL.
Status bareNullError(SourcePosition position);

}  // namespace thalweg
