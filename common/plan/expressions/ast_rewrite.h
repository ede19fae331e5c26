// AstRewriter: a copy of a query's syntax tree with some parts replaced. Subclasses say which.
// Threads: one rewriting; trees are immutable and shared where nothing changes.
#pragma once

#include <optional>
#include <vector>

#include "common/sql/ast.h"

namespace thalweg {

class AstRewriter {
 public:
  virtual ~AstRewriter() = default;

  sql::QueryPtr rewrite(const sql::QueryPtr& query);
  sql::ExprPtr rewrite(const sql::ExprPtr& expr);

 protected:
  /// Another expression for a column; null: the column stays.
  virtual sql::ExprPtr column(const sql::ColumnRef&) { return nullptr; }
  /// Another expression for a call, whose parts are not looked at then; null: the call stays.
  virtual sql::ExprPtr functionCall(const sql::FunctionCall&) { return nullptr; }
  /// The items that a star stands for; nothing: the star stays.
  virtual std::optional<std::vector<sql::SelectItem>> star(const sql::Star&) { return std::nullopt; }
  /// Another table; null: the table stays.
  virtual sql::TableRefPtr table(const sql::NamedTable&) { return nullptr; }

 private:
  template <typename T>
  void each(std::vector<T>& list);
  void part(sql::ExprPtr& expr) { expr = rewrite(expr); }
  void part(sql::OrderItem& item) { item.expr = rewrite(item.expr); }
  void part(sql::CaseBranch& branch);
  void part(sql::GroupItem& item);
  void part(sql::QueryPtr& query) { query = rewrite(query); }
  std::shared_ptr<const sql::WindowSpec> window(const std::shared_ptr<const sql::WindowSpec>& spec);
  std::shared_ptr<const sql::FunctionCall> call(const sql::FunctionCall& call);
  sql::QueryBodyPtr body(const sql::QueryBodyPtr& body);
  sql::QueryBodyPtr select(const sql::SelectBody& select);
  sql::TableRefPtr tableRef(const sql::TableRefPtr& ref);
};

}  // namespace thalweg
