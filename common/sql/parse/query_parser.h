// Reads queries: WITH, set operations, SELECT, VALUES, ORDER BY and LIMIT.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/ast_query.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class QueryParser {
 public:
  explicit QueryParser(TokenCursor& cursor) : cursor_(cursor) {}

  /// Whether a query comes next that is not in parentheses.
  bool atQuery() const;
  /// A whole query, in parentheses or not.
  Result<QueryPtr> parse();

  /// Whether what comes next makes a larger query of one in parentheses: UNION, ORDER BY, LIMIT ..
  bool atContinuation() const;
  /// The larger query that starts with `first`, whose first token is `start`.
  Result<QueryPtr> parseContinuation(const QueryPtr& first, std::size_t start);

 private:
  Status parseWith(Query& query);
  Result<CommonTable> parseCommonTable();
  Result<QueryBodyPtr> parseSetOperations(int level);
  Result<QueryBodyPtr> extendSetOperations(QueryBodyPtr left, std::size_t start, int level);
  Result<QueryBodyPtr> parseTerm();
  Result<QueryBodyPtr> parseSelect();
  Status parseSelectList(SelectBody& select);
  Result<SelectItem> parseSelectItem();
  Status parseSelectClauses(SelectBody& select);
  Result<GroupBy> parseGroupBy();
  Result<GroupItem> parseGroupItem();
  Result<std::vector<GroupItem>> parseGroupItems();
  Result<std::vector<NamedWindow>> parseWindows();
  Result<QueryBodyPtr> parseValues();
  Result<std::vector<ExprPtr>> parseValuesRow();
  Result<QueryBodyPtr> parseExplicitTable();
  Status parseTail(Query& query);
  Result<ExprPtr> parseRowCount();
  Result<QueryPtr> finish(std::shared_ptr<Query> query, std::size_t start);

  TokenCursor& cursor_;
};

}  // namespace thalweg::sql
