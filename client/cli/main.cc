// The `thalweg` program: its verbs and their options. What they do lives in client/shell and client/testing.

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <optional>
#include <span>

#include "client/cli/state_verbs.h"
#include "client/reference/reference_pages.h"
#include "client/remote/cluster_verbs.h"
#include "client/remote/run_verb.h"
#include "client/shell/sql_command.h"
#include "client/testing/test_runner.h"
#include "common/base/edit_distance.h"

namespace {

constexpr const char* kVersion = "thalweg 0.1.0";
constexpr int kWrongUse = 2;

/// A standard stream that the caller closed would give its number to the next file, and that file our output. Libraries
/// open files before main() begins, so this runs before them; sanitizers are not ready then, hence plain system calls.
void openStandardStreams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (syscall(SYS_fcntl, stream, F_GETFD) != -1) continue;
    syscall(SYS_openat, AT_FDCWD, "/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

[[gnu::section(".preinit_array"), gnu::used]] void (*before_libraries)() = &openStandardStreams;

/// The words of the command line, or the exit code if they are not understood or ask for help.
std::optional<int> parse(CLI::App& app, int argc, char** argv) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) verbs.push_back(verb->get_name());
  verbs.emplace_back("help");
  const std::string word = argc > 1 ? argv[1] : "";
  if (word == "help" && argc == 2) {
    std::cout << app.help();
    return 0;
  }
  if (word.empty() || (word[0] != '-' && std::find(verbs.begin(), verbs.end(), word) == verbs.end())) {
    if (!word.empty()) std::cerr << "thalweg: unknown verb '" << word << "'" << thalweg::didYouMean(word, std::span<const std::string>(verbs)) << "\n\n";
    std::cerr << app.help();
    return kWrongUse;
  }
  static const std::vector<std::string> kOptions = {"-h", "--help", "--version"};
  if (word[0] == '-' && std::find(kOptions.begin(), kOptions.end(), word) == kOptions.end()) {
    std::cerr << "thalweg: unknown option '" << word << "'" << thalweg::didYouMean(word, std::span<const std::string>(kOptions)) << '\n';
    return kWrongUse;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kWrongUse;
  }
  return std::nullopt;
}

using thalweg::client::ClusterTarget;

void addTarget(CLI::App& verb, ClusterTarget& target, const std::string& without = "the local cluster that was started here") {
  verb.add_option("--coordinator", target.coordinator, "HOST:PORT of the cluster; without it, " + without);
  verb.add_option("--token-file", target.token_file, "a file with the cluster's token");
  verb.add_option("--ca", target.ca_file, "the certificate that the cluster's are signed with (TLS)");
  verb.add_option("--folder", target.folder, "the folder of a local cluster");
}

