// sortedDistinctAggregate: distinctAggregate() that hands over its values in ascending order, NULL first, once the result is
// wanted: Flink's batch mode groups by sorting, so LISTAGG(DISTINCT …) has that order there. Not for inputs with updates.
#pragma once

#include <memory>

#include "common/functions/aggregate_function.h"

namespace thalweg {

std::unique_ptr<AggregateKernel> sortedDistinctAggregate(std::unique_ptr<AggregateKernel> inner, const AggregateCall& call);

}  // namespace thalweg
