// Casts among DATE, TIME, TIMESTAMP and TIMESTAMP_LTZ. Instants are seen on the wall clock of the session zone. A lower
// precision cuts digits towards the past.
#include "common/functions/cast/cast.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/temporal/session_zone.h"
#include "common/types/datetime.h"

namespace thalweg {

namespace {

/// A date, time or timestamp as wall clock; instants through the zone.
template <typename R, typename Finish>
std::unique_ptr<ScalarKernel> fromWall(const CastCall& call, Finish finish) {
  switch (call.from.kind()) {
    case TypeKind::DATE:
      return functionKernel<R(int32_t)>(call.to, [finish](EvalContext& context, int32_t days) mutable {
        return finish(context, TimestampValue{days * kMillisPerDay, 0, 0});
      });
    case TypeKind::TIME:
      return functionKernel<R(int32_t)>(call.to, [finish](EvalContext& context, int32_t time) mutable {
        return finish(context, TimestampValue{time, 0, 0});
      });
    case TypeKind::TIMESTAMP:
      return functionKernel<R(AnyTimestamp)>(
          call.to, [finish](EvalContext& context, TimestampValue wall) mutable { return finish(context, wall); });
    default:
      return functionKernel<R(AnyTimestamp)>(
          call.to, [finish, zone = SessionCursor()](EvalContext& context, TimestampValue instant) mutable {
            return finish(context, zone.of(context).toLocal(instant));
          });
  }
}

/// Between two precisions of one kind.
std::unique_ptr<ScalarKernel> toPrecision(const CastCall& call) {
  const int precision = call.to.precision();
  return functionKernel<AnyTimestamp(AnyTimestamp)>(
      call.to, [precision](TimestampValue value) { return truncateToPrecision(value, precision); });
}

}  // namespace

std::unique_ptr<ScalarKernel> makeTemporalCast(const CastCall& call) {
  if (!call.from.isTemporal() || !call.to.isTemporal()) return nullptr;
  const int precision = call.to.precision();
  switch (call.to.kind()) {
    case TypeKind::DATE:
      return fromWall<int32_t>(call, [](EvalContext&, TimestampValue wall) { return dateOfMillis(wall.millis); });
    case TypeKind::TIME:
      return fromWall<int32_t>(call, [precision](EvalContext&, TimestampValue wall) {
        return truncateTimeToPrecision(timeOfMillis(wall.millis), precision);
      });
    case TypeKind::TIMESTAMP:
      if (call.from.kind() == TypeKind::TIMESTAMP) return toPrecision(call);
      return fromWall<AnyTimestamp>(
          call, [precision](EvalContext&, TimestampValue wall) { return truncateToPrecision(wall, precision); });
    default:
      if (call.from.kind() == TypeKind::TIMESTAMP_LTZ) return toPrecision(call);
      return fromWall<AnyTimestamp>(
          call, [precision, zone = SessionCursor()](EvalContext& context, TimestampValue wall) mutable {
            return truncateToPrecision(zone.of(context).toInstant(wall), precision);
          });
  }
}

}  // namespace thalweg
