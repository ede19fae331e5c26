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
/// Without position, or with one outside of `text`, the first line only. Long lines are cut around the spot, and long
/// messages at their end. What would steer a terminal is shown as a replacement character.
std::string renderError(std::string_view text, const Status& status);

/// The failure of the statement that stands at `statement` in a script, with its position in the script. One without a
/// position says where its statement stands, unless that is the first line.
Status placedInScript(const Status& status, const SourcePosition& statement);

}  // namespace thalweg::sql
