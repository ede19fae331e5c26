// Runs statements for a shell or a script and shows what they give.
//
// An INSERT runs in the background unless 'table.dml-sync' is true; finish() waits for all that are left. How a job in
// the background has ended is shown as soon as it is seen. Ctrl-C ends the running query and the rest of its script.
// Threads: one.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "client/shell/background_jobs.h"

namespace thalweg::shell {

class StatementRunner {
 public:
  StatementRunner(client::SqlEngine& engine, std::ostream& out, std::ostream& errors, bool terminal)
      : engine_(engine), out_(out), errors_(errors), terminal_(terminal) {}

  /// A script (or a single statement), up to the first statement that fails or is interrupted; false if one was (the
  /// reason has been shown). `name` is what errors call the script, if anything.
  bool runScript(const std::string& text, const std::string& name = {});
  /// Shows how jobs in the background have ended that were still running the last time: failures, and what was skipped.
  void reportEnded();
  /// Waits for background jobs; false if one failed or was cancelled. `together`: the first that fails ends the others.
  bool finish(bool together);
  bool wantsQuit() const { return quit_; }

 private:
  Status run(const std::string& text);
  Status showQuery(client::StatementOutcome& outcome, int64_t start_ms);
  Status startInsert(client::StatementOutcome& outcome, const std::string& text);
  void showTable(const client::StatementOutcome& outcome);
  Status showJobs(Result<client::StatementOutcome> outcome);
  Status runCommand(const sql::Statement& statement);
  Status waitFor(client::JobHandle& job);
  void cancelRest();

  client::SqlEngine& engine_;
  std::ostream& out_;
  std::ostream& errors_;
  bool terminal_;
  bool quit_ = false;
  bool job_failed_ = false;
  int jobs_started_ = 0;
  BackgroundJobs background_;
};

}  // namespace thalweg::shell
