// MIN and MAX: over inserts they keep one value; over a changelog (aggregate_extreme_retract.cc) every value.
#include "common/functions/aggregates/aggregate_extreme.h"

#include "common/functions/aggregates/aggregate_fold.h"
#include "common/functions/aggregates/value_box.h"
#include "common/functions/aggregates/value_order.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {
namespace {

template <typename T, bool kMax>
struct ExtremeFold {
  using Argument = T;
  using Result = T;
  struct State {
    Slot<T> value;
    uint8_t present;
  };
  void init(State& state) const { state = {}; }
  void add(State& state, T value) const {
    const T held = state.value.get();
    if (state.present && !(kMax ? less(held, value) : less(value, held))) return;
    state.value.set(value);
    state.present = 1;
  }
  void take(State&, T) const { CHECK(false); }  // retracting input gets the other kernel
  bool result(const State& state, T& out) const {
    out = state.value.get();
    return state.present != 0;
  }
  void merge(State& into, const State& from) const {
    if (from.present) add(into, from.value.get());
  }

 private:
  /// A NaN is neither less nor more, so that one that comes first stays, and a later one changes nothing.
  static bool less(const T& a, const T& b) {
    if constexpr (std::is_floating_point_v<T>) return a < b;
    else return ValueOrder<T>{}(a, b);
  }
};

/// MIN and MAX of text: the accumulator points to the bytes held.
template <bool kMax>
class TextExtreme final : public BoxAggregate<TextExtreme<kMax>> {
 public:
  using BoxAggregate<TextExtreme<kMax>>::BoxAggregate;
  static bool replaces(const ValueBox& held, std::string_view value) {
    return !held.hasValue() || (kMax ? held.view() < value : value < held.view());
  }
};

template <bool kMax>
struct MakeExtreme {
  const AggregateCall& call;
  template <typename T>
  std::unique_ptr<AggregateKernel> operator()(std::type_identity<T>) const {
    return foldedAggregate<ExtremeFold<T, kMax>>(call.result_type);
  }
  std::unique_ptr<AggregateKernel> operator()(std::type_identity<std::string_view>) const {
    return std::make_unique<TextExtreme<kMax>>(call.arguments[0].type, call.result_type);
  }
};

template <bool kMax>
Result<std::unique_ptr<AggregateKernel>> makeExtreme(const AggregateCall& call) {
  if (call.needs_retraction) return retractableExtreme(call, kMax);
  return visitOrdered(call.arguments[0].type.physicalType(), MakeExtreme<kMax>{call});
}

Parameter extremeParameter() {
  return {.name = "value",
          .expected = "a number, text, a boolean or a date or time",
          .accepts =
              [](const DataType& type) {
                return type.isNumeric() || type.isString() || type.isTemporal() || type.kind() == TypeKind::BOOLEAN;
              },
          .cast = [](const DataType& type) { return type; },
          .plain = DataType::integer()};
}

}  // namespace

void addExtremeAggregates(AggregateList& list) {
  list.push_back({
      .name = "MIN",
      .signature = "MIN(value)",
      .description = "The smallest of all values that are not NULL; NULL if there are none.",
      .example = "MIN(price)",
      .min_arguments = 1,
      .max_arguments = 1,
      .resolve = signature({extremeParameter()}, returnsArgument(0)),
      .make = makeExtreme<false>,
  });
  list.push_back({
      .name = "MAX",
      .signature = "MAX(value)",
      .description = "The largest of all values that are not NULL; NULL if there are none.",
      .example = "MAX(price)",
      .min_arguments = 1,
      .max_arguments = 1,
      .resolve = signature({extremeParameter()}, returnsArgument(0)),
      .make = makeExtreme<true>,
  });
}

}  // namespace thalweg
