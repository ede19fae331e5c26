// Kernels of + - * / % by family of types; arithmetic.cc chooses among them.
#pragma once

#include <memory>

#include "common/functions/scalar_function.h"
#include "common/types/type_rules.h"

namespace thalweg {

/// Integers and approximate numbers: both arguments of one type (of the wider integer for MODULO).
Result<std::unique_ptr<ScalarKernel>> makeNumberArithmetic(ArithmeticOp op, const FunctionCall& call);
/// At least one DECIMAL; integers come as BIGINT.
Result<std::unique_ptr<ScalarKernel>> makeDecimalArithmetic(ArithmeticOp op, const FunctionCall& call);
/// Dates, times, timestamps and intervals with intervals, intervals with integers (BIGINT).
Result<std::unique_ptr<ScalarKernel>> makeTemporalArithmetic(ArithmeticOp op, const FunctionCall& call);

/// The failure of a division or remainder by zero.
Status divisionByZero();

}  // namespace thalweg
