#include "client/shell/sql_command.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "client/library/function_libraries.h"
#include "client/shell/completion.h"
#include "client/shell/input_lines.h"
#include "client/shell/interrupt.h"
#include "client/shell/line_editor.h"
#include "client/shell/line_output.h"
#include "client/shell/statement_runner.h"
#include "common/config/config_option.h"
#include "common/sql/script.h"

namespace thalweg::shell {
namespace {

enum ExitCode { WELL = 0, FAILED = 1, WRONG_USE = 2, INTERRUPTED = 130 };

bool readFile(const std::string& path, std::string& text) {
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(path, error);
  std::ifstream stream(path, std::ios::binary);
  if (is_folder || !stream) {
    std::cerr << "thalweg sql: cannot read '" << path << "': " << (is_folder ? "it is a folder" : std::strerror(errno)) << '\n';
    return false;
  }
  std::ostringstream content;
  content << stream.rdbuf();
  text = content.str();
  return true;
}

/// The statements of a file; what went wrong has been shown.
ExitCode runFile(const std::string& path, StatementRunner& runner) {
  std::string text;
  if (!readFile(path, text)) return WRONG_USE;
  return runner.runScript(text, path) ? WELL : FAILED;
}

ExitCode interactive(client::SqlEngine& engine, StatementRunner& runner) {
  std::cout << "Thalweg SQL. Statements end with ';'; HELP; for help, QUIT; to leave.\n";
  LineEditor editor([&engine](const std::string& before, const std::string& after) { return completions(engine.session(), before, after); });
  std::string statement;
  while (!runner.wantsQuit()) {
    runner.reportEnded();
    const LineEditor::Outcome outcome = editor.read(statement);
    if (outcome == LineEditor::Outcome::END) break;
    if (outcome == LineEditor::Outcome::STATEMENT) runner.runScript(statement);
  }
  std::cout << '\n';
  clearInterrupt();
  return WELL;
}

/// Statements of a pipe or a file, each as soon as its `;` is read.
ExitCode runInput(StatementRunner& runner) {
  InputLines input;
  std::string pending;
  size_t lines_before = 0;   // errors count lines from the start of the input
  const auto runPending = [&] { return runner.runScript(std::string(lines_before, '\n') + pending); };
  while (const std::optional<std::string> line = input.next()) {
    pending += *line;
    if (line->find(';') == std::string::npos || !sql::isStatementComplete(pending)) continue;
    if (!runPending()) return FAILED;
    if (runner.wantsQuit()) return WELL;
    lines_before += static_cast<size_t>(std::ranges::count(pending, '\n'));
    pending.clear();
  }
  if (interrupted()) return FAILED;
  return runPending() ? WELL : FAILED;
}

bool isInteractive(const SqlOptions& options) { return !options.script && options.statements.empty() && isatty(STDIN_FILENO) != 0; }

ExitCode runAll(const SqlOptions& options, client::SqlEngine& engine, StatementRunner& runner) {
  if (options.init_script) {
    if (const ExitCode code = runFile(*options.init_script, runner); code != WELL || runner.wantsQuit()) return code;
  }
  if (options.script) {
    if (const ExitCode code = runFile(*options.script, runner); code != WELL || runner.wantsQuit()) return code;
  }
  for (const std::string& statement : options.statements) {
    if (!runner.runScript(statement)) return FAILED;
    if (runner.wantsQuit()) return WELL;
  }
  if (isInteractive(options)) return interactive(engine, runner);
  return options.script || !options.statements.empty() ? WELL : runInput(runner);
}

}  // namespace

int runSqlCommand(const SqlOptions& options) {
  client::SqlEngine engine;
  engine.session().setFunctionLoader(client::functionLibraryLoader());
  engine.setLauncher(options.launcher);
  engine.setInterrupted(interrupted);
  for (const std::string& setting : options.settings) {
    if (const Status status = engine.session().configuration().setPair(setting); !status.isOk()) {
      std::cerr << "thalweg sql: -D " << setting << ": " << status.message() << '\n';
      return WRONG_USE;
    }
    if (const auto warning = ignoredKeyWarning(setting.substr(0, setting.find('=')))) std::cerr << "warning: " << *warning << '\n';
  }
  catchInterrupts();
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  LineOutput out(stdout, terminal);
  StatementRunner runner(engine, out, std::cerr, terminal);
  const ExitCode code = runAll(options, engine, runner);
  const bool finished = runner.finish(!isInteractive(options));
  if (!out.flush() || !std::cout.flush()) {
    std::cerr << "thalweg sql: cannot write the results to standard output\n";
    return FAILED;
  }
  if (interrupted()) return INTERRUPTED;
  return code == WELL && !finished ? FAILED : code;
}

}  // namespace thalweg::shell