/// The verbs that speak to a cluster; run() gives the exit code of the one that was chosen, or -1.
class ClusterVerbs {
 public:
  explicit ClusterVerbs(CLI::App& app) {
    list_ = app.add_subcommand("list", "the jobs of a cluster");
    list_->add_flag("--all", all_, "also those that have ended");
    info_ = jobVerb(app, "info", "what a job is doing, and its failures");
    cancel_ = jobVerb(app, "cancel", "end a job");
    savepoint_ = jobVerb(app, "savepoint", "write a savepoint of a job that goes on, and print its path");
    savepoint_->add_option("dir", savepoint_folder_, "the folder it goes into; without it 'execution.checkpointing.savepoint-dir'");
    stop_job_ = jobVerb(app, "stop", "end a job well, with a savepoint whose path is printed");
    stop_job_->add_option("--savepoint,-p,--savepointPath", savepoint_folder_, "the folder it goes into; without it 'execution.checkpointing.savepoint-dir'")->expected(0, 1);
    logs_ = jobVerb(app, "logs", "the last lines that a job's processes logged");
    logs_->add_option("--lines", lines_, "how many of each process");
    addTarget(*list_, target_);
    run_ = app.add_subcommand("run", "run a program on the C++ API on a cluster: thalweg run [options] ./program arguments…");
    run_->prefix_command();
    run_->footer("Options stand before the program; what follows it is the program's. Exit code: the program's own, 1 if its job failed.");
    run_->add_flag("-d,--detached", run_options_.detached, "return when the job was accepted");
    run_->add_option("-p,--parallelism", run_options_.parallelism, "the default parallelism");
    run_->add_option("-D", run_options_.settings, "a setting, key=value (may be given several times)")->take_all()->allow_extra_args(false);
    run_->add_option("-s,--fromSavepoint,--from-savepoint", run_options_.savepoint, "the savepoint or checkpoint that the job starts from");
    run_->add_flag("-n,--allowNonRestoredState,--allow-non-restored-state", run_options_.allow_non_restored_state, "let the job leave out state of operators that it does not have");
    run_->add_option("--env", run_options_.environment, "NAME or NAME=VALUE: a variable that the program has on workers, too")->take_all()->allow_extra_args(false);
    addTarget(*run_, run_options_.target);
    certs_ = app.add_subcommand("certs", "make a certificate authority, certificates and a token for a cluster");
    certs_->add_option("dir", certificates_.folder, "where they go")->required();
    certs_->add_option("--host", certificates_.hosts, "a name or address of a daemon (may be given several times); this machine's are always in");
    certs_->add_option("--days", certificates_.days, "how long they are valid");
    CLI::App* cluster = app.add_subcommand("cluster", "a cluster of real processes on this machine");
    cluster->require_subcommand(1);
    start_ = cluster->add_subcommand("start", "start a coordinator and workers, and return when they are ready");
    start_->add_option("--workers", local_.workers, "how many workers");
    start_->add_option("--slots", local_.slots, "slots of each worker");
    start_->add_option("--port", local_.port, "the coordinator's port; 0: one that is free");
    start_->add_option("--rest-port", local_.rest_port, "the port of the REST interface; 0: one that is free, -1: none");
    start_->add_option("--folder", local_.folder, "where logs and the list of processes are kept");
    stop_ = cluster->add_subcommand("stop", "end the cluster that was started here");
    stop_->add_option("--folder", local_.folder, "as given to start");
    status_ = cluster->add_subcommand("status", "workers and slots");
    addTarget(*status_, target_);
  }

  int run() const {
    if (*list_) return thalweg::client::runListVerb(target_, all_);
    if (*info_) return thalweg::client::runInfoVerb(target_, job_);
    if (*cancel_) return thalweg::client::runCancelVerb(target_, job_);
    if (*savepoint_) return thalweg::client::runSavepointVerb(target_, job_, savepoint_folder_, false);
    if (*stop_job_) return thalweg::client::runSavepointVerb(target_, job_, savepoint_folder_, true);
    if (*logs_) return thalweg::client::runLogsVerb(target_, job_, lines_);
    if (*run_) {
      thalweg::client::RunOptions options = run_options_;
      options.command = run_->remaining();
      return thalweg::client::runProgram(options);
    }
    if (*certs_) return thalweg::client::runCertsVerb(certificates_);
    if (*start_) return thalweg::client::runClusterStart(local_);
    if (*stop_) return thalweg::client::runClusterStop(local_.folder);
    if (*status_) return thalweg::client::runClusterStatus(target_);
    return -1;
  }

 private:
  CLI::App* jobVerb(CLI::App& app, const std::string& name, const std::string& meaning) {
    CLI::App* verb = app.add_subcommand(name, meaning);
    verb->add_option("job", job_, "its id, or the beginning of it")->required();
    addTarget(*verb, target_);
    return verb;
  }

  CLI::App* list_;
  CLI::App* info_;
  CLI::App* cancel_;
  CLI::App* savepoint_;
  CLI::App* stop_job_;
  CLI::App* logs_;
  CLI::App* run_;
  CLI::App* certs_;
  CLI::App* start_;
  CLI::App* stop_;
  CLI::App* status_;
  ClusterTarget target_;
  thalweg::client::LocalClusterOptions local_;
  thalweg::client::RunOptions run_options_;
  thalweg::client::CertificateOptions certificates_;
  std::string job_;
  std::string savepoint_folder_;
  bool all_ = false;
  int lines_ = 100;
};

