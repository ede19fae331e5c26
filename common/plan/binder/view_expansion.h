// ViewExpansion: what the names in a view's query meant when it was made.
//
// While CREATE VIEW binds the query, the binder notes for every table its full name, for every column its table,
// for every star its columns. expand() writes that back into the query, so that the view keeps its meaning, and its
// columns, when tables get new columns or the current database changes.
// Lifetime: the noted trees outlive it. Threads: one binding.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/plan/catalog/catalog.h"
#include "common/sql/ast.h"

namespace thalweg {

class ViewExpansion {
 public:
  void noteTable(const sql::NamedTable& table, const ObjectPath& path) { tables_[&table] = path; }
  /// `alias` of the column's table; empty: the column cannot be qualified.
  void noteColumn(const sql::ColumnRef& ref, const std::string& alias, const std::string& column, size_t parts) {
    columns_[&ref] = {alias, column, parts};
  }
  void noteStarColumn(const sql::Star& star, const std::string& alias, const std::string& column) {
    stars_[&star].push_back({alias, column, 1});
  }
  void beginStar(const sql::Star& star) { stars_[&star].clear(); }

  sql::QueryPtr expand(const sql::QueryPtr& query) const;

 private:
  friend class ViewRewriter;
  struct NotedColumn {
    std::string alias;
    std::string column;
    size_t parts;  ///< of the name as written that mean the column; the rest are fields
  };
  std::map<const sql::NamedTable*, ObjectPath> tables_;
  std::map<const sql::ColumnRef*, NotedColumn> columns_;
  std::map<const sql::Star*, std::vector<NotedColumn>> stars_;
};

}  // namespace thalweg
