#include "client/shell/statement_runner.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "client/shell/help_text.h"
#include "client/shell/interrupt.h"
#include "client/shell/result_view.h"
#include "common/config/config_option.h"
#include "common/sql/error_text.h"
#include "common/sql/parser.h"
#include "common/sql/script.h"
#include "common/time/clock.h"

namespace thalweg::shell {
namespace {

constexpr int64_t kWaitMs = 50;
constexpr useconds_t kPollMicros = 10000;

/// Windows change their size while a query runs.
void measureTerminal(ViewSettings& settings) {
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return;
  settings.terminal_rows = size.ws_row;
  settings.terminal_columns = size.ws_col;
}

}  // namespace

bool StatementRunner::runScript(const std::string& text, const std::string& name) {
  clearInterrupt();
  for (const sql::ScriptStatement& statement : sql::splitScript(text)) {
    reportEnded();
    const Status status = run(statement.text);
    out_.flush();
    if (interrupted() && status.code() == StatusCode::CANCELLED) return false;
    if (!status.isOk()) {
      if (!name.empty()) errors_ << name << ": ";
      errors_ << sql::renderError(text, sql::placedInScript(status, statement.position)) << '\n';
      return false;
    }
    if (interrupted()) return false;
    if (quit_) break;
  }
  return true;
}

Status StatementRunner::run(const std::string& text) {
  const int64_t start_ms = SystemClock().nowMillis();
  ASSIGN_OR_RETURN(const sql::StatementPtr statement, sql::parseStatement(text));
  ASSIGN_OR_RETURN(auto outcome, engine_.execute(statement, text));
  switch (outcome.kind) {
    case client::StatementOutcome::Kind::QUERY: return showQuery(outcome, start_ms);
    case client::StatementOutcome::Kind::INSERT: return startInsert(outcome, text);
    case client::StatementOutcome::Kind::COMMAND: return runCommand(*outcome.command);
    case client::StatementOutcome::Kind::TABLE: break;
  }
  showTable(outcome);
  if (const auto* set = sql::tryAs<sql::SetStatement>(*statement); set != nullptr && set->option) {
    if (const auto warning = ignoredKeyWarning(set->option->key)) errors_ << "warning: " << *warning << '\n';
  }
  return {};
}

Status StatementRunner::showQuery(client::StatementOutcome& outcome, int64_t start_ms) {
  const Configuration& configuration = engine_.session().configuration();
  ViewSettings settings;
  settings.mode = configuration.getEnum("sql-client.execution.result-mode");
  settings.batch = engine_.batchMode();
  if (!terminal_ && !settings.batch && !configuration.find("sql-client.execution.result-mode")) settings.mode = "TABLEAU";   // an endless result has no end to wait for
  settings.terminal = terminal_;
  settings.order = outcome.order;
  settings.measure = measureTerminal;
  settings.column_width_max = static_cast<size_t>(configuration.getInt("table.display.max-column-width"));
  settings.table_rows_max = static_cast<size_t>(configuration.getInt("sql-client.execution.max-table-result.rows"));
  if (const auto environment = engine_.session().environment(); environment.isOk()) settings.zone = environment->session_zone;
  const SystemClock clock;
  const auto view = ResultView::make(outcome.schema, settings, out_);
  Batch batch;
  bool cancelled = false;
  while (!outcome.job->isDone()) {
    if (interrupted() && !cancelled) {
      cancelled = true;
      outcome.job->cancel();
    }
    if (!out_) {
      outcome.job->cancel();
      return Status::io("cannot write the rows of the result to standard output");
    }
    if (outcome.job->next(batch, kWaitMs)) view->add(batch);
    view->tick(outcome.job->progress(), clock.nowMillis());
    if (!terminal_) reportEnded();   // on a terminal it would come into the frame
  }
  const Status status = outcome.job->wait();
  const bool with_time = settings.batch && configuration.getBool("sql-client.display.print-time-cost");
  view->finish(outcome.job->progress(), status.isOk(), with_time ? clock.nowMillis() - start_ms : -1);
  out_.flush();
  return cancelled ? Status() : status;
}

Status StatementRunner::startInsert(client::StatementOutcome& outcome, const std::string& text) {
  const int number = ++jobs_started_;
  if (outcome.embedded && !outcome.embedded->startPath().empty()) out_ << "Job " << number << " goes on from " << outcome.embedded->startPath() << '\n';
  if (engine_.session().configuration().getBool("table.dml-sync")) {
    const Status status = waitFor(*outcome.job);
    noteSkipped(outcome.job->progress(), out_);
    RETURN_IF_ERROR(status);
    out_ << "Job " << number << " has finished.\n";
    return {};
  }
  std::string name = engine_.session().configuration().getString("pipeline.name");
  if (name.empty()) name = text.substr(0, text.find('\n'));
  const std::string id = outcome.embedded ? outcome.embedded->jobId() : outcome.job->id();
  background_.add({number, id, std::move(name), SystemClock().nowMillis(), outcome.job, outcome.embedded, text});
  out_ << "Job " << number << " has been started.\n";
  return {};
}

Status StatementRunner::waitFor(client::JobHandle& job) {
  Batch none;
  while (!job.isDone()) {
    if (interrupted()) job.cancel();
    job.next(none, kWaitMs);
    reportEnded();
    if (!job.isDone()) usleep(kPollMicros);
  }
  return job.wait();
}

void StatementRunner::reportEnded() {
  for (BackgroundJobs::Entry& background : background_.entries()) {
    if (background.reported || !background.job->isDone()) continue;
    background.reported = true;
    const std::string name = "job " + std::to_string(background.number);
    const Status status = background.job->wait();
    noteSkipped(background.job->progress(), out_, "J" + name.substr(1) + ": ");
    out_.flush();
    if (status.isOk() || (background.stopped && status.code() == StatusCode::CANCELLED)) continue;
    errors_ << sql::renderError(background.text, status.withContext(name)) << std::endl;
    job_failed_ = true;
  }
}

void StatementRunner::cancelRest() {
  for (BackgroundJobs::Entry& background : background_.entries()) {
    if (background.job->isDone()) continue;
    if (!interrupted()) {
      errors_ << "job " << background.number << " is cancelled, because another job of the script failed" << std::endl;
      background.stopped = true;
    }
    background.job->cancel();
  }
}

bool StatementRunner::finish(bool together) {
  std::vector<BackgroundJobs::Entry>& jobs = background_.entries();
  const auto running = [&jobs] { return std::ranges::count_if(jobs, [](const auto& entry) { return !entry.job->isDone(); }); };
  reportEnded();
  if (const auto count = running(); terminal_ && count > 0 && !(together && job_failed_)) {
    out_ << "Waiting for " << count << (count == 1 ? " job" : " jobs") << "; Ctrl-C cancels what still runs.\n";
    out_.flush();
  }
  for (bool cancelled = false; running() > 0; usleep(kPollMicros)) {
    reportEnded();
    if (cancelled || !(interrupted() || (together && job_failed_))) continue;
    cancelled = true;
    cancelRest();
  }
  reportEnded();
  jobs.clear();
  return !job_failed_;
}

void StatementRunner::showTable(const client::StatementOutcome& outcome) {
  const auto& table = outcome.table;
  if (table.rows.size() == 1 && table.schema.size() == 1 && !table.rows[0][0].isNull() && table.schema.type(0).isString()) {
    const std::string& text = table.rows[0][0].asString();
    if (text == "OK" || text.find('\n') != std::string::npos) {   // plans and definitions keep their lines
      out_ << (text == "OK" ? "[INFO] Execute statement succeeded." : text) << '\n';
      return;
    }
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& values : table.rows) rows.push_back(cellsOf(values, table.schema, TimeZone()));
  Tableau tableau(table.schema, false, 80);
  tableau.fitTo(rows);
  if (rows.empty()) {
    out_ << "Empty set\n";
    return;
  }
  out_ << tableau.rule() << '\n' << tableau.heading() << '\n' << tableau.rule() << '\n';
  for (const auto& row : rows) out_ << tableau.row(row) << '\n';
  out_ << tableau.rule() << '\n' << rows.size() << (rows.size() == 1 ? " row" : " rows") << " in set\n";
}

Status StatementRunner::showJobs(Result<client::StatementOutcome> outcome) {
  RETURN_IF_ERROR(outcome.status());
  showTable(*outcome);
  return {};
}

Status StatementRunner::runCommand(const sql::Statement& statement) {
  if (const auto* stop = sql::tryAs<sql::StopJobStatement>(statement)) return showJobs(background_.stop(*stop));
  if (sql::tryAs<sql::ShowStatement>(statement) != nullptr) return showJobs(background_.list());
  if (const auto* describe = sql::tryAs<sql::DescribeStatement>(statement)) return showJobs(background_.list(describe->name.parts.back().text));
  const auto* command = sql::tryAs<sql::ClientCommandStatement>(statement);
  if (command == nullptr) return Status::notSupported("this statement in a shell", statement.position);
  switch (command->command) {
    case sql::ClientCommand::QUIT:
    case sql::ClientCommand::EXIT: quit_ = true; break;
    case sql::ClientCommand::CLEAR:
      if (terminal_) out_ << "\033[H\033[2J";
      break;
    case sql::ClientCommand::HELP: out_ << helpText(); break;
  }
  return {};
}

}  // namespace thalweg::shell
