#include "client/embedded/state_rows.h"

#include <algorithm>
#include <set>

#include "client/embedded/sql_engine.h"
#include "common/sql/parser.h"
#include "common/sql/script.h"

namespace thalweg::client {
namespace {

void collect(const PlanNodePtr& node, PlannedOperators& found) {
  if (!found.emplace(node->uid, node).second) return;
  for (const PlanInput& input : node->inputs) collect(input.node, found);
}

/// What decides on the plans of INSERTs, and changes nothing outside of the session.
bool countsForPlans(sql::StatementKind kind) {
  switch (kind) {
    case sql::StatementKind::INSERT:
    case sql::StatementKind::STATEMENT_SET:
    case sql::StatementKind::CREATE_TABLE:
    case sql::StatementKind::CREATE_VIEW:
    case sql::StatementKind::CREATE_DATABASE:
    case sql::StatementKind::CREATE_CATALOG:
    case sql::StatementKind::CREATE_FUNCTION:
    case sql::StatementKind::ALTER:
    case sql::StatementKind::DROP:
    case sql::StatementKind::USE:
    case sql::StatementKind::SET:
    case sql::StatementKind::RESET:
    case sql::StatementKind::MODULE: return true;
    default: return false;
  }
}

VectorPtr numberColumn(int64_t value, size_t rows) { return Vector::constant(DataType::bigint(false), Value::integer(value), rows); }

}  // namespace

std::string csvCell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

Result<PlannedOperators> plannedOperators(const std::string& script, const CheckpointManifest& manifest) {
  PlannedOperators best;
  if (script.empty()) return best;
  std::set<std::string> uids;
  for (const auto& op : manifest.operators) uids.insert(op.uid);
  const auto matches = [&](const PlannedOperators& operators) {
    return std::count_if(operators.begin(), operators.end(), [&](const auto& each) { return uids.contains(each.first); });
  };
  SqlEngine engine;
  for (const auto& piece : sql::splitScript(script)) {
    ASSIGN_OR_RETURN(const auto statement, sql::parseStatement(piece.text));
    if (!countsForPlans(statement->kind)) continue;
    ASSIGN_OR_RETURN(BoundStatement bound, engine.session().bind(statement));
    auto* const inserts = std::get_if<BoundInserts>(&bound);
    if (inserts == nullptr) continue;
    ASSIGN_OR_RETURN(const PreparedPlans prepared, engine.prepare(std::move(inserts->sinks)));
    PlannedOperators operators;
    for (const PlanNodePtr& sink : prepared.plan.sinks) collect(sink, operators);
    if (matches(operators) > matches(best)) best = std::move(operators);
  }
  if (matches(best) == 0) return Status::invalid("no INSERT of the script has an operator of this checkpoint: it is of another job, or its statement has changed");
  return best;
}

std::vector<worker::StateTableView> tablesOf(const PlannedOperators& planned, const std::string& uid) {
  const auto found = planned.find(uid);
  return found == planned.end() ? std::vector<worker::StateTableView>() : worker::stateTablesOf(*found->second);
}

Result<StateRowWriter> StateRowWriter::make(const worker::StateTableView& table, StateFormat format, std::ostream& out) {
  std::vector<Column> columns = {{"_table", DataType::string()}, {"_subtask", DataType::bigint(false)}, {"_key_group", DataType::bigint(false)}};
  if (table.has_windows) columns.push_back({"_window_end_ms", DataType::bigint(false)});
  const bool has_keys = std::all_of(table.keys.columns().begin(), table.keys.columns().end(), [&](const Column& key) {
    return std::any_of(table.values.columns().begin(), table.values.columns().end(), [&](const Column& value) { return value.name == key.name; });
  });
  if (!has_keys) columns.insert(columns.end(), table.keys.columns().begin(), table.keys.columns().end());
  columns.insert(columns.end(), table.values.columns().begin(), table.values.columns().end());
  const Schema record(std::move(columns));
  ASSIGN_OR_RETURN(auto encoder, makeFormatEncoder({format == StateFormat::CSV ? "csv" : "json", {}, record}));
  if (format == StateFormat::CSV) {
    for (size_t i = 0; i < record.size(); ++i) out << (i == 0 ? "" : ",") << csvCell(record.column(i).name);
    out << '\n';
  }
  return StateRowWriter(table, !has_keys, std::move(encoder), out);
}

Status StateRowWriter::write(size_t subtask, bool fixed_keys, const worker::StoredTableEntry& entry) {
  std::vector<VectorPtr> values;
  size_t rows = 0;
  RETURN_IF_ERROR(table_->read(entry.payload, values, rows));
  if (rows == 0) return {};
  std::vector<VectorPtr> columns = {Vector::constant(DataType::string(), Value::string(table_->name), rows), numberColumn(static_cast<int64_t>(subtask), rows),
                                    numberColumn(static_cast<int64_t>(entry.key_group), rows)};
  if (table_->has_windows) columns.push_back(numberColumn(entry.ns, rows));
  if (with_keys_) {
    std::vector<VectorPtr> keys;
    RETURN_IF_ERROR(worker::readStateKey(*table_, fixed_keys, entry.key, keys));
    const std::vector<RowIndex> first(rows, 0);
    for (const VectorPtr& key : keys) columns.push_back(Batch(1, {key}).select(first).column(0));
  }
  columns.insert(columns.end(), values.begin(), values.end());
  std::vector<RowIndex> all(rows);
  for (size_t row = 0; row < rows; ++row) all[row] = static_cast<RowIndex>(row);
  std::string text;
  RETURN_IF_ERROR(encoder_->encode(Batch(rows, std::move(columns)), all, text));
  *out_ << text;
  return {};
}

}  // namespace thalweg::client
