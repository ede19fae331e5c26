// EXTRACT(unit FROM x) and YEAR(x), QUARTER(x), … SECOND(x): BIGINT parts of dates, times, timestamps and intervals.
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/temporal/session_zone.h"
#include "common/types/time_unit.h"

namespace thalweg {

namespace {

std::unique_ptr<ScalarKernel> extractKernel(TimeUnit unit, const DataType& from, const DataType& result) {
  switch (from.kind()) {
    case TypeKind::DATE:
      return functionKernel<int64_t(int32_t)>(result, [unit](int32_t days) { return extractFromDate(unit, days); });
    case TypeKind::TIME:
      return functionKernel<int64_t(int32_t)>(result, [unit](int32_t time) { return extractFromTime(unit, time); });
    case TypeKind::TIMESTAMP:
      return functionKernel<int64_t(AnyTimestamp)>(
          result, [unit](TimestampValue wall) { return extractFromTimestamp(unit, wall); });
    case TypeKind::TIMESTAMP_LTZ:
      if (unit == TimeUnit::EPOCH) {
        return functionKernel<int64_t(AnyTimestamp)>(
            result, [](TimestampValue instant) { return extractFromTimestamp(TimeUnit::EPOCH, instant); });
      }
      return functionKernel<int64_t(AnyTimestamp)>(
          result, [unit, zone = SessionCursor()](EvalContext& context, TimestampValue instant) mutable {
            return extractFromTimestamp(unit, zone.of(context).toLocal(instant));
          });
    case TypeKind::INTERVAL_YEAR_MONTH:
      return functionKernel<int64_t(int32_t)>(
          result, [unit](int32_t months) { return extractFromYearMonthInterval(unit, months); });
    default:
      return functionKernel<int64_t(int64_t)>(
          result, [unit](int64_t millis) { return extractFromDayTimeInterval(unit, millis); });
  }
}

bool isWithinDay(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::HOUR:
    case TimeUnit::MINUTE:
    case TimeUnit::SECOND:
    case TimeUnit::MILLISECOND:
    case TimeUnit::MICROSECOND:
    case TimeUnit::NANOSECOND:
    case TimeUnit::EPOCH: return true;
    default: return false;
  }
}

/// Whether values of the type have the part at all.
bool hasUnit(const DataType& type, TimeUnit unit) {
  if (type.kind() == TypeKind::TIME) {
    return isWithinDay(unit) && unit != TimeUnit::MICROSECOND && unit != TimeUnit::NANOSECOND;
  }
  if (type.kind() == TypeKind::INTERVAL_YEAR_MONTH) {
    return unit == TimeUnit::YEAR || unit == TimeUnit::QUARTER || unit == TimeUnit::MONTH;
  }
  if (type.kind() == TypeKind::INTERVAL_DAY_TIME) {
    return (isWithinDay(unit) && unit != TimeUnit::EPOCH) || unit == TimeUnit::DAY || unit == TimeUnit::WEEK;
  }
  return true;
}

Status checkUnit(const DataType& type, TimeUnit unit) {
  if (hasUnit(type, unit)) return {};
  return Status::plan("a value of type " + type.asNullable().toString() + " has no " + std::string(timeUnitName(unit)));
}

Parameter moment() {
  return {.name = "value",
          .expected = "a DATE, TIME, TIMESTAMP or INTERVAL",
          .accepts = [](const DataType& type) { return type.isTemporal() || type.isInterval(); },
          .cast = [](const DataType& type) { return type; },
          .plain = DataType::timestamp(3)};
}

Result<ResolvedSignature> resolveExtract(std::span<const ArgumentInfo> arguments) {
  ASSIGN_OR_RETURN(const ResolvedSignature resolved,
                   signature({param::symbol("unit"), moment()}, returns(DataType::bigint()))(arguments));
  const std::optional<TimeUnit> unit =
      arguments[0].literal ? parseTimeUnit(arguments[0].literal->asString()) : std::nullopt;
  if (!unit)
    return Status::plan(
        "unknown unit; EXTRACT knows YEAR, QUARTER, MONTH, WEEK, DAY, DOW, DOY, HOUR, MINUTE, SECOND, …");
  RETURN_IF_ERROR(checkUnit(resolved.argument_types[1], *unit));
  return resolved;
}

void addPart(ScalarList& list, std::string name, TimeUnit unit, std::string description, std::string example) {
  const auto resolve = [unit](std::span<const ArgumentInfo> arguments) -> Result<ResolvedSignature> {
    ASSIGN_OR_RETURN(const ResolvedSignature resolved, signature({moment()}, returns(DataType::bigint()))(arguments));
    RETURN_IF_ERROR(checkUnit(resolved.argument_types[0], unit));
    return resolved;
  };
  list.push_back({.name = name,
                  .category = "temporal",
                  .signature = name + "(time)",
                  .description = std::move(description),
                  .example = std::move(example),
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = resolve,
                  .make = [unit](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    return extractKernel(unit, call.arguments[0].type, call.result_type);
                  },
                  .strict = true});
}

}  // namespace

void addExtractFunctions(ScalarList& list) {
  list.push_back({.name = "EXTRACT",
                  .category = "temporal",
                  .signature = "EXTRACT(unit FROM time)",
                  .description = "A part of a date, time, timestamp or interval, as BIGINT.",
                  .example = "EXTRACT(MONTH FROM DATE '2024-05-31') = 5",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = resolveExtract,
                  .make = [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    const TimeUnit unit = *parseTimeUnit(literalArgument(call, 0)->asString());
                    return overArguments({1}, extractKernel(unit, call.arguments[1].type, call.result_type));
                  },
                  .strict = true});
  addPart(list, "YEAR", TimeUnit::YEAR, "The year.", "YEAR(DATE '2024-05-31') = 2024");
  addPart(list, "QUARTER", TimeUnit::QUARTER, "The quarter, 1 to 4.", "QUARTER(DATE '2024-05-31') = 2");
  addPart(list, "MONTH", TimeUnit::MONTH, "The month, 1 to 12.", "MONTH(DATE '2024-05-31') = 5");
  addPart(list, "WEEK", TimeUnit::WEEK, "The ISO week, 1 to 53.", "WEEK(DATE '2024-05-31') = 22");
  addPart(list, "DAYOFYEAR", TimeUnit::DOY, "The day of the year, 1 to 366.", "DAYOFYEAR(DATE '2024-05-31') = 152");
  addPart(list, "DAYOFMONTH", TimeUnit::DAY, "The day of the month, 1 to 31.", "DAYOFMONTH(DATE '2024-05-31') = 31");
  addPart(list, "DAYOFWEEK", TimeUnit::DOW, "The day of the week; Sunday is 1.", "DAYOFWEEK(DATE '2024-05-31') = 6");
  addPart(list, "HOUR", TimeUnit::HOUR, "The hour, 0 to 23.", "HOUR(TIMESTAMP '2024-05-31 10:20:30') = 10");
  addPart(list, "MINUTE", TimeUnit::MINUTE, "The minute, 0 to 59.", "MINUTE(TIMESTAMP '2024-05-31 10:20:30') = 20");
  addPart(list, "SECOND", TimeUnit::SECOND, "The second, 0 to 59.", "SECOND(TIMESTAMP '2024-05-31 10:20:30') = 30");
}

}  // namespace thalweg
