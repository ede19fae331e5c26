// `thalweg sql`: scripts, single statements, or the interactive shell, against the embedded engine.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/embedded/job_handle.h"

namespace thalweg::shell {

struct SqlOptions {
  std::optional<std::string> script;        ///< -f
  std::vector<std::string> statements;      ///< -e
  std::optional<std::string> init_script;   ///< -i
  std::vector<std::string> settings;        ///< -D key=value
  std::shared_ptr<client::JobLauncher> launcher;   ///< where jobs run; null: in this process
};

/// The program's exit code: 0 all well, 1 a statement or job failed or the results could not be written, 2 wrong use,
/// 130 ended by Ctrl-C.
int runSqlCommand(const SqlOptions& options);

}  // namespace thalweg::shell
