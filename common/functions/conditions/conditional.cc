// COALESCE, IFNULL, IF, NULLIF. Where a later argument can fail, the evaluator turns COALESCE, IFNULL and IF into CASE,
// so these kernels may look at all their arguments.
#include <algorithm>

#include "common/functions/conditions/comparison.h"
#include "common/functions/conditions/merge_branches.h"
#include "common/functions/conditions/points_in_time.h"
#include "common/functions/function_registry.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/type_rules.h"

namespace thalweg {

namespace {

/// The first argument that is not NULL.
class CoalesceKernel final : public ScalarKernel {
 public:
  explicit CoalesceKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (!arguments[0]->mayHaveNulls()) return arguments[0];
    std::vector<uint16_t> choice(rows, 0);
    std::vector<RowIndex> open;
    collectNulls(*arguments[0], open);
    for (size_t i = 1; i < arguments.size() && !open.empty(); ++i) {
      const RowMapping mapping(*arguments[i]);
      std::erase_if(open, [&](RowIndex row) {
        choice[row] = static_cast<uint16_t>(i);
        return !mapping.isNull(row);
      });
    }
    return mergeBranches(result_type_, arguments, choice);
  }

 private:
  static void collectNulls(const Vector& column, std::vector<RowIndex>& rows) {
    const RowMapping mapping(column);
    for (size_t row = 0; row < column.size(); ++row) {
      if (mapping.isNull(row)) rows.push_back(static_cast<RowIndex>(row));
    }
  }

  DataType result_type_;
};

/// The second argument where the first is TRUE, else the third.
class IfKernel final : public ScalarKernel {
 public:
  explicit IfKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    const ColumnReader<bool> condition(*arguments[0]);
    std::vector<uint16_t> choice(rows);
    for (size_t row = 0; row < rows; ++row) choice[row] = condition[row] && !condition.isNull(row) ? 0 : 1;
    return mergeBranches(result_type_, arguments.subspan(1), choice);
  }

 private:
  DataType result_type_;
};

/// The first argument, NULL where it equals the second; they are compared in their common type.
class NullIfKernel final : public ScalarKernel {
 public:
  static Result<std::unique_ptr<ScalarKernel>> make(const FunctionCall& call) {
    auto kernel = std::make_unique<NullIfKernel>();
    const DataType& a = call.arguments[0].type;
    const DataType& b = call.arguments[1].type;
    const std::optional<DataType> common = comparisonType(a, b);
    CHECK(common.has_value());
    ASSIGN_OR_RETURN(kernel->cast_a_, makeCastKernel(a, common->withNullable(a.nullable()), false));
    ASSIGN_OR_RETURN(kernel->cast_b_, makeCastKernel(b, common->withNullable(b.nullable()), false));
    kernel->equal_ = makeCompareKernel(CompareOp::EQUAL, *common, *common, DataType::boolean());
    kernel->result_type_ = call.result_type;
    return kernel;
  }

  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) override {
    ASSIGN_OR_RETURN(const VectorPtr a, cast_a_->evaluate(context, arguments.first(1), rows));
    ASSIGN_OR_RETURN(const VectorPtr b, cast_b_->evaluate(context, arguments.subspan(1, 1), rows));
    const VectorPtr pair[] = {a, b};
    ASSIGN_OR_RETURN(const VectorPtr equal, equal_->evaluate(context, pair, rows));
    const ColumnReader<bool> is_equal(*equal);
    std::vector<uint16_t> choice(rows);
    for (size_t row = 0; row < rows; ++row) choice[row] = is_equal[row] && !is_equal.isNull(row) ? 1 : 0;
    const VectorPtr branches[] = {arguments[0], Vector::nulls(result_type_, rows)};
    return mergeBranches(result_type_, branches, choice);
  }

 private:
  std::unique_ptr<ScalarKernel> cast_a_;
  std::unique_ptr<ScalarKernel> cast_b_;
  std::unique_ptr<ScalarKernel> equal_;
  DataType result_type_;
};

