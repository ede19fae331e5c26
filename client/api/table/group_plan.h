// Groups and group windows as SQL has them: GROUP BY with the functions TUMBLE, HOP and SESSION.
// Errors: ValidationException for a window that is not complete. Threads: one environment's.
#pragma once

#include <string>
#include <vector>

#include "client/api/table/table_state.h"
#include "common/functions/session_functions.h"
#include "common/plan/expressions/ast_rewrite.h"

namespace thalweg::api {

/// `SELECT items FROM table GROUP BY keys`.
Table groupedTable(const Table& table, const std::vector<sql::ExprPtr>& keys, std::vector<sql::SelectItem> items);
/// The functions that a program registered where `table` lives.
const SessionFunctions& functionsOf(const Table& table);

/// What stands for a group window in expressions: its name as a key, and marks of its bounds.
class WindowMarks {
 public:
  explicit WindowMarks(std::string alias) : alias_(std::move(alias)) {}
  bool isWindow(const sql::Expr& expr) const;
  /// What a mark of this window stands for: `_START`, `_END`, `_ROWTIME`, `_PROCTIME`; empty if it is none.
  std::string suffixOf(const sql::FunctionCall& found) const;

 private:
  std::string alias_;
};

/// A group window as SQL's group functions; rewrite() replaces start(), end() and time attributes of the window.
class WindowCalls : public AstRewriter, public WindowMarks {
 public:
  explicit WindowCalls(const GroupWindow& window);
  /// The call that groups, or with a suffix the one that names a bound.
  sql::ExprPtr call(const std::string& suffix = "") const;
  std::vector<sql::ExprPtr> keys(const std::vector<Expression>& keys) const;

 protected:
  sql::ExprPtr functionCall(const sql::FunctionCall& found) override;

 private:
  GroupWindow window_;
  std::vector<sql::ExprPtr> args_;
};

}  // namespace thalweg::api
