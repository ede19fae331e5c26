// WatermarkDelay: an operator whose rows may be older than its watermark by a fixed time, so that its marks are moved back.
//
// Interval joins send a pair when its second row comes; the first may be as old as the interval is long. Behind them the
// watermark is lower by that much, and the rows' times stay ahead of it. The end of input is not moved.
#pragma once

#include <memory>

#include "common/runtime_api/operator.h"

namespace thalweg::worker {

/// `inner` with its marks moved back by `delay_ms` (not negative).
std::unique_ptr<Operator> delayWatermarks(std::unique_ptr<Operator> inner, int64_t delay_ms);

}  // namespace thalweg::worker
