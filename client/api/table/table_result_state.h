// What is behind a TableResult: rows at hand, or a job whose rows come batch by batch or record by record.
// Threads: one at a time.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "client/api/table/table_state.h"
#include "client/api/thalweg/table_result.h"
#include "common/types/time_zone.h"

namespace thalweg::api {

struct TableResultState {
  enum class Kind : uint8_t { AT_HAND, QUERY, INSERT };
  Kind kind = Kind::AT_HAND;
  thalweg::Schema schema = {};
  std::vector<std::vector<Value>> table = {};   ///< AT_HAND
  bool with_op = false;                         ///< print() shows row kinds: a query in streaming mode
  TimeZone zone = {};
  size_t column_width_max = 30;
  std::shared_ptr<const std::vector<Field>> fields = nullptr;

  /// Adds rows to `rows`, waiting for some; false at the end. Throws what made the job fail.
  std::function<bool(std::deque<Row>& rows)> more = {};
  std::function<void()> wait = {};              ///< for the job's end; throws what made it fail
  std::function<void()> cancel = {};

  std::deque<Row> rows = {};                    ///< come, but not yet handed out
  bool over = false;
  bool elsewhere = false;                       ///< rows are in another process of the program: nothing is printed here

  /// Waits for the next row. False at the end.
  bool fill();
};

/// A state for rows of `schema` with the environment's zone and widths.
std::shared_ptr<TableResultState> resultOf(TableResultState::Kind kind, const thalweg::Schema& schema, const EnvironmentState& environment);
/// Of what the engine did by itself.
std::shared_ptr<TableResultState> makeResult(client::StatementOutcome outcome, const EnvironmentState& environment);

}  // namespace thalweg::api
