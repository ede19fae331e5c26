// Where tables go: sinks by path or descriptor, tables declared by descriptor, views made of tables.
//
// Errors: ValidationException, as the same SQL statements give. Threads: one environment's.
#pragma once

#include <string_view>
#include <vector>

#include "client/api/table/table_state.h"

namespace thalweg::api {

/// The plan that writes `table` to a catalog table.
LogicalNodePtr sinkOf(const Table& table, std::string_view path, bool overwrite);
/// To a table that is in no catalog; without a schema it has the columns of `table`.
LogicalNodePtr sinkOf(const Table& table, const TableDescriptor& descriptor, bool overwrite);

/// The full path of a name as SQL writes it: `t`, `db.t`, with back-ticks where needed.
ObjectPath pathOf(const EnvironmentState& environment, std::string_view path);
/// The declaration that CREATE TABLE with the same columns would make.
TableDefinition definitionOf(const EnvironmentState& environment, const ObjectPath& path, const TableDescriptor& descriptor,
                             const thalweg::Schema* columns = nullptr);
void putTable(EnvironmentState& environment, std::string_view path, const TableDescriptor& descriptor, bool temporary);
/// A temporary view; over one of the same name if `replace`.
void putView(EnvironmentState& environment, std::string_view path, const Table& table, bool replace = true);
/// The table or view of that name.
Table tableAt(const EnvironmentStatePtr& environment, std::string_view path);
Table tableOf(const EnvironmentStatePtr& environment, const TableDescriptor& descriptor);

}  // namespace thalweg::api
