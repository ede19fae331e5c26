// STDDEV_POP, STDDEV_SAMP, VAR_POP and VAR_SAMP by Welford's method: count, mean and the sum of squared distances
// from the mean, in DOUBLE whatever the argument. The result has the type that AVG would have: cut for integers,
// rounded half up for decimals. The sample forms are NULL for one value.
#include <cmath>

#include "common/functions/aggregates/aggregate_fold.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/decimal.h"
#include "common/types/java_text.h"
#include "common/types/type_rules.h"

namespace thalweg {
namespace {

struct VarianceShape {
  bool sample = false;
  bool root = false;
};

struct Moments {
  int64_t count;
  double mean;
  double squares;

  void add(double value) {
    ++count;
    const double distance = value - mean;
    mean += distance / static_cast<double>(count);
    squares += distance * (value - mean);
  }
  /// Of count > 1.
  void take(double value) {
    --count;
    const double distance = value - mean;
    mean -= distance / static_cast<double>(count);
    squares -= distance * (value - mean);
  }
  void merge(const Moments& other) {
    if (other.count == 0) return;
    const int64_t total = count + other.count;
    const double distance = other.mean - mean;
    const auto n = static_cast<double>(count);
    const auto m = static_cast<double>(other.count);
    const auto all = static_cast<double>(total);
    mean = (n * mean + m * other.mean) / all;
    squares += other.squares + distance * distance * n * m / all;
    count = total;
  }
  /// Takes all of `other` back; count > other.count > 0.
  void unmerge(const Moments& other) {
    const int64_t rest = count - other.count;
    const double old_mean =
        (static_cast<double>(count) * mean - static_cast<double>(other.count) * other.mean) / static_cast<double>(rest);
    const double distance = other.mean - old_mean;
    squares -= other.squares + distance * distance * static_cast<double>(rest) * static_cast<double>(other.count) /
                                   static_cast<double>(count);
    mean = old_mean;
    count = rest;
  }
};

/// Moments of values that may be taken back. What a local aggregate owes (a value that it does not hold, so that its
/// count would sink to 0 with a rest) stands apart until a merge settles it.
struct RetractableMoments {
  Moments held;
  Moments owed;

  void add(double value) { held.add(value); }
  void take(double value) {
    if (held.count > 1) held.take(value);
    else if (held.count == 1 && std::abs(held.mean - value) <= 1e-9 * std::max(1.0, std::abs(value))) held = {};   // up to rounding
    else owed.add(value);
  }
  void merge(const RetractableMoments& other) {
    held.merge(other.held);
    owed.merge(other.owed);
    if (owed.count == 0 || held.count < owed.count) return;
    if (held.count == owed.count) held = {};
    else held.unmerge(owed);
    owed = {};
  }
};

/// Converts to the result's type; false where it does not fit (NULL).
template <typename R>
bool narrow(double value, const DecimalSpec& spec, R& out) {
  if constexpr (std::is_same_v<R, int128>) {
    if (!std::isfinite(value)) return false;
    const std::optional<int128> decimal = decimalFromDouble(value, spec);
    if (decimal) out = *decimal;
    return decimal.has_value();
  } else if constexpr (std::is_integral_v<R>) {
    out = static_cast<R>(sizeof(R) == 8 ? doubleToInt64(value) : doubleToInt32(value));
    return true;
  } else {
    out = static_cast<R>(value);
    return true;
  }
}

const Moments& shown(const Moments& moments) { return moments; }
const Moments& shown(const RetractableMoments& moments) { return moments.held; }

template <typename T, typename R, typename Kept>
struct VarianceFold {
  VarianceShape shape;
  DecimalSpec from;
  DecimalSpec to;

  using Argument = T;
  using Result = R;
  using State = Kept;

  void init(State& state) const { state = {}; }
  void add(State& state, T value) const { state.add(number(value)); }
  void take(State& state, T value) const {
    if constexpr (std::is_same_v<Kept, RetractableMoments>) state.take(number(value));
    else CHECK(false);
  }
  bool result(const State& kept, R& out) const {
    const Moments& state = shown(kept);
    const int64_t divisor = state.count - (shape.sample ? 1 : 0);
    if (state.count <= 0 || divisor <= 0) return false;
    const double variance = state.squares / static_cast<double>(divisor);
    return narrow(shape.root ? std::sqrt(std::max(variance, 0.0)) : variance, to, out);
  }
  void merge(State& into, const State& other) const { into.merge(other); }

 private:
  double number(T value) const {
    if constexpr (std::is_same_v<R, int128>) return decimalToDouble(value, from);
    else return static_cast<double>(value);
  }
};

template <typename T, typename R = T>
std::unique_ptr<AggregateKernel> varianceKernel(const AggregateCall& call, VarianceShape shape) {
  const DataType& argument = call.arguments[0].type;
  const DecimalSpec from{.precision = argument.precision(), .scale = argument.scale()};
  const DecimalSpec to{.precision = call.result_type.precision(), .scale = call.result_type.scale()};
  if (call.needs_retraction) {
    return foldedAggregate(call.result_type, VarianceFold<T, R, RetractableMoments>{.shape = shape, .from = from, .to = to});
  }
  return foldedAggregate(call.result_type, VarianceFold<T, R, Moments>{.shape = shape, .from = from, .to = to});
}

Result<std::unique_ptr<AggregateKernel>> makeVariance(const AggregateCall& call, VarianceShape shape) {
  const DataType& argument = call.arguments[0].type;
  switch (argument.physicalType()) {
    case PhysicalType::INT8: return varianceKernel<int8_t>(call, shape);
    case PhysicalType::INT16: return varianceKernel<int16_t>(call, shape);
    case PhysicalType::INT32: return varianceKernel<int32_t>(call, shape);
    case PhysicalType::FLOAT32: return varianceKernel<float>(call, shape);
    case PhysicalType::FLOAT64: return varianceKernel<double>(call, shape);
    case PhysicalType::INT128: return varianceKernel<int128>(call, shape);
    case PhysicalType::INT64:
      if (argument.kind() == TypeKind::DECIMAL) return varianceKernel<int64_t, int128>(call, shape);
      return varianceKernel<int64_t>(call, shape);
    default: return Status::internal("no variance of " + argument.toString());
  }
}

AggregateFunction entry(std::string name, std::vector<std::string> aliases, std::string description, VarianceShape shape) {
  return {
      .name = name,
      .aliases = std::move(aliases),
      .signature = name + "(number)",
      .description = std::move(description),
      .example = name + "(price)",
      .min_arguments = 1,
      .max_arguments = 1,
      .resolve = signature({param::number("number")},
                           [shape](std::span<const DataType> types) {
                             const DataType type = avgType(types[0]).value_or(DataType::integer());
                             return type.withNullable(shape.sample || types[0].nullable());
                           }),
      .make = [shape](const AggregateCall& call) { return makeVariance(call, shape); },
  };
}

}  // namespace

void addVarianceAggregates(AggregateList& list) {
  list.push_back(entry("STDDEV_POP", {}, "The standard deviation of all values, of the whole population.",
                       {.sample = false, .root = true}));
  list.push_back(entry("STDDEV_SAMP", {"STDDEV"}, "The standard deviation of all values, of a sample; NULL for one value.",
                       {.sample = true, .root = true}));
  list.push_back(entry("VAR_POP", {}, "The variance of all values, of the whole population.", {}));
  list.push_back(entry("VAR_SAMP", {"VARIANCE"}, "The variance of all values, of a sample; NULL for one value.",
                       {.sample = true, .root = false}));
}

}  // namespace thalweg
