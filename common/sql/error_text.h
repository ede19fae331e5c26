// Draws failures in SQL text for people. Threads: no state.
#pragma once

#include <string>
#include <string_view>

#include "common/base/status.h"

namespace thalweg::sql {

/// The failure with its line and column, the line's text and carets under the spot:
///   PARSE_ERROR at line 1, column 8: expected an expression but found the keyword FROM
///     SELECT FROM t
///            ^^^^
/// Without position, or with one outside of `text`, the first line only. Long lines are cut around the spot.
std::string renderError(std::string_view text, const Status& status);

}  // namespace thalweg::sql
