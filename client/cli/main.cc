// The `thalweg` program: its verbs and their options. What they do lives in client/shell and client/testing.

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <optional>
#include <span>

#include "client/shell/sql_command.h"
#include "client/testing/test_runner.h"
#include "common/base/edit_distance.h"

namespace {

constexpr const char* kVersion = "thalweg 0.1.0";
constexpr int kWrongUse = 2;

/// A standard stream that the caller closed would give its number to the next file, and that file our output.
void openStandardStreams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) == -1) (void)open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// The words of the command line, or the exit code if they are not understood or ask for help.
std::optional<int> parse(CLI::App& app, int argc, char** argv) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) verbs.push_back(verb->get_name());
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.empty() || (word[0] != '-' && std::find(verbs.begin(), verbs.end(), word) == verbs.end())) {
    if (!word.empty()) std::cerr << "thalweg: unknown verb '" << word << "'" << thalweg::didYouMean(word, std::span<const std::string>(verbs)) << "\n\n";
    std::cerr << app.help();
    return kWrongUse;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kWrongUse;
  }
  return std::nullopt;
}

int runTestVerb(const thalweg::testing::TestOptions& options) {
  const auto passed = thalweg::testing::runTests(options, std::cout);
  if (!passed.isOk()) {
    std::cerr << "thalweg test: " << passed.status().message() << '\n';
    return 2;
  }
  return *passed ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  openStandardStreams();
  CLI::App app{"Thalweg: stream processing with Apache Flink's semantics and SQL, in one native program"};
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);

  thalweg::shell::SqlOptions sql;
  auto* sql_verb = app.add_subcommand("sql", "run SQL scripts, single statements or an interactive shell, in this process");
  sql_verb->footer("Exit code: 0 all well, 1 a statement or job failed, 2 wrong use, 130 ended by Ctrl-C.");
  sql_verb->add_option("-f,--file", sql.script, "run the statements of a file, then exit");
  sql_verb->add_option("-e,--execute", sql.statements, "run this statement (may be given several times), then exit");
  sql_verb->add_option("-i,--init", sql.init_script, "run the statements of a file first");
  sql_verb->add_option("-D", sql.settings, "a setting, key=value (may be given several times)");

  thalweg::testing::TestOptions test;
  auto* test_verb = app.add_subcommand("test", "run .test files and compare the engine's answers with the recorded ones");
  test_verb->add_option("paths", test.paths, "files and folders")->required();
  test_verb->add_option("--filter", test.filter, "only queries whose text or file name contains this");
  test_verb->add_option("--batch-rows", test.batch_rows, "the most rows in a batch");
  test_verb->add_option("--parallelism", test.parallelism, "parallel subtasks; above 1 only tables are compared");
  test_verb->add_flag("--mini-batch", test.mini_batch, "fold rows before answering; only tables are compared");
  test_verb->add_flag("--record", test.record, "write the engine's own answers into the files");
  test_verb->add_option("--known-failures", test.known_failures, "a file of queries that are known to fail");
  test_verb->add_flag("--quiet", test.quiet, "print the totals only");

  if (const auto code = parse(app, argc, argv)) return *code;
  if (*sql_verb) return thalweg::shell::runSqlCommand(sql);
  return runTestVerb(test);
}
