#include "client/api/thalweg/windows.h"

#include "client/api/thalweg/interval_join.h"

namespace thalweg::api {

int64_t windowStart(int64_t timestamp, int64_t offset, int64_t size) {
  const int64_t remainder = (timestamp - offset) % size;
  return timestamp - (remainder < 0 ? remainder + size : remainder);
}

void checkWindowSize(const char* assigner, Duration size, Duration offset) {
  if (size.toMillis() <= 0) throw ValidationException(std::string(assigner) + " need a size (or slide, or gap) above zero, found " + size.toString());
  if (std::abs(offset.toMillis()) >= size.toMillis()) {
    throw ValidationException(std::string(assigner) + " need an offset within their size, found " + offset.toString() + " for " + size.toString());
  }
}

int64_t checkedTriggerInterval(const char* trigger, Duration interval) {
  if (interval.toMillis() <= 0) throw ValidationException(std::string(trigger) + " needs an interval of at least a millisecond, found " + interval.toString());
  return interval.toMillis();
}

int64_t checkedTriggerCount(int64_t count) {
  if (count < 1) throw ValidationException("CountTrigger needs a count of at least 1, found " + std::to_string(count));
  return count;
}

void refuseNoTimestamp() {
  throw ValidationException("a record without timestamp came to an event-time window: call assignTimestampsAndWatermarks() with a "
                            "timestamp assigner on the stream before it, or use processing-time windows");
}

void refuseGap(int64_t gap) { throw ValidationException("a dynamic session gap must be above zero milliseconds, found " + std::to_string(gap)); }

void refuseUntimedJoin() {
  throw ValidationException("a record without timestamp came to an interval join, which works in event time only: call "
                            "assignTimestampsAndWatermarks() with a timestamp assigner on both streams");
}

}  // namespace thalweg::api
