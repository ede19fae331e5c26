// Turns a type as it was written into a DataType, with Flink's defaults and limits.
// Errors: PLAN_ERROR at the type's place in the text. Threads: pure functions.
#pragma once

#include "common/base/status.h"
#include "common/sql/ast_name.h"
#include "common/types/data_type.h"

namespace thalweg {

/// Where a type stands: a column of a table may not be an INTERVAL, a CAST's target may.
enum class TypePlace : uint8_t { COLUMN, CAST };

Result<DataType> bindType(const sql::TypeSpec& spec, TypePlace place);

/// The type of `INTERVAL .. qualifier`: all are INTERVAL MONTH or INTERVAL SECOND(3), here NOT NULL.
DataType intervalType(const sql::IntervalQualifier& qualifier);

}  // namespace thalweg
