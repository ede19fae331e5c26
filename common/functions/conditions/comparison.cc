// The comparison operators, IS [NOT] DISTINCT FROM and IN.
#include "common/functions/conditions/comparison.h"

#include <algorithm>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/type_rules.h"

namespace thalweg {

namespace {

std::string_view opText(CompareOp op) {
  switch (op) {
    case CompareOp::EQUAL: return "=";
    case CompareOp::NOT_EQUAL: return "<>";
    case CompareOp::LESS: return "<";
    case CompareOp::LESS_EQUAL: return "<=";
    case CompareOp::GREATER: return ">";
    case CompareOp::GREATER_EQUAL: return ">=";
  }
  return "";
}

/// Whether a comparison for equality may be open although both sides are there: ROW constructors with nullable fields.
bool leavesOpen(const DataType& type) {
  if (type.kind() != TypeKind::ROW) return false;
  return std::ranges::any_of(type.fields(),
                             [](const Field& field) { return field.type.nullable() || leavesOpen(field.type); });
}

/// The types that the two sides are cast to; `by_order`: as < and IS DISTINCT FROM compare FLOAT and DOUBLE.
Result<std::vector<DataType>> comparedTypes(bool needs_order, bool by_order, DataType a, DataType b) {
  if (a.isNull() && b.isNull()) a = b = DataType::boolean();
  if (a.isNull()) a = b.asNullable();
  if (b.isNull()) b = a.asNullable();
  if (a.isString() && isTextCoercible(b)) a = b.withNullable(a.nullable());
  if (b.isString() && isTextCoercible(a)) b = a.withNullable(b.nullable());
  const std::optional<DataType> common =
      !(needs_order ? isOrderable(a, b) : isEquatable(a, b)) ? std::nullopt
      : by_order                                              ? orderType(a, b)
                                                              : comparisonType(a, b);
  if (!common) {
    return Status::plan("cannot compare " + a.asNullable().toString() + " with " + b.asNullable().toString() +
                        "; cast one side to the type of the other");
  }
  return std::vector<DataType>{common->withNullable(a.nullable()), common->withNullable(b.nullable())};
}

Resolve resolveComparison(bool needs_order, bool never_null) {
  return [=](std::span<const ArgumentInfo> arguments) -> Result<ResolvedSignature> {
    if (arguments.size() != 2)
      return Status::plan("expected 2 operands, but found " + std::to_string(arguments.size()));
    ResolvedSignature resolved;
    ASSIGN_OR_RETURN(resolved.argument_types,
                     comparedTypes(needs_order, needs_order || never_null, arguments[0].type, arguments[1].type));
    const bool open = leavesOpen(resolved.argument_types[0]) || leavesOpen(resolved.argument_types[1]);
    resolved.result_type = DataType::boolean(!never_null && (open || anyNullable(resolved.argument_types)));
    return resolved;
  };
}

void addOperator(ScalarList& list, CompareOp op, std::vector<std::string> aliases, std::string description,
                 std::string example) {
  const std::string text(opText(op));
  const bool needs_order = op != CompareOp::EQUAL && op != CompareOp::NOT_EQUAL;
  list.push_back({.name = text,
                  .aliases = std::move(aliases),
                  .category = "comparison",
                  .signature = "a " + text + " b",
                  .description = std::move(description),
                  .example = std::move(example),
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = resolveComparison(needs_order, false),
                  .make = [op](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    return makeCompareKernel(op, call.arguments[0].type, call.arguments[1].type, call.result_type);
                  },
                  .strict = true,
                  .listed = false});
}

/// Comparison in which NULL is a value like any other.
class DistinctKernel final : public ScalarKernel {
 public:
  DistinctKernel(bool negated, std::unique_ptr<ScalarKernel> equal) : negated_(negated), equal_(std::move(equal)) {}

  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) override {
    ASSIGN_OR_RETURN(const VectorPtr equal, equal_->evaluate(context, arguments, rows));
    const ColumnReader<bool> is_equal(*equal);
    const RowMapping left(*arguments[0]);
    const RowMapping right(*arguments[1]);
    const bool any_nulls = left.mayHaveNulls() || right.mayHaveNulls() || is_equal.mayHaveNulls();
    FlatBuilder<bool> builder(DataType::boolean(false), rows);
    for (size_t row = 0; row < rows; ++row) {
      bool distinct = false;
      if (!any_nulls)
        distinct = !is_equal[row];
      else if (left.isNull(row) || right.isNull(row))
        distinct = left.isNull(row) != right.isNull(row);
      else
        distinct = is_equal.isNull(row) || !is_equal[row];
      builder.set(row, distinct != negated_);
    }
    return builder.finish();
  }

 private:
  bool negated_;
  std::unique_ptr<ScalarKernel> equal_;
};

void addDistinct(ScalarList& list, bool negated, std::string name, std::string description, std::string example) {
  list.push_back({.name = name,
                  .category = "comparison",
                  .signature = "a " + name + " b",
                  .description = std::move(description),
                  .example = std::move(example),
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = resolveComparison(false, true),
                  .make = [negated](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    return std::make_unique<DistinctKernel>(
                        negated, makeCompareKernel(CompareOp::EQUAL, call.arguments[0].type, call.arguments[1].type,
                                                   DataType::boolean()));
                  },
                  .listed = false});
}

}  // namespace

void addComparisonFunctions(ScalarList& list) {
  addOperator(list, CompareOp::EQUAL, {}, "TRUE if both are equal.", "1 = 1.0");
  addOperator(list, CompareOp::NOT_EQUAL, {"!="}, "TRUE if the two differ.", "1 <> 2");
  addOperator(list, CompareOp::LESS, {}, "TRUE if the first is less.", "1 < 2");
  addOperator(list, CompareOp::LESS_EQUAL, {}, "TRUE if the first is less or equal.", "1 <= 1");
  addOperator(list, CompareOp::GREATER, {}, "TRUE if the first is greater.", "2 > 1");
  addOperator(list, CompareOp::GREATER_EQUAL, {}, "TRUE if the first is greater or equal.", "2 >= 2");
  addDistinct(list, false, "IS DISTINCT FROM", "TRUE if the two differ; NULL equals NULL. Never NULL.",
              "1 IS DISTINCT FROM NULL");
  addDistinct(list, true, "IS NOT DISTINCT FROM", "TRUE if both are equal or both NULL. Never NULL.",
              "NULL IS NOT DISTINCT FROM NULL");
}

}  // namespace thalweg
