// formatJava: Java's String.format for PRINTF, with the conversions b c d o x e f g a s % n, in the US locale.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/types/data_type.h"
#include "common/types/time_zone.h"
#include "common/types/value.h"

namespace thalweg {

/// None where Java would throw: a conversion that does not fit its argument, a missing one, contradicting flags.
/// Like Flink's own values, DECIMAL, times and nested types only fit %s and %b.
std::optional<std::string> formatJava(std::string_view format, std::span<const Value> values,
                                      std::span<const DataType> types, const TimeZone& session_zone);

}  // namespace thalweg
