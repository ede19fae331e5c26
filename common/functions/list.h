// The tables of built-in functions: one function per file, called from list.cc in the order of the reference page.
#pragma once

#include <vector>

#include "common/functions/aggregate_function.h"
#include "common/functions/scalar_function.h"

namespace thalweg {

using ScalarList = std::vector<ScalarFunction>;
using AggregateList = std::vector<AggregateFunction>;

/// Everything, in the order of the reference page.
void addAllScalarFunctions(ScalarList& list);
void addAllAggregateFunctions(AggregateList& list);

// comparison*.cc, logical.cc, conditional*.cc
void addComparisonFunctions(ScalarList& list);
void addInFunction(ScalarList& list);
void addLogicalFunctions(ScalarList& list);
void addConditionalFunctions(ScalarList& list);
void addExtremeFunctions(ScalarList& list);

// arithmetic.cc, math_*.cc
void addArithmeticFunctions(ScalarList& list);
void addBasicMathFunctions(ScalarList& list);
void addRoundingFunctions(ScalarList& list);
void addTranscendentalFunctions(ScalarList& list);
void addRandomFunctions(ScalarList& list);

// temporal_*.cc
void addNowFunctions(ScalarList& list);
void addExtractFunctions(ScalarList& list);
void addDateFormatFunctions(ScalarList& list);
void addTemporalParseFunctions(ScalarList& list);
void addTemporalArithmeticFunctions(ScalarList& list);
void addUnixTimeFunctions(ScalarList& list);

// auxiliary.cc
void addAuxiliaryFunctions(ScalarList& list);

// string_*.cc, regex_functions.cc
void addStringCaseFunctions(ScalarList& list);
void addStringSliceFunctions(ScalarList& list);
void addStringEditFunctions(ScalarList& list);
void addStringConcatFunctions(ScalarList& list);
void addStringSearchFunctions(ScalarList& list);
void addStringLikeFunctions(ScalarList& list);
void addRegexFunctions(ScalarList& list);
void addEncodeFunctions(ScalarList& list);
void addStringFormatFunctions(ScalarList& list);
void addStringSplitFunctions(ScalarList& list);
void addStringUrlFunctions(ScalarList& list);

// json_*.cc
void addJsonQueryFunctions(ScalarList& list);
void addJsonPredicates(ScalarList& list);
void addJsonConstructFunctions(ScalarList& list);

// variant_functions.cc
void addVariantFunctions(ScalarList& list);
void addStructuredFunctions(ScalarList& list);

// collection_*.cc
void addCollectionBuildFunctions(ScalarList& list);
void addCollectionAccessFunctions(ScalarList& list);
void addCollectionArrayFunctions(ScalarList& list);
void addCollectionSetFunctions(ScalarList& list);

// bitmap_functions.cc
void addBitmapFunctions(ScalarList& list);

// hash_functions.cc
void addHashFunctions(ScalarList& list);

// aggregate_*.cc
void addCountAggregates(AggregateList& list);
void addSumAggregates(AggregateList& list);
void addAverageAggregates(AggregateList& list);
void addExtremeAggregates(AggregateList& list);
void addVarianceAggregates(AggregateList& list);
void addFirstLastAggregates(AggregateList& list);
void addListAggregates(AggregateList& list);
void addCollectAggregates(AggregateList& list);
void addPercentileAggregates(AggregateList& list);
void addApproximateAggregates(AggregateList& list);
void addSingleValueAggregates(AggregateList& list);
void addJsonAggregates(AggregateList& list);
void addBitmapAggregates(AggregateList& list);

}  // namespace thalweg
