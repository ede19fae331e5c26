// Strict nulls: the one place that makes results NULL where an argument is NULL.
//
// Adapters call it for total functions, the evaluator for every STRICT function; calling it twice is cheap.
#pragma once

#include <span>

#include "common/columnar/vector.h"

namespace thalweg {

/// `result` with its rows NULL wherever one of `arguments` is NULL. Shares buffers where it can.
VectorPtr mergeArgumentNulls(VectorPtr result, std::span<const VectorPtr> arguments);

/// Whether one of the arguments is NULL in all rows, so that a strict function need not run.
bool anyConstantNull(std::span<const VectorPtr> arguments);

}  // namespace thalweg
