#include "worker/operators/over/over_calls.h"

#include <algorithm>

namespace thalweg::worker {
namespace {

struct FunctionName {
  const char* name;
  OverFunction function;
};
constexpr FunctionName kFunctions[] = {
    {"ROW_NUMBER", OverFunction::ROW_NUMBER}, {"RANK", OverFunction::RANK},
    {"DENSE_RANK", OverFunction::DENSE_RANK}, {"NTILE", OverFunction::NTILE},
    {"PERCENT_RANK", OverFunction::PERCENT_RANK}, {"CUME_DIST", OverFunction::CUME_DIST},
    {"LAG", OverFunction::LAG},               {"LEAD", OverFunction::LEAD},
};

Result<OverFunction> functionOf(const std::string& name) {
  if (name.empty()) return OverFunction::AGGREGATE;
  for (const FunctionName& known : kFunctions) {
    if (name == known.name) return known.function;
  }
  return Status::notSupported(name + "() OVER is not supported");
}

}  // namespace

int64_t OverCalls::Call::distance() const {
  const size_t argument = function == OverFunction::NTILE ? 0 : 1;
  if (argument >= spec.literals.size() || !spec.literals[argument] || spec.literals[argument]->isNull()) return 1;
  return spec.literals[argument]->asInt();
}

Result<OverCalls> OverCalls::make(const OverAggregateSpec& spec, bool needs_retraction, bool batch_mode) {
  OverCalls result;
  std::vector<AggregateCallSpec> aggregates;
  for (size_t i = 0; i < spec.calls.size(); ++i) {
    Call call;
    call.spec = spec.calls[i];
    ASSIGN_OR_RETURN(call.function, functionOf(i < spec.functions.size() ? spec.functions[i] : std::string()));
    if (call.function == OverFunction::AGGREGATE) {
      if (call.spec.function == nullptr) return Status::internal("an OVER call has neither a ranking nor an aggregate function");
      call.aggregate = aggregates.size();
      call.order_sensitive = call.spec.function->order_sensitive;
      aggregates.push_back(call.spec);
    } else if ((call.function == OverFunction::LAG || call.function == OverFunction::LEAD) && call.spec.arguments.size() > 1 &&
               (call.spec.literals.size() < 2 || !call.spec.literals[1])) {
      return Status::notSupported("the distance of LAG and LEAD must be a constant");
    }
    result.calls.push_back(std::move(call));
  }
  ASSIGN_OR_RETURN(result.aggregates, AggregateSet::make(aggregates, needs_retraction, batch_mode, 0));
  return result;
}

VectorPtr shiftedValues(const OverCalls::Call& call, const Batch& batch, const std::vector<RowIndex>& rows, const std::vector<RowIndex>& targets) {
  const Vector& values = *batch.column(static_cast<size_t>(call.valueColumn()));
  const bool any_outside = std::find(targets.begin(), targets.end(), kOutside) != targets.end();
  if (!any_outside) return gather(values, targets);
  auto builder = ColumnBuilder::make(call.spec.result_type, targets.size());
  const Vector* defaults = call.hasDefault() ? batch.column(static_cast<size_t>(call.spec.arguments[2])).get() : nullptr;
  for (size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] != kOutside) builder->appendRow(values, targets[i]);
    else if (defaults != nullptr) builder->appendRow(*defaults, rows[i]);
    else builder->appendNull();
  }
  return builder->finish();
}

}  // namespace thalweg::worker
