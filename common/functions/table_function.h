// UNNEST: a collection per row, expanded into a row per element.
//
// For every given row with elements, in order, `source_rows` gets the row's number as often as it has elements, and
// the output columns the elements: of an ARRAY one column, or the fields of its ROW elements; of a MAP key and value;
// of a MULTISET each element as often as it occurs. NULL and empty collections give no rows (a LEFT JOIN finds out by
// comparing). WITH ORDINALITY adds an INT column that counts a collection's rows from 1.
// Nothing is copied: columns are picked from the collection's children.
#pragma once

#include <span>
#include <vector>

#include "common/base/status.h"
#include "common/columnar/batch.h"

namespace thalweg {

/// Names and types of the output columns; PLAN_ERROR for a type that cannot be expanded. Flink's names: EXPR$0 of an
/// array of values, the fields' names of rows, KEY and VALUE of a map, ORDINALITY.
Result<std::vector<Field>> unnestedFields(const DataType& collection, bool with_ordinality);

/// Expands rows `rows` of `collection`.
void unnest(const Vector& collection, std::span<const RowIndex> rows, bool with_ordinality,
            std::vector<RowIndex>& source_rows, std::vector<VectorPtr>& columns);

}  // namespace thalweg
