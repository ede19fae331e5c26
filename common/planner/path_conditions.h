// Conditions that a file's path and attributes decide for all of its rows: the scan leaves such files out unread.
//
// They read nothing but partition columns and metadata of the connector. Not taken from a table whose watermark is made
// (streaming): the rows of the files left out move it. Threads: pure.
#pragma once

#include <vector>

#include "common/plan/logical_plan.h"

namespace thalweg {

/// `scan` with those of `conjuncts` (over its columns) that it can decide; the others stay in `conjuncts`, and so do those
/// that can fail: the scan leaves out only files for which they are known to be not TRUE.
LogicalNodePtr takePathConditions(const LogicalNodePtr& scan, std::vector<BoundExprPtr>& conjuncts, bool batch_mode);

}  // namespace thalweg
