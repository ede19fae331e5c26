#include "client/shell/sql_command.h"

#include <unistd.h>

#include <fstream>
#include <iostream>
#include <sstream>

#include "client/shell/completion.h"
#include "client/shell/interrupt.h"
#include "client/shell/line_editor.h"
#include "client/shell/statement_runner.h"
#include "common/config/config_option.h"

namespace thalweg::shell {
namespace {

enum ExitCode { WELL = 0, FAILED = 1, WRONG_USE = 2 };

bool readFile(const std::string& path, std::string& text) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    std::cerr << "thalweg sql: cannot read " << path << '\n';
    return false;
  }
  std::ostringstream content;
  content << stream.rdbuf();
  text = content.str();
  return true;
}

int interactive(client::SqlEngine& engine, StatementRunner& runner) {
  std::cout << "Thalweg SQL. Statements end with ';'; HELP; for help, QUIT; to leave.\n";
  LineEditor editor([&engine](const std::string& line, const std::string& prefix) { return completions(engine.session(), line, prefix); });
  std::string statement;
  while (!runner.wantsQuit()) {
    const LineEditor::Outcome outcome = editor.read(statement);
    if (outcome == LineEditor::Outcome::END) break;
    if (outcome == LineEditor::Outcome::STATEMENT) runner.runScript(statement);
  }
  std::cout << '\n';
  return WELL;
}

int runAll(const SqlOptions& options, client::SqlEngine& engine, StatementRunner& runner) {
  std::string text;
  if (!options.init_script.empty()) {
    if (!readFile(options.init_script, text)) return WRONG_USE;
    if (!runner.runScript(text)) return FAILED;
  }
  if (!options.script.empty()) {
    if (!readFile(options.script, text)) return WRONG_USE;
    if (!runner.runScript(text)) return FAILED;
  }
  for (const std::string& statement : options.statements) {
    if (!runner.runScript(statement)) return FAILED;
  }
  if (!options.script.empty() || !options.statements.empty()) return WELL;
  if (isatty(STDIN_FILENO)) return interactive(engine, runner);
  std::ostringstream input;
  input << std::cin.rdbuf();
  return runner.runScript(input.str()) ? WELL : FAILED;
}

}  // namespace

int runSqlCommand(const SqlOptions& options) {
  client::SqlEngine engine;
  for (const std::string& setting : options.settings) {
    if (const Status status = engine.session().configuration().setPair(setting); !status.isOk()) {
      std::cerr << "thalweg sql: -D " << setting << ": " << status.message() << '\n';
      return WRONG_USE;
    }
    if (const auto warning = ignoredKeyWarning(setting.substr(0, setting.find('=')))) std::cerr << "warning: " << *warning << '\n';
  }
  catchInterrupts();
  StatementRunner runner(engine, std::cout, std::cerr, isatty(STDOUT_FILENO) != 0);
  const int code = runAll(options, engine, runner);
  const bool finished = runner.finish();
  return code == WELL && !finished ? FAILED : code;
}

}  // namespace thalweg::shell
