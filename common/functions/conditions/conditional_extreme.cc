// GREATEST and LEAST: NULL if one argument is; NaN counts as the greatest number.
#include <algorithm>
#include <cmath>

#include "common/functions/conditions/comparison.h"
#include "common/functions/conditions/merge_branches.h"
#include "common/functions/conditions/points_in_time.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/type_rules.h"

namespace thalweg {

namespace {

/// One of two by a comparison: `a` unless b is better.
class PickKernel final : public ScalarKernel {
 public:
  PickKernel(bool greatest, const DataType& type) : type_(type) {
    const CompareOp op = greatest ? CompareOp::LESS : CompareOp::GREATER;
    replaces_ = makeCompareKernel(op, type, type, DataType::boolean());
  }

  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) override {
    ASSIGN_OR_RETURN(const VectorPtr replaced, replaces_->evaluate(context, arguments, rows));
    const ColumnReader<bool> is_replaced(*replaced);
    std::vector<uint16_t> choice(rows);
    for (size_t row = 0; row < rows; ++row) choice[row] = is_replaced[row] ? 1 : 0;
    return mergeArgumentNulls(mergeBranches(type_, arguments, choice), arguments);
  }

 private:
  DataType type_;
  std::unique_ptr<ScalarKernel> replaces_;
};

template <typename T>
std::unique_ptr<ScalarKernel> pickApproximate(bool greatest, const DataType& type) {
  return functionKernel<T(T, T)>(type, [greatest](T a, T b) {
    if (std::isnan(a)) return greatest ? a : b;
    if (std::isnan(b)) return greatest ? b : a;
    return greatest ? std::max(a, b) : std::min(a, b);
  });
}

/// Folds a kernel of two over all arguments.
class FoldKernel final : public ScalarKernel {
 public:
  explicit FoldKernel(std::unique_ptr<ScalarKernel> pick) : pick_(std::move(pick)) {}

  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) override {
    VectorPtr best = arguments[0];
    for (const VectorPtr& argument : arguments.subspan(1)) {
      const VectorPtr pair[] = {best, argument};
      ASSIGN_OR_RETURN(best, pick_->evaluate(context, pair, rows));
    }
    return best;
  }

 private:
  std::unique_ptr<ScalarKernel> pick_;
};

Result<std::unique_ptr<ScalarKernel>> makeExtreme(bool greatest, const FunctionCall& call) {
  const DataType& type = call.result_type;
  std::unique_ptr<ScalarKernel> pick;
  if (type.kind() == TypeKind::DOUBLE)
    pick = pickApproximate<double>(greatest, type);
  else if (type.kind() == TypeKind::FLOAT)
    pick = pickApproximate<float>(greatest, type);
  else
    pick = std::make_unique<PickKernel>(greatest, type);
  return std::make_unique<FoldKernel>(std::move(pick));
}

Result<ResolvedSignature> resolveExtreme(std::span<const ArgumentInfo> arguments) {
  if (const auto common = commonPointInTime(arguments)) {
    ResolvedSignature of_times;
    bool nullable = false;
    for (const ArgumentInfo& argument : arguments) {
      of_times.argument_types.push_back(common->withNullable(argument.type.nullable()));
      nullable = nullable || argument.type.nullable();
    }
    of_times.result_type = common->withNullable(nullable);
    // Flink's planner takes these, and the job fails when it starts.
    if (common->kind() != TypeKind::DATE) return of_times;
  }
  ASSIGN_OR_RETURN(ResolvedSignature resolved, leastRestrictiveOf(0, returnsArgument(0))(arguments));
  const DataType& type = resolved.result_type;
  if (!type.isNull() && !isOrderable(type, type)) {
    return Status::plan("values of type " + type.asNullable().toString() + " have no order");
  }
  return resolved;
}

void addExtreme(ScalarList& list, std::string name, bool greatest, std::string description, std::string example) {
  list.push_back({.name = name,
                  .category = "conditional",
                  .signature = name + "(value, …)",
                  .description = std::move(description),
                  .example = std::move(example),
                  .min_arguments = 1,
                  .max_arguments = SIZE_MAX,
                  .resolve = resolveExtreme,
                  .make = [greatest](const FunctionCall& call) { return makeExtreme(greatest, call); },
                  .strict = true});
}

}  // namespace

void addExtremeFunctions(ScalarList& list) {
  addExtreme(list, "GREATEST", true, "The greatest of the values; NULL if one is NULL.", "GREATEST(1, 3, 2) = 3");
  addExtreme(list, "LEAST", false, "The least of the values; NULL if one is NULL.", "LEAST(1, 3, 2) = 1");
}

}  // namespace thalweg
