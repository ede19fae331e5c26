#include "common/functions/kernel_adapters.h"

#include <algorithm>
#include <vector>

namespace thalweg {

namespace {

class ValueKernel final : public ScalarKernel {
 public:
  ValueKernel(DataType result_type, ValueFunction function, NullCalls nulls)
      : result_type_(std::move(result_type)), function_(std::move(function)), nulls_(nulls) {}

  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) override {
    const std::unique_ptr<ColumnBuilder> builder = ColumnBuilder::make(result_type_, rows);
    std::vector<Value> values(arguments.size());
    for (size_t row = 0; row < rows; ++row) {
      bool any_null = false;
      for (size_t i = 0; i < arguments.size(); ++i) {
        if (row == 0 || !arguments[i]->isConstant()) values[i] = arguments[i]->valueAt(row);
        any_null = any_null || values[i].isNull();
      }
      if (any_null && nulls_ == NullCalls::STRICT) {
        builder->appendNull();
        continue;
      }
      ASSIGN_OR_RETURN(const Value value, function_(context, values));
      builder->appendValue(value);
    }
    return builder->finish();
  }

 private:
  DataType result_type_;
  ValueFunction function_;
  NullCalls nulls_;
};

class PickingKernel final : public ScalarKernel {
 public:
  PickingKernel(std::vector<size_t> positions, std::unique_ptr<ScalarKernel> inner)
      : positions_(std::move(positions)), inner_(std::move(inner)) {}

  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) override {
    picked_.clear();
    for (const size_t position : positions_) picked_.push_back(arguments[position]);
    Result<VectorPtr> result = inner_->evaluate(context, picked_, rows);
    picked_.clear();
    return result;
  }

 private:
  std::vector<size_t> positions_;
  std::unique_ptr<ScalarKernel> inner_;
  std::vector<VectorPtr> picked_;
};

}  // namespace

std::unique_ptr<ScalarKernel> overArguments(std::vector<size_t> positions, std::unique_ptr<ScalarKernel> inner) {
  return std::make_unique<PickingKernel>(std::move(positions), std::move(inner));
}

std::unique_ptr<ScalarKernel> valueKernel(DataType result_type, ValueFunction function, NullCalls nulls) {
  return std::make_unique<ValueKernel>(std::move(result_type), std::move(function), nulls);
}

KernelMaker valueKernelMaker(ValueFunction function, NullCalls nulls) {
  return [function = std::move(function), nulls](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
    return valueKernel(call.result_type, function, nulls);
  };
}

}  // namespace thalweg
