#include "client/api/thalweg/watermark_alignment.h"

#include <algorithm>

namespace thalweg::api {

void AlignmentGroup::join(Member member) {
  const std::scoped_lock lock(mutex_);
  members_[member] = {};
}

void AlignmentGroup::leave(Member member) {
  const std::scoped_lock lock(mutex_);
  members_.erase(member);
}

void AlignmentGroup::report(Member member, EventTime watermark) {
  const std::scoped_lock lock(mutex_);
  const auto found = members_.find(member);
  if (found != members_.end()) found->second.watermark = watermark;
}

void AlignmentGroup::setIdle(Member member, bool idle) {
  const std::scoped_lock lock(mutex_);
  const auto found = members_.find(member);
  if (found != members_.end()) found->second.idle = idle;
}

bool AlignmentGroup::isAhead(Member member, int64_t drift_ms) const {
  const std::scoped_lock lock(mutex_);
  const auto own = members_.find(member);
  if (own == members_.end() || own->second.idle || own->second.watermark == kMinWatermark) return false;
  EventTime lowest = kMaxWatermark;
  for (const auto& [each, state] : members_) {
    if (!state.idle) lowest = std::min(lowest, state.watermark);
  }
  return lowest < own->second.watermark - drift_ms;
}

}  // namespace thalweg::api
