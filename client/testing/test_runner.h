// Runs `.test` files against the embedded engine: what `thalweg test` does.
//
// Every query starts from a fresh engine in a fresh folder: the files before it are written there, the set-up before it
// runs, then the query; `${dir}` in SQL is the folder. Settings are those of docs/reference/test-format.md.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "client/embedded/job_handle.h"
#include "client/testing/answer_check.h"

namespace thalweg::testing {

struct TestOptions {
  std::vector<std::string> paths;     ///< files and folders
  std::string filter;                 ///< only queries whose text or file name contains this
  size_t batch_rows = 0;              ///< > 0: rows per source batch
  int parallelism = 1;
  bool mini_batch = false;
  bool in_batch = false;              ///< streaming queries run in batch mode
  int stop_after_rows = 0;            ///< > 0: streaming queries stop with a savepoint whenever each source has given so many rows
  bool spills = false;                ///< all keyed state goes to disk after every batch; only tables are compared
  bool rescale = false;               ///< and go on with another parallelism each time
  bool record = false;                ///< write the engine's answers into the files
  std::shared_ptr<client::JobLauncher> launcher;   ///< where jobs run; null: in this process
  bool quiet = false;                 ///< no differences, only the table
  /// Files of queries (`folder/file.test:line reason`) that are known to fail: they are run and counted, but only
  /// another failure makes the run fail, or (in the mode as recorded) a known one that now passes. A name that begins
  /// with `~` may do either.
  std::vector<std::string> known_failures;
};

/// Whether only the table that a query leads to is compared, not its messages.
bool comparesTablesOnly(const TestOptions& options);

struct TestTotals {
  size_t passed = 0;
  size_t wrong = 0;
  size_t unsupported = 0;
  size_t total() const { return passed + wrong + unsupported; }
};

/// Prints failures, a table per folder and `N passed, N failed`; true if none failed.
/// Errors: unreadable paths and malformed files.
Result<bool> runTests(const TestOptions& options, std::ostream& out);

}  // namespace thalweg::testing
