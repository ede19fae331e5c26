// AggregateFunction and AggregateKernel: SUM, COUNT, LISTAGG … over accumulators that live in keyed state.
//
// An accumulator is `stateBytes()` raw bytes inside the entry of its group, 8-byte aligned, relocatable by memcpy
// when `isTrivial()`, else owning memory that destroy() frees. A kernel instance belongs to one operator; it keeps
// no per-group data of its own.
//
// update() folds a run of rows, each into the accumulator states[i]; rows may share accumulators and are folded in
// row order. `retract[i]` (may be null: none) means the row takes its value back. `filter` (may be null: all)
// selects rows by byte != 0; rows filtered out touch nothing. DISTINCT is a wrapper (distinctAggregate) around any
// kernel, so kernels never see it.
// trace() is update() that also appends to `before` and `after`, for every row, the result of that row's group
// before and after the row was folded (in row order; rows filtered out append equal results). That is what a
// streaming group aggregate needs to emit per-row changelogs column-at-a-time. The default calls update() and
// finalize() a row at a time; common functions override it with one tight loop.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/status.h"
#include "common/columnar/builder.h"
#include "common/functions/scalar_function.h"

namespace thalweg {

/// The rows of one update call.
struct AggregateInput {
  std::span<char* const> states;                ///< one accumulator address per row
  std::span<const VectorPtr> arguments;         ///< resolved types, any encoding
  const uint8_t* retract = nullptr;             ///< per row; null: all accumulate
  const uint8_t* filter = nullptr;              ///< per row; null: all rows count
  size_t rows() const { return states.size(); }
};

class AggregateKernel {
 public:
  virtual ~AggregateKernel() = default;

  virtual size_t stateBytes() const = 0;
  virtual bool isTrivial() const { return true; }
  virtual void init(char* state) const = 0;
  virtual void destroy(char* state) const { (void)state; }

  virtual Status update(const AggregateInput& input) = 0;
  virtual Status trace(const AggregateInput& input, ColumnBuilder& before, ColumnBuilder& after);
  /// Appends the result of each state to `out`.
  virtual Status finalize(std::span<const char* const> states, ColumnBuilder& out) = 0;
  /// Folds `from` into `into` (window panes, two-phase aggregation). `from` stays valid.
  virtual Status merge(char* into, const char* from) = 0;
  /// Takes merged-in panes back where the function is invertible; NOT_SUPPORTED otherwise.
  virtual bool isInvertible() const { return false; }

  /// Portable bytes of an accumulator, for snapshots and spilling; default: the raw bytes when trivial.
  virtual void serialize(const char* state, std::string& out) const;
  /// Builds an accumulator (memory at `state` is uninitialised) from serialize()'s bytes.
  virtual Status deserialize(std::string_view bytes, char* state) const;
};

/// What a kernel is made of.
struct AggregateCall {
  std::vector<ArgumentInfo> arguments;   ///< after casts
  DataType result_type;
  bool needs_retraction = false;         ///< the input may hold -U/-D rows
  bool batch_mode = false;
};

struct AggregateFunction {
  std::string name;
  std::vector<std::string> aliases = {};
  std::string category = "aggregate";
  std::string signature;
  std::string description;
  std::string example;
  size_t min_arguments = 0;
  size_t max_arguments = 1;
  /// Result type for a group with keys; the binder makes it nullable for global and FILTERed calls
  /// where Flink does (COUNT stays NOT NULL: `never_null`).
  std::function<Result<ResolvedSignature>(std::span<const ArgumentInfo>)> resolve;
  std::function<Result<std::unique_ptr<AggregateKernel>>(const AggregateCall&)> make;
  bool never_null = false;
  bool order_sensitive = false;          ///< FIRST_VALUE, LISTAGG …: result depends on row order
};

/// `inner` over distinct argument rows: keeps a counted set of argument values in its accumulator.
std::unique_ptr<AggregateKernel> distinctAggregate(std::unique_ptr<AggregateKernel> inner, const AggregateCall& call);

}  // namespace thalweg
