// TimeZone: a zone of the IANA database or a fixed offset, and the way between instants and wall clock.
//
// Ids are what Java takes: `Europe/Berlin`, `UTC`, `Z`, `GMT+08:00`, `UTC+8`, `+05:30`, and the short ids of
// java.util.TimeZone (`PST`, `CST`, `EST`). A TimeZone is a cheap immutable value; rules are read once per id and
// shared. For columns use a ZoneCursor, which costs a few nanoseconds a row while rows stay in one offset period.
// Threads: TimeZone any, ZoneCursor one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "common/base/status.h"
#include "common/types/value.h"

namespace thalweg {

/// Which of two instants a wall-clock time means when clocks were set back. A time skipped when clocks went
/// forward always moves forward by the length of the gap.
enum class Overlap : uint8_t {
  EARLIER,  ///< the offset before the change (CAST, java.time)
  LATER,    ///< the offset after the change (UNIX_TIMESTAMP, CONVERT_TZ, java.util.Calendar)
};

class TimeZone {
 public:
  /// An offset that holds for instants in [begin_utc_ms, end_utc_ms).
  struct Period {
    int64_t begin_utc_ms;
    int64_t end_utc_ms;
    int64_t offset_ms;  ///< wall clock minus UTC
  };
  struct Rules;

  TimeZone();  ///< UTC
  /// As ZoneId.of (with the short ids): an unknown id is an error that names it.
  static Result<TimeZone> of(std::string_view id);
  /// As `table.local-time-zone` takes them: only ids that java.util.TimeZone and ZoneId understand alike, so regions,
  /// `UTC` and `GMT+08:00`, but not `UTC+8`, `+05:30` or `PST`.
  static Result<TimeZone> ofSession(std::string_view id);
  /// As java.util.TimeZone.getTimeZone: an unknown id is GMT.
  static TimeZone ofLenient(std::string_view id);
  static TimeZone ofOffsetSeconds(int32_t seconds);

  const std::string& id() const;
  bool isUtc() const;  ///< wall clock always equals UTC
  Period periodAt(int64_t utc_ms) const;
  int64_t offsetMsAt(int64_t utc_ms) const { return periodAt(utc_ms).offset_ms; }

  int64_t toLocalMs(int64_t utc_ms) const { return utc_ms + offsetMsAt(utc_ms); }
  int64_t toUtcMs(int64_t local_ms, Overlap overlap = Overlap::EARLIER) const;
  TimestampValue toLocal(TimestampValue instant) const { return {toLocalMs(instant.millis), instant.nanos, 0}; }
  TimestampValue toInstant(TimestampValue wall, Overlap overlap = Overlap::EARLIER) const {
    return {toUtcMs(wall.millis, overlap), wall.nanos, 0};
  }

  bool operator==(const TimeZone& other) const { return id() == other.id(); }

 private:
  explicit TimeZone(std::shared_ptr<const Rules> rules) : rules_(std::move(rules)) {}
  std::shared_ptr<const Rules> rules_;
};

/// Converts many values of one zone, remembering the offset period of the last one.
class ZoneCursor {
 public:
  explicit ZoneCursor(TimeZone zone, Overlap overlap = Overlap::EARLIER) : zone_(std::move(zone)), overlap_(overlap) {}

  int64_t toLocalMs(int64_t utc_ms) {
    if (utc_ms < period_.begin_utc_ms || utc_ms >= period_.end_utc_ms) [[unlikely]] seek(utc_ms);
    return utc_ms + period_.offset_ms;
  }
  int64_t toUtcMs(int64_t local_ms) {
    if (local_ms < local_begin_ms_ || local_ms >= local_end_ms_) [[unlikely]] return seekLocal(local_ms);
    return local_ms - period_.offset_ms;
  }
  TimestampValue toLocal(TimestampValue instant) { return {toLocalMs(instant.millis), instant.nanos, 0}; }
  TimestampValue toInstant(TimestampValue wall) { return {toUtcMs(wall.millis), wall.nanos, 0}; }
  const TimeZone& zone() const { return zone_; }

 private:
  void seek(int64_t utc_ms);
  int64_t seekLocal(int64_t local_ms);

  TimeZone zone_;
  Overlap overlap_;
  TimeZone::Period period_{0, 0, 0};  // empty at first
  int64_t local_begin_ms_ = 0;        // wall-clock times that only period_ has
  int64_t local_end_ms_ = 0;
};

}  // namespace thalweg
