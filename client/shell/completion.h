// Words that may come next in a statement: keywords, tables and views, columns of the tables named so far, functions,
// and setting keys behind SET and RESET.
#pragma once

#include <string>
#include <vector>

#include "common/plan/statements/sql_session.h"

namespace thalweg::shell {

std::vector<std::string> completions(const SqlSession& session, const std::string& line, const std::string& prefix);

}  // namespace thalweg::shell
