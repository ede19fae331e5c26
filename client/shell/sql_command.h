// `thalweg sql`: scripts, single statements, or the interactive shell, against the embedded engine.
#pragma once

#include <string>
#include <vector>

namespace thalweg::shell {

struct SqlOptions {
  std::string script;                     ///< -f
  std::vector<std::string> statements;    ///< -e
  std::string init_script;                ///< -i
  std::vector<std::string> settings;      ///< -D key=value
};

/// The program's exit code: 0 all well, 1 a statement failed, 2 wrong use.
int runSqlCommand(const SqlOptions& options);

}  // namespace thalweg::shell
