#include "common/functions/aggregate_function.h"

#include <cstring>

namespace thalweg {

// The slow way, a row at a time, for kernels that have no loop of their own.
Status AggregateKernel::trace(const AggregateInput& input, ColumnBuilder& before, ColumnBuilder& after) {
  std::vector<VectorPtr> arguments(input.arguments.size());
  for (size_t row = 0; row < input.rows(); ++row) {
    const std::span<char* const> state = input.states.subspan(row, 1);
    const char* const shown[] = {state[0]};
    RETURN_IF_ERROR(finalize(shown, before));
    for (size_t i = 0; i < arguments.size(); ++i) arguments[i] = input.arguments[i]->slice(row, 1);
    RETURN_IF_ERROR(update({.states = state,
                            .arguments = arguments,
                            .retract = input.retract ? input.retract + row : nullptr,
                            .filter = input.filter ? input.filter + row : nullptr}));
    RETURN_IF_ERROR(finalize(shown, after));
  }
  return {};
}

void AggregateKernel::serialize(const char* state, std::string& out) const {
  CHECK(isTrivial());
  out.append(state, stateBytes());
}

Status AggregateKernel::deserialize(std::string_view bytes, char* state) const {
  CHECK(isTrivial());
  if (bytes.size() != stateBytes()) {
    return Status::io("accumulator of " + std::to_string(stateBytes()) + " bytes expected, found " +
                      std::to_string(bytes.size()));
  }
  std::memcpy(state, bytes.data(), bytes.size());
  return {};
}

}  // namespace thalweg
