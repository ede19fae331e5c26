// The families of cast kernels; cast_kernel.cc chooses among them.
#pragma once

#include <memory>

#include "common/functions/scalar_function.h"

namespace thalweg {

struct CastCall {
  DataType from;
  DataType to;
  bool is_try = false;
};

// Each returns null for types that are not its business.
std::unique_ptr<ScalarKernel> makeNumberCast(const CastCall& call);  ///< numbers, BOOLEAN, intervals among themselves
std::unique_ptr<ScalarKernel> makeTextParsingCast(
    const CastCall& call);  ///< text to numbers, BOOLEAN, dates, times, timestamps
std::unique_ptr<ScalarKernel> makeTextWritingCast(const CastCall& call);  ///< anything to CHAR and VARCHAR
std::unique_ptr<ScalarKernel> makeLengthCast(const CastCall& call);       ///< text and bytes among themselves
std::unique_ptr<ScalarKernel> makeTemporalCast(const CastCall& call);     ///< dates, times, timestamps among themselves
Result<std::unique_ptr<ScalarKernel>> makeNestedCast(
    const CastCall& call);  ///< ARRAY, MAP, MULTISET, ROW among themselves

/// The failure that castValue() reports for this value.
Status castFailure(const Value& value, const CastCall& call);

}  // namespace thalweg
