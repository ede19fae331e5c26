// SUM and SUM0.
//
// Integers add up modulo 2^64 and are cut to their own width at the end, which is the same as wrapping at every
// step. FLOAT and DOUBLE add up in their own type, in row order. Decimals add up exactly, in as many words as it
// takes (two for up to 18 digits, three above), so a sum that leaves 38 digits is NULL only while it does.
// A sum that cannot be NULL (NOT NULL argument of a group, SUM0) needs no count of its values. A count of 0 does not
// mean that the sum is 0: a local aggregate may hold one value and owe another.
#include "common/base/failpoint.h"
#include "common/functions/aggregates/aggregate_fold.h"
#include "common/functions/aggregates/aggregate_sums.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/type_rules.h"

namespace thalweg {
namespace {

template <typename T, typename Sum, typename Outcome, bool kCounted>
struct SumFold {
  using Argument = T;
  using Result = Outcome;
  struct CountedState {
    Sum sum;
    int64_t count;
  };
  struct BareState {
    Sum sum;
  };
  using State = std::conditional_t<kCounted, CountedState, BareState>;

  void init(State& state) const { state = {}; }
  void add(State& state, T value) const {
    state.sum.add(value);
    if constexpr (kCounted) ++state.count;
  }
  void take(State& state, T value) const {
    if (!THALWEG_MUTANT("sum_keeps_retracted")) state.sum.take(value);
    if constexpr (kCounted) --state.count;
  }
  bool result(const State& state, Outcome& out) const {
    if constexpr (kCounted) {
      if (state.count == 0) return false;
    }
    return state.sum.result(out);
  }
  void merge(State& into, const State& from) const {
    into.sum.merge(from.sum);
    if constexpr (kCounted) into.count += from.count;
  }
};

template <typename T, typename Sum, typename Outcome = T>
std::unique_ptr<AggregateKernel> sumKernel(const DataType& result_type) {
  if (result_type.nullable()) return foldedAggregate<SumFold<T, Sum, Outcome, true>>(result_type);
  return foldedAggregate<SumFold<T, Sum, Outcome, false>>(result_type);
}

/// By the argument's type; a NOT NULL result type makes the uncounted kernel.
Result<std::unique_ptr<AggregateKernel>> makeSum(const DataType& argument, const DataType& result) {
  switch (argument.physicalType()) {
    case PhysicalType::INT8: return sumKernel<int8_t, IntegerSum<int8_t>>(result);
    case PhysicalType::INT16: return sumKernel<int16_t, IntegerSum<int16_t>>(result);
    case PhysicalType::INT32: return sumKernel<int32_t, IntegerSum<int32_t>>(result);
    case PhysicalType::FLOAT32: return sumKernel<float, FloatingSum<float>>(result);
    case PhysicalType::FLOAT64: return sumKernel<double, FloatingSum<double>>(result);
    case PhysicalType::INT128: return sumKernel<int128, LongDecimalSum, int128>(result);
    case PhysicalType::INT64:
      if (argument.kind() == TypeKind::DECIMAL) return sumKernel<int64_t, ShortDecimalSum, int128>(result);
      return sumKernel<int64_t, IntegerSum<int64_t>>(result);
    default: return Status::internal("SUM cannot add " + argument.toString());
  }
}

DataType sumResult(std::span<const DataType> types) {
  return sumType(types[0]).value_or(DataType::integer()).withNullable(types[0].nullable());
}

}  // namespace

void addSumAggregates(AggregateList& list) {
  list.push_back({
      .name = "SUM",
      .signature = "SUM(number)",
      .description = "The sum of all values that are not NULL; NULL if there are none. Integers wrap around, "
                     "a decimal sum of more than 38 digits is NULL.",
      .example = "SUM(price)",
      .min_arguments = 1,
      .max_arguments = 1,
      .resolve = signature({param::number("number")}, sumResult),
      .make = [](const AggregateCall& call) { return makeSum(call.arguments[0].type, call.result_type); },
  });
  list.push_back({
      .name = "$SUM0",
      .aliases = {"SUM0"},
      .signature = "$SUM0(number)",
      .description = "The sum of all values that are not NULL; 0 if there are none.",
      .example = "$SUM0(price)",
      .min_arguments = 1,
      .max_arguments = 1,
      .resolve = signature({param::number("number")},
                           [](std::span<const DataType> types) { return sumResult(types).notNull(); }),
      .make = [](const AggregateCall& call) { return makeSum(call.arguments[0].type, call.result_type.notNull()); },
      .never_null = true,
  });
}

}  // namespace thalweg
