// The result types of + - * / %, SUM and AVG.
#include <algorithm>

#include "common/types/decimal.h"
#include "common/types/type_rules.h"

namespace thalweg {

namespace {

DataType decimalType(DecimalSpec spec) { return DataType::decimal(spec.precision, spec.scale); }

DecimalSpec decimalResult(ArithmeticOp op, DecimalSpec a, DecimalSpec b) {
  switch (op) {
    case ArithmeticOp::ADD:
    case ArithmeticOp::SUBTRACT: return addedDecimalSpec(a, b);
    case ArithmeticOp::MULTIPLY: return multipliedDecimalSpec(a, b);
    case ArithmeticOp::DIVIDE: return dividedDecimalSpec(a, b);
    case ArithmeticOp::MODULO: return remainderDecimalSpec(a, b);
  }
  return a;
}

std::optional<DataType> numberResult(ArithmeticOp op, const DataType& a, const DataType& b) {
  if (a.isApproximateNumeric() || b.isApproximateNumeric()) {
    return op == ArithmeticOp::MODULO ? std::nullopt : leastRestrictive(a.asNullable(), b.asNullable());
  }
  if (a.isInteger() && b.isInteger()) return op == ArithmeticOp::MODULO || b.kind() >= a.kind() ? b : a;
  return decimalType(decimalResult(op, *decimalSpecOf(a), *decimalSpecOf(b)));
}

std::optional<DataType> intervalResult(ArithmeticOp op, const DataType& a, const DataType& b) {
  const bool sum = op == ArithmeticOp::ADD || op == ArithmeticOp::SUBTRACT;
  if (sum && a.isTemporal() && b.isInterval()) return a;
  if (op == ArithmeticOp::ADD && a.isInterval() && b.isTemporal()) return b;
  if (sum && a.isInterval() && a.kind() == b.kind()) return a;
  if (op == ArithmeticOp::MULTIPLY && a.isInterval() && b.isInteger()) return a;
  if (op == ArithmeticOp::MULTIPLY && a.isInteger() && b.isInterval()) return b;
  return std::nullopt;
}

}  // namespace

std::optional<DataType> arithmeticType(ArithmeticOp op, const DataType& a, const DataType& b) {
  // A bare NULL takes the other side's type.
  const DataType& left = a.isNull() ? b : a;
  const DataType& right = b.isNull() ? a : b;
  const std::optional<DataType> type =
      left.isNumeric() && right.isNumeric() ? numberResult(op, left, right) : intervalResult(op, left, right);
  if (!type) return std::nullopt;
  return type->withNullable(a.nullable() || b.nullable());
}

std::optional<DataType> sumType(const DataType& argument) {
  if (argument.kind() == TypeKind::DECIMAL) return decimalType(summedDecimalSpec(*decimalSpecOf(argument)));
  return argument.isNumeric() || argument.isInterval() ? std::optional(argument.asNullable()) : std::nullopt;
}

std::optional<DataType> avgType(const DataType& argument) {
  if (argument.kind() == TypeKind::DECIMAL) return decimalType(averagedDecimalSpec(*decimalSpecOf(argument)));
  return argument.isNumeric() ? std::optional(argument.asNullable()) : std::nullopt;
}

}  // namespace thalweg
