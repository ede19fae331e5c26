// makeCastKernel: the cast from one type to another as a kernel. The reference for every cast is castValue()
// (common/types/cast_scalar.h); kernels here do the same to columns.
#include "common/functions/cast/cast.h"
#include "common/functions/function_registry.h"
#include "common/functions/kernel_adapters.h"
#include "common/types/cast_scalar.h"

namespace thalweg {

namespace {

/// A cast that changes no value.
class RetypeKernel final : public ScalarKernel {
 public:
  explicit RetypeKernel(DataType to) : to_(std::move(to)) {}
  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t) override {
    return arguments[0]->withType(to_);
  }

 private:
  DataType to_;
};

class NullsKernel final : public ScalarKernel {
 public:
  explicit NullsKernel(DataType to) : to_(std::move(to)) {}
  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr>, size_t rows) override {
    return Vector::nulls(to_, rows);
  }

 private:
  DataType to_;
};

/// Any legal cast, value by value.
std::unique_ptr<ScalarKernel> slowCast(const CastCall& call) {
  return valueKernel(call.to, [call](EvalContext& context, std::span<const Value> values) -> Result<Value> {
    if (call.is_try) return tryCastValue(values[0], call.from, call.to, *context.session_zone);
    return castValue(values[0], call.from, call.to, *context.session_zone);
  });
}

}  // namespace

Status castFailure(const Value& value, const CastCall& call) {
  const Result<Value> result = castValue(value, call.from, call.to, TimeZone());
  if (!result.isOk()) return result.status();
  return Status::runtime("cannot cast a value of type " + call.from.toString() + " to " + call.to.toString());
}

Result<std::unique_ptr<ScalarKernel>> makeCastKernel(const DataType& from, const DataType& to, bool try_cast) {
  const CastCall call{from, to, try_cast};
  if (from.isNull()) return std::make_unique<NullsKernel>(to);
  if (from.sameIgnoringNullability(to)) return std::make_unique<RetypeKernel>(to);
  for (const auto make : {makeNumberCast, makeLengthCast, makeTextParsingCast, makeTemporalCast}) {
    if (std::unique_ptr<ScalarKernel> kernel = make(call)) return kernel;
  }
  if (from.isNested() && to.isNested()) {
    ASSIGN_OR_RETURN(std::unique_ptr<ScalarKernel> kernel, makeNestedCast(call));
    if (kernel != nullptr) return kernel;
  }
  if (std::unique_ptr<ScalarKernel> kernel = makeTextWritingCast(call)) return kernel;
  return slowCast(call);
}

}  // namespace thalweg
