// AVG: integers add up in BIGINT and keep their type, cut toward zero; FLOAT and DOUBLE divide in DOUBLE; decimals
// divide exactly and round half up to scale max(6, s).
#include "common/functions/aggregates/aggregate_fold.h"
#include "common/functions/aggregates/aggregate_sums.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/type_rules.h"

namespace thalweg {
namespace {

template <typename T>
struct IntegerAverage {
  using Argument = T;
  using Result = T;
  struct State {
    IntegerSum<int64_t> sum;
    int64_t count;
  };
  void init(State& state) const { state = {}; }
  void add(State& state, T value) const {
    state.sum.add(value);
    ++state.count;
  }
  void take(State& state, T value) const {
    state.sum.take(value);
    --state.count;
  }
  bool result(const State& state, T& out) const {
    if (state.count == 0) return false;
    out = static_cast<T>(quotient(state.sum.total(), state.count));
    return true;
  }
  void merge(State& into, const State& from) const {
    into.sum.merge(from.sum);
    into.count += from.count;
  }

 private:
  /// Below 2^53 the rounded double quotient never reaches an integer that the true one does not, and dividing
  /// doubles is several times faster.
  static int64_t quotient(int64_t sum, int64_t count) {
    constexpr int64_t kExact = int64_t{1} << 53;
    if (sum > -kExact && sum < kExact && count > 0 && count < kExact) {
      return static_cast<int64_t>(static_cast<double>(sum) / static_cast<double>(count));
    }
    if (count == -1) return static_cast<int64_t>(0 - static_cast<uint64_t>(sum));
    return sum / count;
  }
};

template <typename T>
struct FloatingAverage {
  using Argument = T;
  using Result = T;
  struct State {
    FloatingSum<double> sum;
    int64_t count;
  };
  void init(State& state) const { state = {}; }
  void add(State& state, T value) const {
    state.sum.add(value);
    ++state.count;
  }
  void take(State& state, T value) const {
    state.sum.take(value);
    --state.count;
  }
  bool result(const State& state, T& out) const {
    if (state.count == 0) return false;
    out = static_cast<T>(state.sum.sum.value / static_cast<double>(state.count));
    return true;
  }
  void merge(State& into, const State& from) const {
    into.sum.merge(from.sum);
    into.count += from.count;
  }
};

template <typename T, typename Sum>
struct DecimalAverage {
  int scale = 0;
  DecimalSpec to;

  using Argument = T;
  using Result = int128;
  struct State {
    Sum sum;
    int64_t count;
  };
  void init(State& state) const { state = {}; }
  void add(State& state, T value) const {
    state.sum.add(value);
    ++state.count;
  }
  void take(State& state, T value) const {
    state.sum.take(value);
    --state.count;
  }
  bool result(const State& state, int128& out) const {
    int128 sum = 0;
    if (state.count == 0 || !state.sum.result(sum)) return false;
    if (divideSmall(sum, state.count, out)) return true;
    const std::optional<int128> average = divideDecimals(sum, scale, state.count, 0, to);
    if (average) out = *average;
    return average.has_value();
  }
  void merge(State& into, const State& from) const {
    into.sum.merge(from.sum);
    into.count += from.count;
  }

 private:
  /// The quotient in 64 bits, where that is enough: ten times faster.
  bool divideSmall(int128 sum, int64_t count, int128& out) const {
    constexpr int kPowers = 18;
    const auto narrow = static_cast<int64_t>(sum);
    int64_t scaled = 0;
    if (narrow != sum || count <= 0 || to.scale - scale > kPowers) return false;
    if (__builtin_mul_overflow(narrow, static_cast<int64_t>(powerOfTen(to.scale - scale)), &scaled)) return false;
    const int64_t quotient = scaled / count;
    const int64_t rest = scaled % count;
    const bool up = (rest < 0 ? -rest : rest) >= count - (rest < 0 ? -rest : rest);
    out = quotient + (up ? (scaled < 0 ? -1 : 1) : 0);
    return true;
  }
};

Result<std::unique_ptr<AggregateKernel>> makeAverage(const AggregateCall& call) {
  const DataType& argument = call.arguments[0].type;
  const DataType& result = call.result_type;
  const DecimalSpec to{.precision = result.precision(), .scale = result.scale()};
  switch (argument.physicalType()) {
    case PhysicalType::INT8: return foldedAggregate<IntegerAverage<int8_t>>(result);
    case PhysicalType::INT16: return foldedAggregate<IntegerAverage<int16_t>>(result);
    case PhysicalType::INT32: return foldedAggregate<IntegerAverage<int32_t>>(result);
    case PhysicalType::FLOAT32: return foldedAggregate<FloatingAverage<float>>(result);
    case PhysicalType::FLOAT64: return foldedAggregate<FloatingAverage<double>>(result);
    case PhysicalType::INT128:
      return foldedAggregate(result, DecimalAverage<int128, LongDecimalSum>{.scale = argument.scale(), .to = to});
    case PhysicalType::INT64:
      if (argument.kind() != TypeKind::DECIMAL) return foldedAggregate<IntegerAverage<int64_t>>(result);
      return foldedAggregate(result, DecimalAverage<int64_t, ShortDecimalSum>{.scale = argument.scale(), .to = to});
    default: return Status::internal("AVG cannot add " + argument.toString());
  }
}

}  // namespace

void addAverageAggregates(AggregateList& list) {
  list.push_back({
      .name = "AVG",
      .signature = "AVG(number)",
      .description = "The mean of all values that are not NULL; NULL if there are none. Of integers it is cut to an "
                     "integer, of decimals it has at least 6 digits after the point.",
      .example = "AVG(price)",
      .min_arguments = 1,
      .max_arguments = 1,
      .resolve = signature({param::number("number")},
                           [](std::span<const DataType> types) {
                             return avgType(types[0]).value_or(DataType::integer()).withNullable(types[0].nullable());
                           }),
      .make = makeAverage,
  });
}

}  // namespace thalweg
