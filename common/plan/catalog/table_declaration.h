// Turns CREATE TABLE's text into a TableDefinition: columns, key, watermark, partitions, LIKE, columns of AS.
// Errors: PLAN_ERROR with position. Threads: pure functions.
#pragma once

#include "common/base/status.h"
#include "common/plan/binder/bind_environment.h"
#include "common/sql/ast.h"

namespace thalweg {

/// One column as declared; COMPUTED columns get their type when the table is resolved.
Result<TableColumn> declareColumn(const sql::ColumnDefinition& column);
/// The columns that `PRIMARY KEY` names, checked; at most one key may be among `elements`.
Result<std::optional<sql::TableConstraint>> declaredKey(const sql::TableElements& elements);

/// The declaration with LIKE merged in and the columns of AS (`query_schema`, null without AS), checked as a whole.
Result<TableDefinition> declareTable(const BindEnvironment& environment, const ObjectPath& path,
                                     const sql::CreateTableStatement& create, const Schema* query_schema);

/// The checks that need all columns: duplicates, key, partitions, watermark, bound expressions.
Status checkDefinition(const BindEnvironment& environment, const ObjectPath& path, const TableDefinition& definition,
                       SourcePosition position);

/// `DISTRIBUTED BY HASH(`a`) INTO 4 BUCKETS`.
Result<std::string> distributionText(const sql::Distribution& distribution, const TableDefinition& definition);

}  // namespace thalweg
