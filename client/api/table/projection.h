// Fields of select() and its kin as SELECT items: column functions spread out, names as Flink's Table API gives them.
//
// An unnamed field is called as its column, as `row$field` for a field of a row, `EXPR$i` for the i-th aggregate, else
// `_c` and its place. Errors: ValidationException. Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "client/api/thalweg/expression.h"
#include "common/sql/ast.h"
#include "common/types/schema.h"

namespace thalweg::api {

/// `*`, withColumns(), withoutColumns() replaced by columns of `input`.
std::vector<Expression> spreadColumns(const std::vector<Expression>& fields, const thalweg::Schema& input);
std::vector<sql::SelectItem> selectItems(const std::vector<Expression>& fields, const thalweg::Schema& input);
/// The name an expression gives its column: its alias, or that of the column it reads; empty if it has none.
std::string nameOf(const Expression& field);
/// Whether it is an aggregate that is not over a window.
bool isAggregateCall(const sql::FunctionCall& call);
/// Whether one is in it.
bool containsAggregate(const Expression& field);
std::vector<sql::ExprPtr> nodesOf(const std::vector<Expression>& fields);
/// The keys of orderBy() with asc() and desc().
std::vector<sql::OrderItem> orderItems(const std::vector<Expression>& fields);
/// Throws if `schema` has no column of that name, naming those it has.
void requireColumn(const thalweg::Schema& schema, const std::string& name, const char* what);

}  // namespace thalweg::api
