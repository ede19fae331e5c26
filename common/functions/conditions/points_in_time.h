// The common type of points in time as Flink's functions find it, which is not the one of CASE and UNION.
#pragma once

#include <optional>
#include <span>

#include "common/functions/scalar_function.h"

namespace thalweg {

/// DATE of DATEs and TIMESTAMPs, TIMESTAMP_LTZ of TIMESTAMPs and TIMESTAMP_LTZs; nothing for all other arguments.
std::optional<DataType> commonPointInTime(std::span<const ArgumentInfo> arguments);

}  // namespace thalweg
