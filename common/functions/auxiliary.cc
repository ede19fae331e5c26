// TYPEOF.
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {

namespace {

/// The text of the argument's type, the same for all rows.
class TypeOfKernel final : public ScalarKernel {
 public:
  TypeOfKernel(DataType result_type, const FunctionCall& call) : result_type_(std::move(result_type)) {
    const Value* serializable = literalArgument(call, 1);
    const DataType& type = call.arguments[0].type;
    text_ = serializable != nullptr && !serializable->isNull() && serializable->asBool() ? type.toSerializableString()
                                                                                         : type.toString();
  }

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr>, size_t rows) override {
    return Vector::constant(result_type_, Value::string(text_), rows);
  }

 private:
  DataType result_type_;
  std::string text_;
};

Result<ResolvedSignature> resolveTypeOf(std::span<const ArgumentInfo> arguments) {
  static const Resolve types = signature({param::anything("value"), param::optional(param::boolean("serializable"))},
                                         returnsNullable(DataType::string()));
  if (arguments.size() > 1 && (!arguments[1].literal || arguments[1].literal->isNull())) {
    return argumentError(1, "serializable", "TRUE or FALSE as a literal", arguments[1].type);
  }
  return types(arguments);
}

}  // namespace

void addAuxiliaryFunctions(ScalarList& list) {
  list.push_back({.name = "TYPEOF",
                  .category = "conversion",
                  .signature = "TYPEOF(value[, serializable])",
                  .description = "The type of a value as text; with TRUE in full, as a table definition takes it.",
                  .example = "TYPEOF(1) = 'INT NOT NULL'",
                  .min_arguments = 1,
                  .max_arguments = 2,
                  .resolve = resolveTypeOf,
                  .make = [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    return std::make_unique<TypeOfKernel>(call.result_type, call);
                  }});
}

}  // namespace thalweg
