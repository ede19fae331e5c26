#include "common/functions/conditions/comparison.h"

#include "common/base/failpoint.h"
#include "common/functions/kernel_adapters.h"
#include "common/types/decimal.h"

namespace thalweg {

namespace {

template <typename A>
std::unique_ptr<ScalarKernel> comparePlain(CompareOp op, const DataType& result) {
  using T = typename RowReader<A>::Value;
  switch (op) {
    case CompareOp::EQUAL: return functionKernel<bool(A, A)>(result, [](T a, T b) { return a == b; });
    case CompareOp::NOT_EQUAL: return functionKernel<bool(A, A)>(result, [](T a, T b) { return !(a == b); });
    case CompareOp::LESS:
      if (THALWEG_MUTANT("less_takes_equal")) return comparePlain<A>(CompareOp::LESS_EQUAL, result);
      return functionKernel<bool(A, A)>(result, [](T a, T b) { return a < b; });
    default: return functionKernel<bool(A, A)>(result, [](T a, T b) { return a <= b; });
  }
}

/// Decimals of different scales, by value.
std::unique_ptr<ScalarKernel> compareScales(CompareOp op, int left, int right, const DataType& result) {
  const auto with = [&](auto holds) {
    return functionKernel<bool(AnyDecimal, AnyDecimal)>(
        result, [=](int128 a, int128 b) { return holds(compareDecimals(a, left, b, right)); });
  };
  switch (op) {
    case CompareOp::EQUAL: return with([](int order) { return order == 0; });
    case CompareOp::NOT_EQUAL: return with([](int order) { return order != 0; });
    case CompareOp::LESS: return with([](int order) { return order < 0; });
    default: return with([](int order) { return order <= 0; });
  }
}

std::unique_ptr<ScalarKernel> compareOrdered(CompareOp op, const DataType& left, const DataType& right,
                                             const DataType& result) {
  if (left.kind() == TypeKind::DECIMAL && right.kind() == TypeKind::DECIMAL &&
      (left.scale() != right.scale() || left.physicalType() != right.physicalType())) {
    return compareScales(op, left.scale(), right.scale(), result);
  }
  if (left.isTimestamp() && left.precision() != right.precision()) {
    return comparePlain<AnyTimestamp>(op, result);
  }
  switch (left.physicalType()) {
    case PhysicalType::BOOL: return comparePlain<bool>(op, result);
    case PhysicalType::INT8: return comparePlain<int8_t>(op, result);
    case PhysicalType::INT16: return comparePlain<int16_t>(op, result);
    case PhysicalType::INT32: return comparePlain<int32_t>(op, result);
    case PhysicalType::INT64: return comparePlain<int64_t>(op, result);
    case PhysicalType::INT128: return comparePlain<int128>(op, result);
    case PhysicalType::FLOAT32: return comparePlain<float>(op, result);
    case PhysicalType::FLOAT64: return comparePlain<double>(op, result);
    case PhysicalType::TIMESTAMP_NANOS: return comparePlain<TimestampValue>(op, result);
    case PhysicalType::STRING: return comparePlain<std::string_view>(op, result);
    default: break;
  }
  CHECK_MSG(false, "no order of " + left.toString());
  return nullptr;
}

/// Two values without a type, as in ROW(NULL) = ROW(NULL): nothing is known of them.
class UnknownKernel final : public ScalarKernel {
 public:
  explicit UnknownKernel(DataType result_type) : result_type_(std::move(result_type)) {}
  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr>, size_t rows) override {
    return Vector::nulls(result_type_, rows);
  }

 private:
  DataType result_type_;
};

}  // namespace

std::unique_ptr<ScalarKernel> makeCompareKernel(CompareOp op, const DataType& left, const DataType& right,
                                                const DataType& result_type) {
  if (left.isNull() || right.isNull()) return std::make_unique<UnknownKernel>(result_type.asNullable());
  if (op == CompareOp::GREATER || op == CompareOp::GREATER_EQUAL) {
    // a > b is b < a: half the loops
    const CompareOp mirrored = op == CompareOp::GREATER ? CompareOp::LESS : CompareOp::LESS_EQUAL;
    return overArguments({1, 0}, compareOrdered(mirrored, right, left, result_type));
  }
  const bool is_equality = op == CompareOp::EQUAL || op == CompareOp::NOT_EQUAL;
  if (left.isNested()) {
    CHECK(is_equality);
    return makeNestedEqualityKernel(op == CompareOp::NOT_EQUAL, result_type);
  }
  if (is_equality && left.physicalType() == PhysicalType::STRING) {
    return makeTextEqualityKernel(op == CompareOp::NOT_EQUAL, result_type);
  }
  return compareOrdered(op, left, right, result_type);
}

}  // namespace thalweg
