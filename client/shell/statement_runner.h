// Runs statements for a shell or a script and shows what they give.
//
// An INSERT runs in the background unless 'table.dml-sync' is true; finish() waits for all that are left. Ctrl-C ends
// the running query only. Threads: one.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "client/embedded/sql_engine.h"

namespace thalweg::shell {

class StatementRunner {
 public:
  StatementRunner(client::SqlEngine& engine, std::ostream& out, std::ostream& errors, bool terminal)
      : engine_(engine), out_(out), errors_(errors), terminal_(terminal) {}

  /// One statement; false if it failed (the reason has been shown).
  bool run(const std::string& text);
  /// A whole script, up to the first statement that fails.
  bool runScript(const std::string& text);
  /// Waits for background jobs; false if one failed.
  bool finish();
  bool wantsQuit() const { return quit_; }

 private:
  bool showQuery(client::StatementOutcome& outcome);
  bool startInsert(client::StatementOutcome& outcome, const std::string& text);
  void showTable(const client::StatementOutcome& outcome);
  bool runCommand(const sql::Statement& statement);
  bool waitFor(client::EmbeddedJob& job);
  bool fail(const std::string& text, const Status& status);
  void warnOfSetting(const std::string& text);

  client::SqlEngine& engine_;
  std::ostream& out_;
  std::ostream& errors_;
  bool terminal_;
  bool quit_ = false;
  int jobs_started_ = 0;
  struct Background {
    int number;
    std::shared_ptr<client::EmbeddedJob> job;
  };
  std::vector<Background> background_;
};

}  // namespace thalweg::shell
