// FLOOR and CEIL of dates, times and timestamps to a unit. Instants are rounded on the wall clock of the session zone.
#include "common/functions/kernel_adapters.h"
#include "common/functions/numbers/rounding.h"
#include "common/functions/temporal/session_zone.h"
#include "common/types/time_unit.h"

namespace thalweg {

namespace {

TimestampValue roundWall(bool up, TimeUnit unit, TimestampValue wall) {
  return up ? ceilTimestamp(unit, wall) : floorTimestamp(unit, wall);
}

/// Rounds on the wall clock and comes back with the argument's own offset, as Flink does: each of the two 01:30 of an
/// autumn night has its own hour, and the start of a day is as far off as the offset has changed since.
TimestampValue roundInstant(bool up, TimeUnit unit, TimestampValue instant, ZoneCursor& zone) {
  const int64_t offset = zone.toLocalMs(instant.millis) - instant.millis;
  const TimestampValue wall = roundWall(up, unit, {instant.millis + offset, instant.nanos, 0});
  return {wall.millis - offset, wall.nanos, 0};
}

std::unique_ptr<ScalarKernel> roundingKernel(bool up, TimeUnit unit, const DataType& type) {
  switch (type.kind()) {
    case TypeKind::DATE:
      return functionKernel<int32_t(int32_t)>(
          type, [=](int32_t days) { return up ? ceilDate(unit, days) : floorDate(unit, days); });
    case TypeKind::TIME:
      if (unit == TimeUnit::DAY) return functionKernel<int32_t(int32_t)>(type, [](int32_t time) { return time; });   // as Flink has it
      return functionKernel<int32_t(int32_t)>(
          type, [=](int32_t time) { return up ? ceilTime(unit, time) : floorTime(unit, time); });
    case TypeKind::TIMESTAMP:
      return functionKernel<AnyTimestamp(AnyTimestamp)>(type,
                                                        [=](TimestampValue wall) { return roundWall(up, unit, wall); });
    default:
      return functionKernel<AnyTimestamp(AnyTimestamp)>(
          type, [up, unit, zone = SessionCursor()](EvalContext& context, TimestampValue instant) mutable {
            return roundInstant(up, unit, instant, zone.of(context));
          });
  }
}

}  // namespace

Result<std::unique_ptr<ScalarKernel>> makeTemporalRounding(bool up, const FunctionCall& call) {
  const TimeUnit unit = *parseTimeUnit(literalArgument(call, 1)->asString());
  return overArguments({0}, roundingKernel(up, unit, call.result_type));
}

}  // namespace thalweg
