// DatagenColumn: makes the values of one column for given rows, at random or as a sequence, by the options `fields.#.*`.
//
// A value is a function of (seed, row key): rows may be made in any order and any split. The key of a table's row is its
// number; elements of collections get keys derived from it. Nested fields have options under dotted names: `r.x` for
// field x of a row, `a.element`, `m.key`, `m.value`.
// Threads: one owner.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "common/columnar/vector.h"
#include "common/plan/operator_spec.h"

namespace thalweg::worker {

class DatagenColumn {
 public:
  /// Errors: PLAN_ERROR for options that do not fit the type, NOT_SUPPORTED for types that cannot be made.
  static Result<std::unique_ptr<DatagenColumn>> make(const std::string& name, const DataType& type, const OptionMap& options, uint64_t seed);
  virtual ~DatagenColumn() = default;

  virtual VectorPtr values(std::span<const uint64_t> keys, int64_t now_ms) = 0;
};

/// The number of values of the column's sequence, if it is one.
Result<std::optional<int64_t>> datagenSequenceLength(const std::string& name, const OptionMap& options);

}  // namespace thalweg::worker
