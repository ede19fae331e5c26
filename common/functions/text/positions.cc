#include "common/functions/text/positions.h"

#include <algorithm>

namespace thalweg {
namespace {

class RefusingKernel final : public ScalarKernel {
 public:
  explicit RefusingKernel(std::string function) : function_(std::move(function)) {}
  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr>, size_t) override {
    return Status::runtime(function_ + " counts in INT, but was given a BIGINT; cast it to INT");
  }

 private:
  std::string function_;
};

}  // namespace

Parameter positionParameter(std::string name) {
  const auto is_integer = [](const DataType& type) { return type.isInteger(); };
  const auto to_int = [](const DataType& type) { return type.kind() == TypeKind::BIGINT ? type : DataType::integer(); };
  return {std::move(name), "an INT", is_integer, to_int, DataType::integer()};
}

Resolve refusingConstants(std::string function, Resolve resolve) {
  return [function = std::move(function), resolve = std::move(resolve)](std::span<const ArgumentInfo> arguments) -> Result<ResolvedSignature> {
    const bool constant = std::ranges::all_of(arguments, [](const ArgumentInfo& argument) { return argument.literal.has_value(); });
    const bool bigint = std::ranges::any_of(arguments, [](const ArgumentInfo& argument) { return argument.type.kind() == TypeKind::BIGINT; });
    if (constant && bigint) return Status::plan(function + " counts in INT, but was given a BIGINT; cast it to INT");
    return resolve(arguments);
  };
}

KernelMaker withIntPositions(std::string function, KernelMaker make) {
  return [function = std::move(function), make = std::move(make)](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
    const bool counts_in_bigint = std::ranges::any_of(call.arguments, [](const ArgumentInfo& argument) { return argument.type.kind() == TypeKind::BIGINT; });
    if (counts_in_bigint) return std::make_unique<RefusingKernel>(function);
    return make(call);
  };
}

}  // namespace thalweg
