// How a query's rows are shown while they come: one view per result mode.
//
//   TABLE      the current result; repainted in place on a terminal, printed once at the end elsewhere (there only if it
//              is asked for: a stream that is piped is shown as TABLEAU); the last one in full, however high
//   CHANGELOG  every change as a line of a frame with the op column
//   TABLEAU    the same for streams; a plain table when the whole result is known (batch)
//
// Output that is not a terminal gets no control codes. Threads: the shell's.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "client/embedded/sql_engine.h"
#include "client/tableau/tableau.h"

namespace thalweg::shell {

using client::cellsOf;
using client::Tableau;

struct ViewSettings {
  std::string mode = "TABLE";        ///< sql-client.execution.result-mode
  bool batch = false;                ///< the query's rows are final
  bool terminal = false;             ///< output is one
  std::function<void(ViewSettings&)> measure;   ///< gives the terminal's size of now; null: it stays
  size_t terminal_rows = 24;
  size_t terminal_columns = 80;      ///< a repainted line never wraps
  size_t column_width_max = 30;
  size_t table_rows_max = 1000000;
  std::vector<SortKey> order;        ///< of a TABLE's rows; empty: as they come
  TimeZone zone;
};

class ResultView {
 public:
  virtual ~ResultView() = default;
  virtual void add(const Batch& batch) = 0;
  /// Called now and then while the query runs.
  virtual void tick(const client::JobProgress& progress, int64_t now_ms) = 0;
  /// `took_ms` is shown with a result that is whole; negative: it is not.
  virtual void finish(const client::JobProgress& progress, bool ended_well, int64_t took_ms) = 0;

  static std::unique_ptr<ResultView> make(const Schema& schema, const ViewSettings& settings, std::ostream& out);
};

/// Lines that say how many records and rows a job left out, if any; `whose` comes first.
void noteSkipped(const client::JobProgress& progress, std::ostream& out, const std::string& whose = {});

}  // namespace thalweg::shell
