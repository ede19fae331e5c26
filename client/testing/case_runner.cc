#include "client/testing/case_runner.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "client/embedded/sql_engine.h"
#include "client/testing/unsynced_file_system.h"
#include "common/sql/parser.h"
#include "common/sql/script.h"
#include "common/types/value_text.h"

namespace thalweg::testing {
namespace {

namespace fs = std::filesystem;
using client::SqlEngine;
using client::StatementOutcome;

/// An empty folder that is removed when the case is over.
class CaseFolder {
 public:
  CaseFolder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "thalweg-test-XXXXXX").string();
    if (!error && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~CaseFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

  Status write(const InputFile& file) const {
    if (path_.empty()) return Status::io("cannot make a folder for the case's files (TMPDIR)");
    const fs::path name = fs::path(file.name).lexically_normal();
    if (name.is_absolute() || name.begin()->string() == "..") return Status::invalid("file " + file.name + " is outside the case's folder");
    const fs::path target = fs::path(path_) / name;
    std::error_code error;
    fs::create_directories(target.parent_path(), error);
    std::ofstream stream(target, std::ios::binary);
    stream << file.content;
    stream.close();
    return stream ? Status() : Status::io("cannot write " + target.string());
  }

 private:
  std::string path_;
};

std::string withFolder(std::string text, const std::string& folder) {
  constexpr std::string_view kPlaceholder = "${dir}";
  for (size_t at = text.find(kPlaceholder); at != std::string::npos; at = text.find(kPlaceholder, at + folder.size())) {
    text.replace(at, kPlaceholder.size(), folder);
  }
  return text;
}

Answer failure(const Status& status, bool job_ran) {
  Answer answer;
  answer.failed = true;
  answer.message = status.toString();
  answer.not_supported = status.code() == StatusCode::NOT_SUPPORTED;
  if (status.code() == StatusCode::PARSE_ERROR) answer.error_phase = ExpectKind::ERROR_PARSE;
  else answer.error_phase = job_ran ? ExpectKind::ERROR_RUNTIME : ExpectKind::ERROR_PLAN;
  return answer;
}

std::vector<DataType> typesOf(const Schema& schema) {
  std::vector<DataType> types;
  for (const Column& column : schema.columns()) types.push_back(column.type);
  return types;
}

void appendRows(const Batch& batch, const std::vector<DataType>& types, std::vector<std::string>& rows) {
  std::vector<Value> values(types.size());
  for (size_t row = 0; row < batch.rows(); ++row) {
    for (size_t c = 0; c < types.size(); ++c) values[c] = batch.column(c)->valueAt(row);
    rows.push_back(rowForm(batch.rowKind(row), values, types));
  }
}

class CaseRunner {
 public:
  CaseRunner(const TestFile& file, const TestCase& test, const TestOptions& options) : file_(file), test_(test), options_(options) {}

  Answer run() {
    for (size_t i = 0; i < test_.file_count; ++i) {
      if (auto status = folder_.write(file_.files[i]); !status.isOk()) return failure(status, false);
    }
    if (auto status = configure(); !status.isOk()) return failure(status, false);
    engine_.jobOptions().files = &unsyncedFiles();
    if (!runsInBatch()) engine_.jobOptions().hold_after_rows = static_cast<uint64_t>(options_.stop_after_rows);
    for (size_t i = 0; i < test_.setup_count; ++i) {
      const std::string text = withFolder(file_.setup[i], folder_.path());
      for (const auto& statement : sql::splitScript(text)) {
        const Answer answer = runStatement(statement.text);
        if (!answer.failed) continue;
        Answer failed = answer;
        failed.message = "in the set-up: " + failed.message;
        return failed;
      }
    }
    return runStatement(withFolder(test_.query, folder_.path()));
  }

 private:
  bool runsInBatch() const { return test_.batch || options_.in_batch; }

  Status configure() {
    engine_.setLauncher(options_.launcher);
    Configuration& configuration = engine_.session().configuration();
    RETURN_IF_ERROR(configuration.set("parallelism.default", std::to_string(options_.parallelism)));
    RETURN_IF_ERROR(configuration.set("pipeline.auto-watermark-interval", "0 ms"));
    RETURN_IF_ERROR(configuration.set("table.local-time-zone", "UTC"));
    RETURN_IF_ERROR(configuration.set("execution.runtime-mode", runsInBatch() ? "BATCH" : "STREAMING"));
    if (options_.batch_rows > 0) RETURN_IF_ERROR(configuration.set("thalweg.exec.batch-rows", std::to_string(options_.batch_rows)));
    if (options_.spills) {
      RETURN_IF_ERROR(configuration.set("state.backend.type", "rocksdb"));
      RETURN_IF_ERROR(configuration.set("taskmanager.memory.process.size", "0 b"));
    }
    if (options_.mini_batch) {
      RETURN_IF_ERROR(configuration.set("table.exec.mini-batch.enabled", "true"));
      RETURN_IF_ERROR(configuration.set("table.exec.mini-batch.allow-latency", "1 s"));
      RETURN_IF_ERROR(configuration.set("table.exec.mini-batch.size", "1000"));
    }
    return {};
  }

