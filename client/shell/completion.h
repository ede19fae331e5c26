// Words that may come next in a statement: keywords, tables and views, columns, functions, databases and catalogs, and
// setting keys behind SET and RESET.
//
// Columns are those of the tables named so far, or of all tables of the database while none is: people write the columns
// first. A name may be qualified by a table, its alias, a database or a catalog, and quoted with back-ticks.
#pragma once

#include <string>
#include <vector>

#include "common/plan/statements/sql_session.h"

namespace thalweg::shell {

struct Completion {
  size_t typed = 0;                  ///< how many of the last bytes the words stand for
  std::vector<std::string> words;    ///< sorted
  std::string suffix;                ///< what follows if there is one word only
};

/// `before` is the statement up to the cursor, all of its lines; `after` the rest of the cursor's line.
Completion completions(const SqlSession& session, const std::string& before, const std::string& after = {});

}  // namespace thalweg::shell
