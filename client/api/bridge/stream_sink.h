// Tables as streams: which column goes to which field, what may be cast, which changes a stream may carry.
// Errors: ValidationException as Flink words them, naming the operator that produces updates. Threads: one.
#pragma once

#include "client/api/bridge/stream_bridge.h"

namespace thalweg::api {

/// `type` may be null: rows of the table's columns.
TableStream insertOnlyStream(const Table& table, const DataType* type);
/// The same with updates.
TableStream retractStream(const Table& table, const DataType* type);
TableStream changelogStream(const Table& table, const Schema* schema, ChangelogMode mode);

}  // namespace thalweg::api
