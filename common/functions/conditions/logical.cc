// NOT and the predicates on NULL and truth. AND and OR are kinds of bound expressions (common/expr).
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {

namespace {

/// IS NULL and IS NOT NULL of any column, from its validity alone.
class NullTestKernel final : public ScalarKernel {
 public:
  explicit NullTestKernel(bool negated) : negated_(negated) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    const RowMapping mapping(*arguments[0]);
    if (!mapping.mayHaveNulls()) return Vector::constant(DataType::boolean(false), Value::boolean(negated_), rows);
    FlatBuilder<bool> builder(DataType::boolean(false), rows);
    uint8_t* out = builder.raw();
    for (size_t row = 0; row < rows; ++row) out[row] = static_cast<uint8_t>(mapping.isNull(row) != negated_);
    return builder.finish();
  }

 private:
  bool negated_;
};

void addNullTest(ScalarList& list, std::string name, bool negated, std::string description, std::string example) {
  list.push_back({.name = name,
                  .category = "logical",
                  .signature = "a " + name,
                  .description = std::move(description),
                  .example = std::move(example),
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::anything("value")}, returnsNotNull(DataType::boolean())),
                  .make = [negated](const FunctionCall&) -> Result<std::unique_ptr<ScalarKernel>> {
                    return std::make_unique<NullTestKernel>(negated);
                  },
                  .listed = false});
}

/// `a IS [NOT] TRUE` and the like: never NULL.
void addTruthTest(ScalarList& list, std::string name, bool wanted, bool if_unknown, std::string example) {
  list.push_back({.name = name,
                  .category = "logical",
                  .signature = "condition " + name,
                  .description = "Tests a condition; the answer is never NULL.",
                  .example = std::move(example),
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::boolean("condition")}, returnsNotNull(DataType::boolean())),
                  .make = kernelMaker<bool(Nullable<bool>)>([wanted, if_unknown](std::optional<bool> condition) {
                    return condition ? *condition == wanted : if_unknown;
                  }),
                  .listed = false});
}

}  // namespace

void addLogicalFunctions(ScalarList& list) {
  list.push_back({.name = "NOT",
                  .category = "logical",
                  .signature = "NOT condition",
                  .description = "TRUE for FALSE, FALSE for TRUE, NULL for NULL.",
                  .example = "NOT FALSE",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::boolean("condition")}, returns(DataType::boolean())),
                  .make = kernelMaker<bool(bool)>([](bool condition) { return !condition; }),
                  .strict = true,
                  .listed = false});
  addNullTest(list, "IS NULL", false, "TRUE if the value is NULL.", "NULL IS NULL");
  addNullTest(list, "IS NOT NULL", true, "TRUE if the value is not NULL.", "1 IS NOT NULL");
  addTruthTest(list, "IS TRUE", true, false, "(1 = 1) IS TRUE");
  addTruthTest(list, "IS NOT TRUE", false, true, "(1 = 2) IS NOT TRUE");
  addTruthTest(list, "IS FALSE", false, false, "(1 = 2) IS FALSE");
  addTruthTest(list, "IS NOT FALSE", true, true, "(1 = 1) IS NOT FALSE");
  addNullTest(list, "IS UNKNOWN", false, "TRUE if the condition is NULL.", "CAST(NULL AS BOOLEAN) IS UNKNOWN");
  addNullTest(list, "IS NOT UNKNOWN", true, "TRUE if the condition is TRUE or FALSE.", "(1 = 1) IS NOT UNKNOWN");
}

}  // namespace thalweg
