#include "client/shell/sql_command.h"

#include <fstream>
#include <iostream>
#include <sstream>

#include "client/embedded/sql_engine.h"
#include "common/sql/parser.h"
#include "common/sql/script.h"
#include "common/types/value_text.h"

namespace thalweg::shell {
namespace {

bool runText(client::SqlEngine& engine, const std::string& text) {
  for (const auto& piece : sql::splitScript(text)) {
    auto statement = sql::parseStatement(piece.text);
    if (!statement.isOk()) {
      std::cerr << sql::renderError(piece.text, statement.status());
      return false;
    }
    auto outcome = engine.execute(*statement);
    if (!outcome.isOk()) {
      std::cerr << sql::renderError(piece.text, outcome.status());
      return false;
    }
    std::vector<DataType> types;
    for (const auto& column : outcome->schema.columns()) types.push_back(column.type);
    for (const auto& row : outcome->table.rows) std::cout << rowForm(RowKind::INSERT, row, types) << '\n';
    if (!outcome->job) continue;
    Batch batch;
    while (!outcome->job->isDone()) {
      if (!outcome->job->next(batch, 100)) continue;
      std::vector<Value> values(types.size());
      for (size_t row = 0; row < batch.rows(); ++row) {
        for (size_t c = 0; c < types.size(); ++c) values[c] = batch.column(c)->valueAt(row);
        std::cout << rowForm(batch.rowKind(row), values, types) << '\n';
      }
    }
    if (const Status status = outcome->job->wait(); !status.isOk()) {
      std::cerr << status.toString() << '\n';
      return false;
    }
  }
  return true;
}

}  // namespace

int runSqlCommand(const SqlOptions& options) {
  client::SqlEngine engine;
  for (const std::string& setting : options.settings) {
    if (const Status status = engine.session().configuration().setPair(setting); !status.isOk()) {
      std::cerr << "thalweg sql: -D " << setting << ": " << status.message() << '\n';
      return 2;
    }
  }
  for (const std::string& path : {options.init_script, options.script}) {
    if (path.empty()) continue;
    std::ifstream stream(path);
    if (!stream) {
      std::cerr << "thalweg sql: cannot read " << path << '\n';
      return 2;
    }
    std::ostringstream text;
    text << stream.rdbuf();
    if (!runText(engine, text.str())) return 1;
  }
  for (const std::string& statement : options.statements) {
    if (!runText(engine, statement)) return 1;
  }
  return 0;
}

}  // namespace thalweg::shell
