// Scope: the tables and columns that names in one SELECT may mean, and the scopes around it.
//
// A scope belongs to the plan made for a FROM clause; a column is an expression over that plan's output (a plain
// column but for the shared columns of FULL JOIN … USING). Names are case-sensitive. A name found in an enclosing
// scope becomes an outer reference: COLUMN with index level * kOuterStride + column, where level 1 is the query just
// around; decorrelation (subquery_join.h) turns these into joins before a plan leaves the binder.
// Lifetime: names found refer to nothing; scopes are values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/expr/bound_expr.h"
#include "common/plan/logical_plan.h"
#include "common/sql/ast_expression.h"

namespace thalweg {

inline constexpr int kOuterStride = 1 << 20;

struct ScopeTable {
  std::string alias;                    ///< the alias, or the table's own name; empty: cannot be named
  std::optional<ObjectPath> path = {};  ///< of a catalog table without an alias: found by its longer names too
};

struct ScopeColumn {
  std::string name;
  BoundExprPtr expr;
  TimeAttribute time = TimeAttribute::NONE;
  int table = -1;        ///< in tables(); -1: of none (USING columns)
  bool hidden = false;   ///< found only as `table.name`: merged by USING
};

/// A name that was found: the column and how many of the name's parts it took.
struct ScopeMatch {
  const ScopeColumn* column = nullptr;
  size_t parts = 0;
};

class Scope {
 public:
  /// All columns of a plan as one table.
  static Scope ofTable(ScopeTable table, const Schema& schema, int first_column = 0);

  int addTable(ScopeTable table);
  void addColumn(ScopeColumn column) { columns_.push_back(std::move(column)); }
  const std::vector<ScopeTable>& tables() const { return tables_; }
  const std::vector<ScopeColumn>& columns() const { return columns_; }
  std::vector<ScopeColumn>& columns() { return columns_; }

  /// The columns of both, those of `right` with their plan columns moved by `offset`.
  static Scope concat(const Scope& left, const Scope& right, int offset);
  /// The same scope with every column nullable (the side of an outer join that is padded).
  Scope nullable() const;

  /// The column that the first parts of a name mean. Nothing if there is none; PLAN_ERROR if there are several.
  Result<std::optional<ScopeMatch>> find(const sql::QualifiedName& name) const;
  /// Like find for one plain name, over visible columns.
  Result<std::optional<ScopeMatch>> findPlain(const sql::Identifier& name) const;
  /// Positions in columns() of `t.*`, of `*` without a qualifier; nothing if no table has that name.
  std::optional<std::vector<int>> star(const std::vector<sql::Identifier>& qualifier) const;
  /// The alias of a column's table; empty if it has none.
  std::string aliasOf(const ScopeColumn& column) const {
    return column.table < 0 ? std::string() : tables_[static_cast<size_t>(column.table)].alias;
  }
  /// Names for suggestions.
  std::vector<std::string> columnNames() const;
  std::vector<std::string> tableNames() const;

 private:
  std::optional<int> findTable(const std::vector<std::string>& qualifier) const;

  std::vector<ScopeTable> tables_;
  std::vector<ScopeColumn> columns_;
};

/// Adds `offset` to the column indexes of this level (outer references stay).
BoundExprPtr shiftColumns(const BoundExprPtr& expr, int offset);

}  // namespace thalweg