  static constexpr int kPiecesMax = 20;

  /// The case's folder is written as statements name it.
  Answer runStatement(const std::string& text) {
    Answer answer = runRaw(text);
    for (std::string& row : answer.rows) {
      for (size_t at = row.find(folder_.path()); at != std::string::npos; at = row.find(folder_.path(), at)) {
        row.replace(at, folder_.path().size(), "${dir}");
      }
    }
    return answer;
  }

  Answer runRaw(const std::string& text) {
    auto statement = sql::parseStatement(text);
    if (!statement.isOk()) return failure(statement.status(), false);
    auto outcome = engine_.execute(*statement, text);
    if (!outcome.isOk()) return failure(outcome.status(), false);
    Answer answer;
    answer.schema = schemaText(outcome->schema);
    const auto types = typesOf(outcome->schema);
    switch (outcome->kind) {
      case StatementOutcome::Kind::TABLE:
        for (const auto& row : outcome->table.rows) answer.rows.push_back(rowForm(RowKind::INSERT, row, types));
        return answer;
      case StatementOutcome::Kind::COMMAND: {
        using enum sql::StatementKind;
        const sql::StatementKind kind = (*statement)->kind;
        const bool asks_for_jobs = kind == SHOW || kind == DESCRIBE || kind == STOP_JOB;
        return asks_for_jobs ? failure(Status::plan("a case has no shell whose jobs could be shown or stopped"), false) : answer;
      }
      case StatementOutcome::Kind::QUERY:
      case StatementOutcome::Kind::INSERT: break;
    }
    const bool restores = options_.stop_after_rows > 0 && !runsInBatch();
    const Status status = restores ? runInPieces(*statement, *outcome, answer) : runThrough(*outcome, answer);
    if (!status.isOk()) return failure(status, true);
    if (outcome->kind == StatementOutcome::Kind::INSERT && showsCounts(**statement, text)) addCounts(*outcome, answer);
    return answer;
  }

  /// Cases show a plan's run as the rows it gives to a program, but an INSERT as nothing.
  static bool showsCounts(const sql::Statement& statement, const std::string& text) {
    using enum sql::StatementKind;
    return statement.kind == EXECUTE_PLAN || statement.kind == COMPILE_PLAN || text.starts_with("EXECUTE INSERT");
  }

  /// A column for each table, and one row of counts, which are not known.
  static void addCounts(const StatementOutcome& outcome, Answer& answer) {
    std::vector<Column> columns;
    for (const std::string& table : outcome.written) columns.push_back({table, DataType::bigint()});
    const Schema schema(std::move(columns));
    answer.schema = schemaText(schema);
    answer.rows = {rowForm(RowKind::INSERT, std::vector<Value>(schema.size(), Value::integer(-1)), typesOf(schema))};
  }

  static Status runThrough(const StatementOutcome& outcome, Answer& answer) {
    const auto types = typesOf(outcome.schema);
    Batch batch;
    while (outcome.kind == StatementOutcome::Kind::QUERY && !outcome.job->isDone()) {
      if (outcome.job->next(batch, 1000)) appendRows(batch, types, answer.rows);
    }
    return outcome.job->wait();
  }

  /// Stops with a savepoint whenever every source has given its rows, and goes on from it in a new job.
  Status runInPieces(const sql::StatementPtr& statement, StatementOutcome& outcome, Answer& answer) {
    Configuration& configuration = engine_.session().configuration();
    for (int piece = 0; outcome.embedded->waitForHold(); ++piece) {
      ASSIGN_OR_RETURN(const std::string path, outcome.embedded->stopWithSavepoint(folder_.path() + "/.savepoints"));
      RETURN_IF_ERROR(runThrough(outcome, answer));
      RETURN_IF_ERROR(configuration.set("execution.state-recovery.path", path));
      if (options_.rescale) RETURN_IF_ERROR(configuration.set("parallelism.default", std::to_string(1 + (piece + 1) % 3)));
      if (piece + 1 == kPiecesMax) engine_.jobOptions().hold_after_rows = 0;
      ASSIGN_OR_RETURN(outcome, engine_.execute(statement));
    }
    RETURN_IF_ERROR(runThrough(outcome, answer));
    engine_.jobOptions().hold_after_rows = static_cast<uint64_t>(options_.stop_after_rows);
    RETURN_IF_ERROR(configuration.set("parallelism.default", std::to_string(options_.parallelism)));
    return configuration.reset("execution.state-recovery.path");
  }

  const TestFile& file_;
  const TestCase& test_;
  const TestOptions& options_;
  CaseFolder folder_;
  SqlEngine engine_;
};

}  // namespace

Answer runCase(const TestFile& file, const TestCase& test, const TestOptions& options) {
  return CaseRunner(file, test, options).run();
}

}  // namespace thalweg::testing
