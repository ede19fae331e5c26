// FIRST_VALUE and LAST_VALUE: the first and last value in arrival order that is not NULL. Over a changelog all
// values are kept, since the one shown may be taken back.
#include "common/functions/aggregates/aggregate_extreme.h"
#include "common/functions/aggregates/aggregate_fold.h"
#include "common/functions/aggregates/aggregate_object.h"
#include "common/functions/aggregates/ordered_values.h"
#include "common/functions/aggregates/value_box.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {
namespace {

template <typename T, bool kLast>
struct ArrivalFold {
  using Argument = T;
  using Result = T;
  struct State {
    Slot<T> value;
    uint8_t present;
  };
  void init(State& state) const { state = {}; }
  void add(State& state, T value) const {
    if (!kLast && state.present) return;
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
};

template <bool kLast>
class ArrivalBox final : public BoxAggregate<ArrivalBox<kLast>> {
 public:
  using BoxAggregate<ArrivalBox<kLast>>::BoxAggregate;
  static bool replaces(const ValueBox& held, std::string_view) { return kLast || !held.hasValue(); }
};

template <bool kLast>
class RetractableArrival final : public ObjectAggregate<RetractableArrival<kLast>, OrderedValues> {
 public:
  RetractableArrival(const DataType& argument, DataType result_type)
      : values_(argument), result_type_(std::move(result_type)) {}

  void bind(const AggregateInput& input) { values_.bind(input.arguments[0]); }

  Status fold(OrderedValues& list, size_t row, bool retract) {
    if (values_.isNull(row)) return {};
    if (retract) list.remove(values_[row]);
    else list.add(values_[row]);
    return {};
  }

  class Results {
   public:
    Results(const ValueBytes& values, const DataType& type, size_t rows) : column_(values, type, rows) {}
    Status append(const OrderedValues* list) {
      if (list == nullptr || list->isEmpty()) column_.appendNull();
      else column_.append(kLast ? *list->back() : *list->front());
      return {};
    }
    VectorPtr finish() { return column_.finish(); }

   private:
    ValueColumn column_;
  };
  Results results(size_t rows) const { return Results(values_, result_type_, rows); }

  Status mergeObjects(OrderedValues& into, const OrderedValues& from) {
    into.mergeFrom(from);
    return {};
  }
  void save(const OrderedValues& list, StateWriter& out) const { list.save(out); }
  bool load(StateReader& in, OrderedValues& list) const {
    if (!list.load(in)) return false;
    bool valid = true;
    list.forEach([&](const OrderedValues::Entry& value) { valid = valid && value && values_.validate(*value); });
    return valid;
  }

 private:
  ValueBytes values_;
  DataType result_type_;
};

template <bool kLast>
Result<std::unique_ptr<AggregateKernel>> makeArrival(const AggregateCall& call) {
  const DataType& argument = call.arguments[0].type;
  const DataType& result = call.result_type;
  if (call.needs_retraction) return std::make_unique<RetractableArrival<kLast>>(argument, result);
  switch (argument.physicalType()) {
    case PhysicalType::BOOL: return foldedAggregate<ArrivalFold<bool, kLast>>(result);
    case PhysicalType::INT8: return foldedAggregate<ArrivalFold<int8_t, kLast>>(result);
    case PhysicalType::INT16: return foldedAggregate<ArrivalFold<int16_t, kLast>>(result);
    case PhysicalType::INT32: return foldedAggregate<ArrivalFold<int32_t, kLast>>(result);
    case PhysicalType::INT64: return foldedAggregate<ArrivalFold<int64_t, kLast>>(result);
    case PhysicalType::INT128: return foldedAggregate<ArrivalFold<int128, kLast>>(result);
    case PhysicalType::FLOAT32: return foldedAggregate<ArrivalFold<float, kLast>>(result);
    case PhysicalType::FLOAT64: return foldedAggregate<ArrivalFold<double, kLast>>(result);
    case PhysicalType::TIMESTAMP_NANOS: return foldedAggregate<ArrivalFold<TimestampValue, kLast>>(result);
    default: return std::make_unique<ArrivalBox<kLast>>(argument, result);
  }
}

}  // namespace

void addFirstLastAggregates(AggregateList& list) {
  list.push_back({
      .name = "FIRST_VALUE",
      .signature = "FIRST_VALUE(value)",
      .description = "The first value to arrive that is not NULL.",
      .example = "FIRST_VALUE(state)",
      .min_arguments = 1,
      .max_arguments = 1,
      .resolve = signature({param::anything("value")}, returnsArgument(0)),
      .make = makeArrival<false>,
      .order_sensitive = true,
  });
  list.push_back({
      .name = "LAST_VALUE",
      .signature = "LAST_VALUE(value)",
      .description = "The last value to arrive that is not NULL.",
      .example = "LAST_VALUE(state)",
      .min_arguments = 1,
      .max_arguments = 1,
      .resolve = signature({param::anything("value")}, returnsArgument(0)),
      .make = makeArrival<true>,
      .order_sensitive = true,
  });
}

}  // namespace thalweg
