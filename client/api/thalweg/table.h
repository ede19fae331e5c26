// Table: a query that can be refined, named, executed, or turned into a stream.
//
//   Table result = tEnv.from("Orders")
//                      .filter($("amount") > 10)
//                      .groupBy($("user"))
//                      .select($("user"), $("amount").sum().as("total"));
//
// Calls are checked at once and give new Tables; nothing runs before execute(), executeInsert(), or the environment's
// execute(). Errors: ValidationException naming the column or type at fault. Threads: one environment's.
// Lifetime: a Table keeps its environment alive.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/api/thalweg/expressions.h"
#include "client/api/thalweg/group_windows.h"
#include "client/api/thalweg/resolved_schema.h"
#include "client/api/thalweg/table_descriptor.h"
#include "client/api/thalweg/table_result.h"

namespace thalweg::api {

struct TableState;
using TableStatePtr = std::shared_ptr<const TableState>;
class GroupedTable;
class GroupWindowedTable;
class OverWindowedTable;
class AggregatedTable;
class TablePipeline;

class Table {
 public:
  explicit Table(TableStatePtr state) : state_(std::move(state)) {}

  template <typename... Fields>
  Table select(const Fields&... fields) const { return selectOf({Expression(fields)...}); }
  /// New names for all columns, or for the first ones.
  template <typename... Names>
  Table as(const Names&... names) const { return asOf({std::string(names)...}); }
  Table filter(const Expression& condition) const;
  Table where(const Expression& condition) const { return filter(condition); }
  Table distinct() const;

  template <typename... Fields>
  Table addColumns(const Fields&... fields) const { return addColumnsOf({Expression(fields)...}, false); }
  template <typename... Fields>
  Table addOrReplaceColumns(const Fields&... fields) const { return addColumnsOf({Expression(fields)...}, true); }
  template <typename... Fields>
  Table renameColumns(const Fields&... fields) const { return renameColumnsOf({Expression(fields)...}); }
  template <typename... Fields>
  Table dropColumns(const Fields&... fields) const { return dropColumnsOf({Expression(fields)...}); }

  template <typename... Fields>
  GroupedTable groupBy(const Fields&... fields) const;
  GroupWindowedTable window(const GroupWindow& window) const;
  template <typename... Windows>
  OverWindowedTable window(const OverWindow& first, const Windows&... more) const;

  Table join(const Table& right) const;
  Table join(const Table& right, const Expression& condition) const;
  Table leftOuterJoin(const Table& right) const;
  Table leftOuterJoin(const Table& right, const Expression& condition) const;
  Table rightOuterJoin(const Table& right, const Expression& condition) const;
  Table fullOuterJoin(const Table& right, const Expression& condition) const;
  /// Each row with the rows that a table function gives for it; as("a", "b") names its columns.
  Table joinLateral(const Expression& call) const;
  Table joinLateral(const Expression& call, const Expression& condition) const;
  Table leftOuterJoinLateral(const Expression& call) const;
  /// The condition can only be lit(true).
  Table leftOuterJoinLateral(const Expression& call, const Expression& condition) const;

  Table union_(const Table& right) const;
  Table unionAll(const Table& right) const;
  Table intersect(const Table& right) const;
  Table intersectAll(const Table& right) const;
  Table minus(const Table& right) const;
  Table minusAll(const Table& right) const;

  template <typename... Fields>
  Table orderBy(const Fields&... fields) const { return orderByOf({Expression(fields)...}); }
  Table offset(int64_t rows) const;
  Table fetch(int64_t rows) const;
  Table limit(int64_t rows) const { return fetch(rows); }
  Table limit(int64_t offset_rows, int64_t rows) const { return offset(offset_rows).fetch(rows); }

  /// The fields of the row that a function gives, as columns.
  Table map(const Expression& call) const;
  /// The rows that a table function gives.
  Table flatMap(const Expression& call) const;
  /// One aggregate function over the whole table.
  AggregatedTable aggregate(const Expression& call) const;
  /// One table aggregate function over the whole table.
  AggregatedTable flatAggregate(const Expression& call) const;

  ResolvedSchema getResolvedSchema() const;
  void printSchema() const;
  std::string explain() const;
  TableResult execute() const;
  TablePipeline insertInto(std::string_view path, bool overwrite = false) const;
  TablePipeline insertInto(const TableDescriptor& descriptor, bool overwrite = false) const;
  TableResult executeInsert(std::string_view path, bool overwrite = false) const;
  TableResult executeInsert(const TableDescriptor& descriptor, bool overwrite = false) const;
  /// A name under which SQL text can use this table: `"SELECT * FROM " + table`.
  std::string toString() const;

  const TableStatePtr& state() const { return state_; }

