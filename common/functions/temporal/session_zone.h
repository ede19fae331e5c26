// SessionCursor: the session's zone for kernels, with the offset period of the last row remembered.
#pragma once

#include <optional>

#include "common/functions/scalar_function.h"

namespace thalweg {

class SessionCursor {
 public:
  explicit SessionCursor(Overlap overlap = Overlap::EARLIER) : overlap_(overlap) {}

  ZoneCursor& of(const EvalContext& context) {
    if (context.session_zone != zone_) [[unlikely]] {
      zone_ = context.session_zone;
      cursor_.emplace(*zone_, overlap_);
    }
    return *cursor_;
  }

 private:
  Overlap overlap_;
  const TimeZone* zone_ = nullptr;
  std::optional<ZoneCursor> cursor_;
};

}  // namespace thalweg
