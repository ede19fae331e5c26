// mergeBranches: one column whose rows come from several columns — CASE, COALESCE, IF, GREATEST.
#pragma once

#include <cstdint>
#include <span>

#include "common/columnar/vector.h"

namespace thalweg {

/// Row i is row `positions[i]` (row i if there are no positions) of branches[choice[i]]. The branches have the
/// physical type of `type` and any encoding; text is shared, not copied.
VectorPtr mergeBranches(const DataType& type, std::span<const VectorPtr> branches, std::span<const uint16_t> choice,
                        std::span<const RowIndex> positions = {});

}  // namespace thalweg