 private:
  Table selectOf(const std::vector<Expression>& fields) const;
  Table asOf(const std::vector<std::string>& names) const;
  Table addColumnsOf(const std::vector<Expression>& fields, bool replace) const;
  Table renameColumnsOf(const std::vector<Expression>& fields) const;
  Table dropColumnsOf(const std::vector<Expression>& fields) const;
  Table orderByOf(const std::vector<Expression>& fields) const;

  TableStatePtr state_;
};

inline std::string operator+(const std::string& sql, const Table& table) { return sql + table.toString(); }
inline std::string operator+(const char* sql, const Table& table) { return sql + table.toString(); }

/// groupBy(): keys that wait for select() or aggregate().
class GroupedTable {
 public:
  GroupedTable(Table table, std::vector<Expression> keys) : table_(std::move(table)), keys_(std::move(keys)) {}
  template <typename... Fields>
  Table select(const Fields&... fields) const { return selectOf({Expression(fields)...}); }
  AggregatedTable aggregate(const Expression& call) const;
  AggregatedTable flatAggregate(const Expression& call) const;

 private:
  Table selectOf(const std::vector<Expression>& fields) const;
  Table table_;
  std::vector<Expression> keys_;
};

/// aggregate() and flatAggregate(): the keys, the window's bounds and the function's fields can be selected.
class AggregatedTable {
 public:
  /// `flat`: `call` is of a table aggregate function, which gives any number of rows.
  AggregatedTable(Table table, std::vector<Expression> keys, Expression call, bool flat, std::optional<GroupWindow> window = {})
      : table_(std::move(table)), keys_(std::move(keys)), call_(std::move(call)), flat_(flat), window_(std::move(window)) {}
  template <typename... Fields>
  Table select(const Fields&... fields) const { return selectOf({Expression(fields)...}); }

 private:
  Table selectOf(const std::vector<Expression>& fields) const;
  Table table_;
  std::vector<Expression> keys_;
  Expression call_;
  bool flat_;
  std::optional<GroupWindow> window_;
};
using FlatAggregateTable = AggregatedTable;

class WindowGroupedTable {
 public:
  WindowGroupedTable(Table table, GroupWindow window, std::vector<Expression> keys)
      : table_(std::move(table)), window_(std::move(window)), keys_(std::move(keys)) {}
  template <typename... Fields>
  Table select(const Fields&... fields) const { return selectOf({Expression(fields)...}); }
  AggregatedTable aggregate(const Expression& call) const { return AggregatedTable(table_, keys_, call, false, window_); }
  AggregatedTable flatAggregate(const Expression& call) const { return AggregatedTable(table_, keys_, call, true, window_); }

 private:
  Table selectOf(const std::vector<Expression>& fields) const;
  Table table_;
  GroupWindow window_;
  std::vector<Expression> keys_;
};

/// window(Tumble::over(…).on(…).as("w")): groupBy() must name the window, and may name further keys.
class GroupWindowedTable {
 public:
  GroupWindowedTable(Table table, GroupWindow window) : table_(std::move(table)), window_(std::move(window)) {}
  template <typename... Fields>
  WindowGroupedTable groupBy(const Fields&... fields) const { return groupByOf({Expression(fields)...}); }

 private:
  WindowGroupedTable groupByOf(const std::vector<Expression>& keys) const;
  Table table_;
  GroupWindow window_;
};

/// window(Over::…): select() may use the windows in over().
class OverWindowedTable {
 public:
  OverWindowedTable(Table table, std::vector<OverWindow> windows) : table_(std::move(table)), windows_(std::move(windows)) {}
  template <typename... Fields>
  Table select(const Fields&... fields) const { return selectOf({Expression(fields)...}); }

 private:
  Table selectOf(const std::vector<Expression>& fields) const;
  Table table_;
  std::vector<OverWindow> windows_;
};

/// insertInto(): a table and where it goes.
class TablePipeline {
 public:
  explicit TablePipeline(TableStatePtr state, std::shared_ptr<const void> sink) : state_(std::move(state)), sink_(std::move(sink)) {}
  TableResult execute() const;
  std::string explain() const;
  const TableStatePtr& state() const { return state_; }
  const std::shared_ptr<const void>& sink() const { return sink_; }

 private:
  TableStatePtr state_;
  std::shared_ptr<const void> sink_;   ///< the engine's plan of the sink
};

template <typename... Fields>
GroupedTable Table::groupBy(const Fields&... fields) const {
  return GroupedTable(*this, {Expression(fields)...});
}
template <typename... Windows>
OverWindowedTable Table::window(const OverWindow& first, const Windows&... more) const {
  return OverWindowedTable(*this, {first, OverWindow(more)...});
}

}  // namespace thalweg::api
