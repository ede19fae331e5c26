// How a stream's columns become a table's: schemas, field expressions, and what printSchema() shows of them.
// Errors: ValidationException naming the column and those there are. Threads: pure but for the environment they add to.
#pragma once

#include <vector>

#include "client/api/bridge/stream_bridge.h"

namespace thalweg::api {

/// `schema` may be null: the record's columns as they are. `rowtime_type` is the type of timestamps before any cast.
Table tableOfStream(const EnvironmentStatePtr& environment, TableSource source, const Schema* schema, ChangelogMode mode,
                    const DataType& rowtime_type = DataType::timestampLtz(3));
/// The older form: fields chosen by expressions.
Table tableOfFields(const EnvironmentStatePtr& environment, TableSource source, const std::vector<Expression>& fields);

}  // namespace thalweg::api
