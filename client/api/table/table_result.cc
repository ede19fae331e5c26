#include "client/api/thalweg/table_result.h"

#include <iostream>

#include "client/api/table/table_result_state.h"
#include "client/api/thalweg/exception.h"
#include "client/tableau/tableau.h"

namespace thalweg::api {
namespace {

constexpr int64_t kWaitMs = 50;

using client::cellsOf;
using client::Tableau;
using OutcomeKind = client::StatementOutcome::Kind;

std::vector<std::string> cells(const Row& row, const thalweg::Schema& schema, const TimeZone& zone) {
  return cellsOf(row.values(), schema, zone);
}

void appendRows(const Batch& batch, const std::shared_ptr<const std::vector<Field>>& fields, std::deque<Row>& rows) {
  for (size_t r = 0; r < batch.rows(); ++r) {
    std::vector<Value> values;
    for (const VectorPtr& column : batch.columns()) values.push_back(column->valueAt(r));
    rows.emplace_back(batch.rowKind(r), fields, std::move(values));
  }
}

void printFoot(const Tableau& tableau, size_t rows, std::ostream& out) {
  out << tableau.rule() << '\n' << rows << (rows == 1 ? " row in set" : " rows in set") << '\n';
}

/// Rows of SHOW and DESCRIBE: as wide as they are.
void printAtHand(TableResultState& state, std::ostream& out) {
  const thalweg::Schema& schema = state.schema;
  const bool plain = schema.size() == 1 && state.table.size() == 1 && !state.table[0][0].isNull() && schema.type(0).isString();
  if (plain && (state.table[0][0].asString() == "OK" || state.table[0][0].asString().find('\n') != std::string::npos)) {
    out << state.table[0][0].asString() << '\n';
    return;
  }
  if (state.table.empty()) {
    out << "Empty set\n";
    return;
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& values : state.table) rows.push_back(cellsOf(values, schema, state.zone));
  Tableau tableau(schema, false, 80);
  tableau.fitTo(rows);
  out << tableau.rule() << '\n' << tableau.heading() << '\n' << tableau.rule() << '\n';
  for (const auto& row : rows) out << tableau.row(row) << '\n';
  printFoot(tableau, rows.size(), out);
}

void printQuery(TableResultState& state, std::ostream& out) {
  if (state.elsewhere) return;
  const thalweg::Schema& schema = state.schema;
  const Tableau tableau(schema, state.with_op, state.column_width_max);
  size_t count = 0;
  while (state.fill()) {
    if (count++ == 0) out << tableau.rule() << '\n' << tableau.heading() << '\n' << tableau.rule() << '\n';
    const Row row = std::move(state.rows.front());
    state.rows.pop_front();
    auto line = cells(row, schema, state.zone);
    if (state.with_op) line.insert(line.begin(), std::string(rowKindText(row.getKind())));
    out << tableau.row(line) << std::endl;
  }
  if (count == 0) out << "Empty set\n";
  else printFoot(tableau, count, out);
}

}  // namespace

bool TableResultState::fill() {
  while (rows.empty() && !over) over = !more || !more(rows);
  return !rows.empty();
}

std::shared_ptr<TableResultState> resultOf(TableResultState::Kind kind, const thalweg::Schema& schema, const EnvironmentState& environment) {
  auto state = std::make_shared<TableResultState>();
  state->kind = kind;
  state->schema = schema;
  state->with_op = kind == TableResultState::Kind::QUERY && !environment.isBatch();
  state->zone = environment.zone();
  const Configuration& configuration = const_cast<EnvironmentState&>(environment).engine.session().configuration();
  state->column_width_max = static_cast<size_t>(configuration.getInt("table.display.max-column-width"));
  std::vector<Field> fields;
  for (const thalweg::Column& column : schema.columns()) fields.push_back({column.name, column.type, {}});
  state->fields = std::make_shared<const std::vector<Field>>(std::move(fields));
  return state;
}

std::shared_ptr<TableResultState> makeResult(client::StatementOutcome outcome, const EnvironmentState& environment) {
  using Kind = TableResultState::Kind;
  if (outcome.kind == OutcomeKind::TABLE) {
    auto state = resultOf(Kind::AT_HAND, outcome.table.schema, environment);
    state->table = outcome.table.rows;
    state->more = [table = std::move(outcome.table.rows), fields = state->fields, taken = false](std::deque<Row>& rows) mutable {
      if (std::exchange(taken, true)) return false;
      for (const auto& values : table) rows.emplace_back(RowKind::INSERT, fields, values);
      return !table.empty();
    };
    return state;
  }
  auto state = resultOf(outcome.kind == OutcomeKind::QUERY ? Kind::QUERY : Kind::INSERT, outcome.schema, environment);
  state->wait = [job = outcome.job] { throwIfJobFailed(job->wait()); };
  state->cancel = [job = outcome.job] { job->cancel(); };
  state->elsewhere = outcome.job->isElsewhere();
  if (outcome.kind != OutcomeKind::QUERY) return state;
  state->more = [job = outcome.job, fields = state->fields](std::deque<Row>& rows) {
    while (rows.empty() && !job->isDone()) {
      Batch batch;
      if (job->next(batch, kWaitMs)) appendRows(batch, fields, rows);
    }
    if (rows.empty()) throwIfJobFailed(job->wait());
    return !rows.empty();
  };
  return state;
}

bool RowIterator::hasNext() { return state_->fill(); }

Row RowIterator::next() {
  if (!state_->fill()) throw ValidationException("there is no further row; ask hasNext() first");
  Row row = std::move(state_->rows.front());
  state_->rows.pop_front();
  return row;
}

void RowIterator::close() {
  if (state_->cancel && !state_->over) state_->cancel();
  state_->over = true;
  state_->rows.clear();
}

ResultKind TableResult::getResultKind() const {
  if (state_->kind != TableResultState::Kind::AT_HAND) return ResultKind::SUCCESS_WITH_CONTENT;
  const auto& rows = state_->table;
  const bool ok = rows.size() == 1 && rows[0].size() == 1 && !rows[0][0].isNull() && state_->schema.type(0).isString() && rows[0][0].asString() == "OK";
  return ok ? ResultKind::SUCCESS : ResultKind::SUCCESS_WITH_CONTENT;
}

ResolvedSchema TableResult::getResolvedSchema() const { return ResolvedSchema(state_->schema); }

RowIterator TableResult::collect() { return RowIterator(state_); }

void TableResult::print() { print(std::cout); }

void TableResult::print(std::ostream& out) {
  if (state_->kind == TableResultState::Kind::QUERY) printQuery(*state_, out);
  else if (state_->kind == TableResultState::Kind::INSERT) out << "Job has been submitted.\n";
  else printAtHand(*state_, out);
  out.flush();
}

void TableResult::await() {
  if (state_->kind == TableResultState::Kind::QUERY) state_->fill();
  else if (state_->wait) state_->wait();
}

void TableResult::cancel() {
  if (state_->cancel) state_->cancel();
}

}  // namespace thalweg::api
