// TableResult: what a statement or Table::execute() gave — rows to read once, or a job that writes.
//
//   for (RowIterator rows = table.execute().collect(); rows.hasNext();) std::cout << rows.next().toString() << '\n';
//   table.execute().print();
//
// Rows come while the job runs; closing (or dropping) the iterator cancels it. A failing job throws
// JobExecutionException from hasNext(), print() or await(). Threads: one at a time.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include "client/api/thalweg/resolved_schema.h"
#include "client/api/thalweg/row.h"

namespace thalweg::api {

struct TableResultState;

/// Rows in the order they come.
class RowIterator {
 public:
  explicit RowIterator(std::shared_ptr<TableResultState> state) : state_(std::move(state)) {}
  bool hasNext();
  Row next();
  void close();
  template <typename Visit>
  void forEachRemaining(Visit visit) {
    while (hasNext()) visit(next());
  }

 private:
  std::shared_ptr<TableResultState> state_;
};

enum class ResultKind : uint8_t { SUCCESS, SUCCESS_WITH_CONTENT };

class TableResult {
 public:
  explicit TableResult(std::shared_ptr<TableResultState> state) : state_(std::move(state)) {}

  ResultKind getResultKind() const;
  ResolvedSchema getResolvedSchema() const;
  RowIterator collect();
  /// The rows in a frame, with their kinds in streaming mode; `OK` for definitions. On standard output.
  void print();
  void print(std::ostream& out);
  /// Waits for the end of a job that writes; for the first row of a query.
  void await();
  /// Ends the job, if one runs.
  void cancel();

 private:
  std::shared_ptr<TableResultState> state_;
};

}  // namespace thalweg::api
