// Values as text, in the two forms people see.
//
// Row form: Flink's Row.toString, as the conformance cases and programs print results: `+I[1, abc, null]`, ISO
// timestamps, LTZ as an instant in UTC, bytes and arrays `[1, 2]`, maps `{k=v}`, intervals `PT36H`.
// Cast form: what CAST(x AS STRING) gives, also shown in the shell's tables: `(1, NULL)`, `TRUE`,
// `2024-05-05 07:00:00.000`, LTZ in the session zone.
#pragma once

#include <span>
#include <string>

#include "common/types/data_type.h"
#include "common/types/time_zone.h"
#include "common/types/value.h"

namespace thalweg {

/// Appends `value` in row form; NULL is `null`.
void appendRowForm(std::string& out, const Value& value, const DataType& type);
std::string rowForm(const Value& value, const DataType& type);
/// A whole row: `+U[1, null]`.
std::string rowForm(RowKind kind, std::span<const Value> values, std::span<const DataType> types);

/// Appends `value` in cast form; NULL is `NULL` (at top level the cast of NULL is NULL: callers test first).
void appendCastForm(std::string& out, const Value& value, const DataType& type, const TimeZone& session_zone);
std::string castForm(const Value& value, const DataType& type, const TimeZone& session_zone);

}  // namespace thalweg
