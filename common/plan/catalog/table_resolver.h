// Resolves a declared table: binds its computed columns and watermark, finds its time attributes and metadata.
//
// Two steps: resolveSchema needs the declaration only (CREATE TABLE, DESCRIBE), resolveTable also checks the
// connector's options for a use (unknown and ill-valued options fail here, not at CREATE).
// Errors: PLAN_ERROR with position where the text is at hand. Threads: pure functions.
#pragma once

#include <memory>

#include "common/base/status.h"
#include "common/plan/binder/bind_environment.h"
#include "common/plan/catalog/connector_descriptor.h"

namespace thalweg {

/// Binds the declaration: column expressions, watermark, key. `definition`'s COMPUTED columns get their types.
Result<ResolvedTable> resolveSchema(const BindEnvironment& environment, ObjectPath path, TableDefinition definition);

/// The table ready to be read or written, `hint_options` over its own options.
Result<std::shared_ptr<const ResolvedTable>> resolveTable(const BindEnvironment& environment, const ObjectPath& path,
                                                          const TableDefinition& definition,
                                                          const OptionMap& hint_options, TableUse use);

/// A stream as a table. `columns` are what comes: the record's, and if `rowtime` the record's timestamp last. Declared
/// columns are found among them by name and cast; a single column of a row type that is none of them is the whole record.
Result<std::shared_ptr<const ResolvedTable>> resolveStream(const BindEnvironment& environment, const ObjectPath& path,
                                                           const TableDefinition& definition, const StreamInput& input,
                                                           const Schema& columns, bool rowtime);

/// Physical columns as declared.
Schema physicalSchema(const TableDefinition& definition);

}  // namespace thalweg
