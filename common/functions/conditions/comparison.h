// Comparison kernels for two columns of one type, which several functions build on (operators, IN, NULLIF, GREATEST).
#pragma once

#include <memory>

#include "common/functions/scalar_function.h"

namespace thalweg {

enum class CompareOp : uint8_t { EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL };

/// Compares `left` and `right`, which are of one type but for nullability (DECIMALs may differ in precision and
/// scale, text in length). The result is NULL where a side is.
std::unique_ptr<ScalarKernel> makeCompareKernel(CompareOp op, const DataType& left, const DataType& right,
                                                const DataType& result_type);
/// `=` of ARRAY, MAP, MULTISET and ROW.
std::unique_ptr<ScalarKernel> makeNestedEqualityKernel(bool negated, const DataType& result_type);
/// `=` and `<>` of text and bytes.
std::unique_ptr<ScalarKernel> makeTextEqualityKernel(bool negated, const DataType& result_type);

}  // namespace thalweg
