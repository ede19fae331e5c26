// The `thalweg` program: its verbs and their options. What they do lives in client/shell and client/testing.

#include <CLI/CLI.hpp>
#include <iostream>

#include "client/shell/sql_command.h"
#include "client/testing/test_runner.h"

namespace {

constexpr const char* kVersion = "thalweg 0.1.0";

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
  CLI::App app{"Thalweg: stream processing with Apache Flink's semantics and SQL, in one native program"};
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);

  thalweg::shell::SqlOptions sql;
  auto* sql_verb = app.add_subcommand("sql", "run SQL scripts, single statements or an interactive shell, in this process");
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

  CLI11_PARSE(app, argc, argv);
  if (*sql_verb) return thalweg::shell::runSqlCommand(sql);
  return runTestVerb(test);
}
