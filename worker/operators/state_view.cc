#include "worker/operators/state_view.h"

#include <memory>

#include "common/columnar/key_codec.h"
#include "common/columnar/row_codec.h"
#include "common/functions/aggregates/state_bytes.h"
#include "worker/operators/aggregate/aggregate_set.h"
#include "worker/operators/join/join_rows.h"
#include "worker/operators/rank/rank_rows.h"

namespace thalweg::worker {
namespace {

using Rows = std::vector<std::string_view>;
/// Finds the encoded rows of an entry.
using RowsOf = std::function<Status(std::string_view payload, Rows& rows)>;

Status otherState() { return Status::invalid("the state was not written by this operator"); }

std::vector<DataType> typesOf(const Schema& schema) {
  std::vector<DataType> types;
  for (const Column& column : schema.columns()) types.push_back(column.type);
  return types;
}

Schema columnsOf(const Schema& schema, const std::vector<int>& numbers) {
  std::vector<Column> columns;
  for (const int number : numbers) columns.push_back(schema.column(static_cast<size_t>(number)));
  return Schema(std::move(columns));
}

StateTableView rowsTable(std::string name, const Schema& input, const std::vector<int>& keys, RowsOf rows_of) {
  StateTableView view{.name = std::move(name), .keys = columnsOf(input, keys), .values = input};
  auto codec = std::make_shared<RowCodec>(typesOf(input));
  view.read = [codec, rows_of = std::move(rows_of)](std::string_view payload, std::vector<VectorPtr>& columns, size_t& rows) -> Status {
    Rows encoded;
    RETURN_IF_ERROR(rows_of(payload, encoded));
    for (const std::string_view row : encoded) {
      if (!codec->validate(row)) return otherState();
    }
    rows = encoded.size();
    columns = codec->decodeAll(encoded);
    return {};
  };
  return view;
}

/// Accumulators as the results that they stand for.
Result<StateTableView> resultsTable(std::string name, const Schema& input, const std::vector<int>& keys, const std::vector<AggregateCallSpec>& calls,
                                    bool retracts, bool batch_mode) {
  ASSIGN_OR_RETURN(const auto set, AggregateSet::make(calls, retracts, batch_mode, sizeof(int64_t)));
  std::vector<Column> results;
  for (const AggregateCallSpec& call : calls) results.push_back({call.name, call.result_type});
  StateTableView view{.name = std::move(name), .keys = columnsOf(input, keys), .values = Schema(std::move(results))};
  view.read = [set](std::string_view payload, std::vector<VectorPtr>& columns, size_t& rows) -> Status {
    std::vector<uint64_t> memory(set->entryBytes() / sizeof(uint64_t) + 1);
    char* const entry = reinterpret_cast<char*>(memory.data());
    if (!set->deserialize(payload, entry).isOk()) return otherState();
    const char* const entries[] = {entry};
    const Status status = set->finalize(entries, columns);
    set->destroy(entry);
    rows = 1;
    return status;
  };
  return view;
}

/// Only that a key was seen.
StateTableView seenTable(std::string name, const Schema& input, const std::vector<int>& keys) {
  StateTableView view{.name = std::move(name), .keys = columnsOf(input, keys)};
  view.read = [](std::string_view, std::vector<VectorPtr>& columns, size_t& rows) -> Status {
    columns.clear();
    rows = 1;
    return {};
  };
  return view;
}

/// Below: where the rows stand in what the operators write.
Status rankedRows(std::string_view payload, Rows& rows) {
  StateReader reader(payload);
  reader.number<int64_t>();
  for (auto groups = reader.count(2 * sizeof(uint64_t)); groups > 0 && reader.isOk(); --groups) {
    reader.text();
    for (auto left = reader.count(2 * sizeof(uint64_t)); left > 0 && reader.isOk(); --left) {
      reader.text();
      rows.push_back(reader.text());
    }
  }
  return reader.isDone() ? Status() : otherState();
}

Status joinedRows(std::string_view payload, Rows& rows) {
  StateReader reader(payload);
  for (auto left = reader.count(2 * sizeof(uint64_t) + sizeof(uint32_t)); left > 0 && reader.isOk(); --left) {
    reader.number<int64_t>();
    reader.number<uint32_t>();
    rows.push_back(reader.text());
  }
  return reader.isDone() ? Status() : otherState();
}

Status keptRow(std::string_view payload, Rows& rows) {
  StateReader reader(payload);
  reader.number<int64_t>();
  reader.number<uint64_t>();
  const bool exists = reader.number<uint8_t>() != 0;
  const std::string_view row = reader.text();
  if (exists) rows.push_back(row);
  return reader.isDone() ? Status() : otherState();
}

Status lastRow(std::string_view payload, Rows& rows) {
  if (payload.empty()) return otherState();
  if (payload[0] != 0) rows.push_back(payload.substr(1));
  return {};
}

void addJoin(const JoinSpec& join, const PlanNode& node, bool has_windows, std::vector<StateTableView>& tables) {
  for (const size_t side : {size_t{0}, size_t{1}}) {
    tables.push_back(rowsTable(side == 0 ? "left" : "right", node.inputs[side].node->schema, side == 0 ? join.left_keys : join.right_keys, joinedRows));
    tables.back().has_windows = has_windows;
  }
}

void add(Result<StateTableView> table, bool has_windows, std::vector<StateTableView>& tables) {
  if (!table.isOk()) return;
  tables.push_back(*std::move(table));
  tables.back().has_windows = has_windows;
}

}  // namespace

std::vector<StateTableView> stateTablesOf(const PlanNode& node) {
  std::vector<StateTableView> tables;
  if (node.inputs.empty()) return tables;
  const Schema& input = node.inputs[0].node->schema;
  if (const auto* group = std::get_if<GroupAggregateSpec>(&node.spec)) {
    add(resultsTable("groups", input, group->keys, group->calls, group->input_retracts, group->final_only), false, tables);
  } else if (const auto* window = std::get_if<WindowAggregateSpec>(&node.spec)) {
    const bool is_session = window->window.kind == WindowKind::SESSION && !window->attached;
    std::vector<int> keys = window->keys;
    if (window->attached) keys.push_back(window->start_column);
    const bool emits = node.mode.update_after;
    if (!is_session) add(resultsTable("windows", input, keys, window->calls, !emits && window->input_retracts, !emits && window->final_only), true, tables);
  } else if (const auto* join = std::get_if<JoinSpec>(&node.spec)) {
    if (!join->final_only) addJoin(*join, node, false, tables);
  } else if (const auto* windows = std::get_if<WindowJoinSpec>(&node.spec)) {
    addJoin(windows->join, node, true, tables);
  } else if (const auto* rank = std::get_if<RankSpec>(&node.spec)) {
    tables.push_back(rowsTable("partitions", input, rank->partition_keys, rankedRows));
  } else if (const auto* first = std::get_if<DeduplicateSpec>(&node.spec)) {
    tables.push_back(rowsTable("rows", input, first->keys, keptRow));
    tables.push_back(seenTable("seen", input, first->keys));
    tables.push_back(seenTable("sent", input, first->keys));
  } else if (const auto* normalize = std::get_if<ChangelogNormalizeSpec>(&node.spec)) {
    tables.push_back(rowsTable("rows", input, normalize->keys, lastRow));
  }
  return tables;
}

Status readStateKey(const StateTableView& table, bool fixed_keys, std::string_view key, std::vector<VectorPtr>& columns) {
  columns.clear();
  const std::vector<DataType> types = typesOf(table.keys);
  if (types.empty()) return {};
  if (!fixed_keys) return decodeKeys({&key, 1}, types, columns);
  if (types.size() != 1 || key.size() != sizeof(uint64_t)) return otherState();
  const uint64_t word = loadKeyWord(key);
  columns.push_back(decodeKeyWords({&word, 1}, types[0]));
  return {};
}

}  // namespace thalweg::worker