/// Sets `launcher` if the verb is to run its jobs on a cluster; false if that cannot be.
bool findLauncher(const CLI::App& verb, const ClusterTarget& target, std::shared_ptr<thalweg::client::JobLauncher>& launcher) {
  if (verb.count("--coordinator") + verb.count("--folder") == 0) return true;
  auto found = thalweg::client::launcherOf(target);
  if (found.isOk()) launcher = *found;
  else std::cerr << "thalweg: " << found.status().message() << '\n';
  return found.isOk();
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
  CLI::App app{"Thalweg: stream processing with Apache Flink's semantics and SQL, in one native program", "thalweg"};
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);

  thalweg::shell::SqlOptions sql;
  auto* sql_verb = app.add_subcommand("sql", "run SQL scripts, single statements or an interactive shell; jobs run in this process, or on a cluster");
  sql_verb->footer("Exit code: 0 all well, 1 a statement or job failed, 2 wrong use, 130 ended by Ctrl-C.");
  sql_verb->add_option("-f,--file", sql.script, "run the statements of a file, then exit");
  sql_verb->add_option("-e,--execute", sql.statements, "run this statement (may be given several times), then exit");
  sql_verb->add_option("-i,--init", sql.init_script, "run the statements of a file first");
  std::string savepoint;
  bool allow_non_restored_state = false;
  sql_verb->add_option("-s,--from-savepoint", savepoint, "the savepoint or checkpoint that the first job starts from");
  sql_verb->add_flag("--allow-non-restored-state", allow_non_restored_state, "let that job leave out state of operators that it does not have");
  sql_verb->add_option("-D", sql.settings, "a setting, key=value (may be given several times)");

  thalweg::testing::TestOptions test;
  auto* test_verb = app.add_subcommand("test", "run .test files and compare the engine's answers with the recorded ones");
  test_verb->add_option("paths", test.paths, "files and folders")->required();
  test_verb->add_option("--filter", test.filter, "only queries whose text or file name contains this");
  test_verb->add_option("--batch-rows", test.batch_rows, "the most rows in a batch")->check(CLI::Range(1, 1 << 20));
  test_verb->add_option("--parallelism", test.parallelism, "parallel subtasks; above 1 only tables are compared")->check(CLI::Range(1, 1024));
  test_verb->add_flag("--mini-batch", test.mini_batch, "fold rows before answering; only tables are compared");
  test_verb->add_flag("--batch", test.in_batch, "run streaming queries in batch mode too; only tables are compared");
  test_verb->add_option("--restore", test.stop_after_rows,
                        "stop streaming queries with a savepoint whenever each source has given this many rows, and go on from it");
  test_verb->add_flag("--spill", test.spills, "move all keyed state to disk after every batch; only tables are compared");
  test_verb->add_flag("--rescale", test.rescale, "with --restore: go on with another parallelism each time");
  test_verb->add_flag("--record", test.record, "write the engine's own answers into the files");
  test_verb->add_option("--known-failures", test.known_failures, "a file of queries that are known to fail");
  test_verb->add_flag("--quiet", test.quiet, "print the totals only");

  std::string page;
  auto* reference_verb = app.add_subcommand("reference", "print a page of the reference, as Markdown");
  reference_verb->add_option("page", page, "functions or configuration")->required()->check(CLI::IsMember({"functions", "configuration"}));

  ClusterTarget target;
  addTarget(*sql_verb, target, "jobs run in this process");
  addTarget(*test_verb, target, "jobs run in this process");
  const ClusterVerbs cluster(app);
  const thalweg::client::StateVerbs state(app);

  if (const auto code = parse(app, argc, argv)) return *code;
  if (*reference_verb) {
    std::cout << (page == "functions" ? thalweg::reference::functionsPage() : thalweg::reference::configurationPage());
    return 0;
  }
  if (!savepoint.empty()) sql.settings.push_back("execution.state-recovery.path=" + savepoint);
  if (allow_non_restored_state) sql.settings.emplace_back("execution.state-recovery.ignore-unclaimed-state=true");
  if (*sql_verb) return findLauncher(*sql_verb, target, sql.launcher) ? thalweg::shell::runSqlCommand(sql) : 2;
  if (const int code = cluster.run(); code >= 0) return code;
  if (const int code = state.run(); code >= 0) return code;
  if (!findLauncher(*test_verb, target, test.launcher)) return 2;
  return runTestVerb(test);
}
