// Cuts scripts into statements, and tells an interactive shell whether to read on.
//
// A statement ends at `;` outside of quotes and comments; `EXECUTE STATEMENT SET BEGIN .. END` and
// `BEGIN STATEMENT SET; .. END` are one statement with the semicolons within. Threads: no state.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/status.h"

namespace thalweg::sql {

struct ScriptStatement {
  std::string text;         ///< without the `;`, without blanks and comments around it
  SourcePosition position;  ///< of its first and last character within the script
};

/// The statements of a script; text behind the last `;` is one, too. Text that does not even split into
/// tokens (a quote without end) ends in a statement that reaches to the end: parsing it says what is wrong.
std::vector<ScriptStatement> splitScript(std::string_view text);

/// Whether the text ends with a whole statement and its `;`, or has nothing but blanks and comments in it.
bool isStatementComplete(std::string_view text);

}  // namespace thalweg::sql
