// Rows of a batch in the order of their keys. Threads: pure.
#pragma once

#include <span>
#include <vector>

#include "common/columnar/key_codec.h"

namespace thalweg::worker {

/// Row numbers in order; rows with equal keys stay in theirs.
std::vector<RowIndex> sortedRows(const Batch& batch, SortKeyEncoder& encoder);
/// Those rows, flat.
Batch gatherRows(const Batch& batch, std::span<const RowIndex> rows);

}  // namespace thalweg::worker