/// NOT NULL as soon as one argument is.
DataType coalescedType(std::span<const DataType> arguments) {
  const bool nullable = std::ranges::all_of(arguments, [](const DataType& type) { return type.nullable(); });
  return arguments[0].withNullable(nullable);
}

Result<ResolvedSignature> resolveCoalesce(std::span<const ArgumentInfo> arguments) {
  static const Resolve least_restrictive = leastRestrictiveOf(0, coalescedType);
  const std::optional<DataType> common = commonPointInTime(arguments);
  if (!common) return least_restrictive(arguments);
  ResolvedSignature resolved;
  for (const ArgumentInfo& argument : arguments) resolved.argument_types.push_back(common->withNullable(argument.type.nullable()));
  resolved.result_type = coalescedType(resolved.argument_types);
  return resolved;
}

Result<ResolvedSignature> resolveIf(std::span<const ArgumentInfo> arguments) {
  const DataType& condition = arguments[0].type;
  if (!condition.isNull() && condition.kind() != TypeKind::BOOLEAN) {
    return argumentError(0, "condition", "a BOOLEAN", condition);
  }
  for (size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i].type.isNull()) return argumentError(i, "value", "a value with a type, as CAST(NULL AS INT) is", arguments[i].type);
  }
  ASSIGN_OR_RETURN(ResolvedSignature resolved, leastRestrictiveOf(1, returnsArgument(1))(arguments));
  if (condition.isNull()) resolved.argument_types[0] = DataType::boolean();
  return resolved;
}

Result<ResolvedSignature> resolveNullIf(std::span<const ArgumentInfo> arguments) {
  const DataType& a = arguments[0].type;
  const DataType& b = arguments[1].type;
  ResolvedSignature resolved{{a, b}, a.asNullable()};
  if (a.isNull()) resolved.argument_types[0] = resolved.result_type = b.asNullable();
  if (b.isNull()) resolved.argument_types[1] = a.asNullable();
  const std::vector<DataType>& types = resolved.argument_types;
  if (!isEquatable(types[0], types[1]) || !comparisonType(types[0], types[1])) {
    return Status::plan("cannot compare " + a.asNullable().toString() + " with " + b.asNullable().toString() +
                        "; cast one side to the type of the other");
  }
  return resolved;
}

}  // namespace

void addConditionalFunctions(ScalarList& list) {
  list.push_back({.name = "COALESCE",
                  .category = "conditional",
                  .signature = "COALESCE(value, …)",
                  .description = "The first value that is not NULL.",
                  .example = "COALESCE(NULL, 5) = 5",
                  .min_arguments = 1,
                  .max_arguments = SIZE_MAX,
                  .resolve = resolveCoalesce,
                  .make = makerOf<CoalesceKernel>()});
  list.push_back({.name = "IFNULL",
                  .category = "conditional",
                  .signature = "IFNULL(value, replacement)",
                  .description = "The value, or the replacement if it is NULL.",
                  .example = "IFNULL(NULL, 5) = 5",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = resolveCoalesce,
                  .make = makerOf<CoalesceKernel>()});
  list.push_back({.name = "IF",
                  .category = "conditional",
                  .signature = "IF(condition, value, otherwise)",
                  .description = "The value if the condition is TRUE, the other one if it is FALSE or NULL.",
                  .example = "IF(5 > 3, 'yes', 'no') = 'yes'",
                  .min_arguments = 3,
                  .max_arguments = 3,
                  .resolve = resolveIf,
                  .make = makerOf<IfKernel>()});
  list.push_back({.name = "NULLIF",
                  .category = "conditional",
                  .signature = "NULLIF(a, b)",
                  .description = "NULL if both are equal, else the first.",
                  .example = "NULLIF(5, 5) IS NULL",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = resolveNullIf,
                  .make = NullIfKernel::make});
}

}  // namespace thalweg
