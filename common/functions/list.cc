// Every built-in function enters the engine here, read from top to bottom. A new file of functions is one line in
// list.h and one here.
#include "common/functions/list.h"

namespace thalweg {

void addAllScalarFunctions(ScalarList& list) {
  addComparisonFunctions(list);
  addInFunction(list);
  addLogicalFunctions(list);
  addConditionalFunctions(list);
  addExtremeFunctions(list);

  addArithmeticFunctions(list);
  addBasicMathFunctions(list);
  addRoundingFunctions(list);
  addTranscendentalFunctions(list);
  addRandomFunctions(list);

  addStringCaseFunctions(list);
  addStringSliceFunctions(list);
  addStringEditFunctions(list);
  addStringConcatFunctions(list);
  addStringSearchFunctions(list);
  addStringLikeFunctions(list);
  addStringFormatFunctions(list);
  addStringSplitFunctions(list);
  addStringUrlFunctions(list);
  addRegexFunctions(list);
  addEncodeFunctions(list);
  addHashFunctions(list);

  addJsonQueryFunctions(list);
  addJsonPredicates(list);
  addJsonConstructFunctions(list);
  addVariantFunctions(list);
  addStructuredFunctions(list);

  addCollectionBuildFunctions(list);
  addCollectionAccessFunctions(list);
  addCollectionArrayFunctions(list);
  addCollectionSetFunctions(list);
  addBitmapFunctions(list);

  addNowFunctions(list);
  addExtractFunctions(list);
  addDateFormatFunctions(list);
  addTemporalParseFunctions(list);
  addTemporalArithmeticFunctions(list);
  addUnixTimeFunctions(list);

  addAuxiliaryFunctions(list);
}

void addAllAggregateFunctions(AggregateList& list) {
  addCountAggregates(list);
  addSumAggregates(list);
  addAverageAggregates(list);
  addExtremeAggregates(list);
  addVarianceAggregates(list);
  addFirstLastAggregates(list);
  addListAggregates(list);
  addCollectAggregates(list);
  addPercentileAggregates(list);
  addApproximateAggregates(list);
  addSingleValueAggregates(list);
  addJsonAggregates(list);
  addBitmapAggregates(list);
}

}  // namespace thalweg
