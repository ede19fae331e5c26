// TIMESTAMPADD, TIMESTAMPDIFF, differences as intervals, and OVERLAPS.
#include <algorithm>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/numbers/arithmetic.h"
#include "common/functions/signatures.h"
#include "common/types/time_unit.h"

namespace thalweg {

namespace {

bool isShorterThanDay(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::HOUR:
    case TimeUnit::MINUTE:
    case TimeUnit::SECOND:
    case TimeUnit::MILLISECOND:
    case TimeUnit::MICROSECOND:
    case TimeUnit::NANOSECOND: return true;
    default: return false;
  }
}

Parameter moment(std::string name) {
  return {.name = std::move(name),
          .expected = "a DATE, TIME or TIMESTAMP",
          .accepts = [](const DataType& type) { return type.isTemporal(); },
          .cast = [](const DataType& type) { return type; },
          .plain = DataType::timestamp(3)};
}

std::optional<TimeUnit> unitOf(const ArgumentInfo& argument) {
  return argument.literal ? parseTimeUnit(argument.literal->asString()) : std::nullopt;
}

Status unitError() {
  return Status::plan("the unit must be YEAR, QUARTER, MONTH, WEEK, DAY, HOUR, MINUTE, SECOND or MILLISECOND");
}

// ---- TIMESTAMPADD(unit, count, time)

Result<ResolvedSignature> resolveAdd(std::span<const ArgumentInfo> arguments) {
  ASSIGN_OR_RETURN(
      ResolvedSignature resolved,
      signature({param::symbol("unit"), param::bigint("count"), moment("time")}, returnsArgument(2))(arguments));
  const std::optional<TimeUnit> unit = unitOf(arguments[0]);
  if (!unit || !isArithmeticUnit(*unit) || *unit == TimeUnit::MICROSECOND || *unit == TimeUnit::NANOSECOND) {
    return unitError();
  }
  if (resolved.result_type.kind() == TypeKind::DATE && isShorterThanDay(*unit)) {
    resolved.argument_types[2] = DataType::timestamp(6, arguments[2].type.nullable());
    resolved.result_type = DataType::timestamp(6, resolved.result_type.nullable());
  }
  return resolved;
}

Result<std::unique_ptr<ScalarKernel>> makeAdd(const FunctionCall& call) {
  const TimeUnit unit = *unitOf(call.arguments[0]);
  const DataType& type = call.result_type;
  std::unique_ptr<ScalarKernel> kernel;
  if (type.kind() == TypeKind::DATE) {
    kernel = functionKernel<int32_t(int64_t, int32_t)>(
        type, [unit](int64_t count, int32_t days) { return addUnits(unit, count, days); });
  } else if (type.kind() == TypeKind::TIME) {
    kernel = functionKernel<int32_t(int64_t, int32_t)>(type, [unit](int64_t count, int32_t time) {
      return timeOfMillis(addUnits(unit, count, TimestampValue{time, 0, 0}).millis);
    });
  } else {
    kernel = functionKernel<AnyTimestamp(int64_t, AnyTimestamp)>(
        type, [unit](int64_t count, TimestampValue at) { return addUnits(unit, count, at); });
  }
  return overArguments({1, 2}, std::move(kernel));
}

// ---- TIMESTAMPDIFF(unit, from, to) and MINUS_DATE(to, from, unit)

/// Two moments cast to what they are compared in: timestamps, unless both are dates or times.
Result<std::vector<DataType>> differenceTypes(const DataType& a, const DataType& b) {
  if (a.kind() == b.kind() && (a.kind() == TypeKind::DATE || a.kind() == TypeKind::TIME)) return std::vector{a, b};
  if (a.kind() == TypeKind::TIME || b.kind() == TypeKind::TIME) {
    return Status::plan("cannot take the difference of " + a.asNullable().toString() + " and " +
                        b.asNullable().toString());
  }
  const bool is_instant = a.kind() == TypeKind::TIMESTAMP_LTZ || b.kind() == TypeKind::TIMESTAMP_LTZ;
  const int precision = std::max({a.isTimestamp() ? a.precision() : 0, b.isTimestamp() ? b.precision() : 0, 3});
  const DataType type = is_instant ? DataType::timestampLtz(precision) : DataType::timestamp(precision);
  return std::vector{type.withNullable(a.nullable()), type.withNullable(b.nullable())};
}

Result<ResolvedSignature> resolveDiff(std::span<const ArgumentInfo> arguments) {
  ASSIGN_OR_RETURN(ResolvedSignature resolved, signature({param::symbol("unit"), moment("from"), moment("to")},
                                                         returns(DataType::integer()))(arguments));
  const std::optional<TimeUnit> unit = unitOf(arguments[0]);
  if (!unit) return unitError();
  if (*unit == TimeUnit::NANOSECOND) resolved.result_type = DataType::bigint(resolved.result_type.nullable());
  const DataType& from = resolved.argument_types[1];
  const DataType& to = resolved.argument_types[2];
  if ((from.kind() == TypeKind::TIMESTAMP_LTZ) != (to.kind() == TypeKind::TIMESTAMP_LTZ)) {
    return Status::plan("cannot take the difference of " + from.asNullable().toString() + " and " + to.asNullable().toString() +
                        "; cast one to the other's type");
  }
  ASSIGN_OR_RETURN(const std::vector<DataType> types, differenceTypes(from, to));
  resolved.argument_types = {resolved.argument_types[0], types[0], types[1]};
  return resolved;
}

/// The kernel that counts units as integers of type R.
template <typename R>
std::unique_ptr<ScalarKernel> diffKernel(const FunctionCall& call, TimeUnit unit) {
  const DataType& type = call.result_type;
  switch (call.arguments[1].type.kind()) {
    case TypeKind::DATE:
      return functionKernel<R(int32_t, int32_t)>(
          type, [unit](int32_t from, int32_t to) { return static_cast<R>(unitsBetween(unit, from, to)); });
    case TypeKind::TIME:
      return functionKernel<R(int32_t, int32_t)>(type, [unit](int32_t from, int32_t to) {
        return static_cast<R>(unitsBetween(unit, TimestampValue{from, 0, 0}, TimestampValue{to, 0, 0}));
      });
    default:
      return functionKernel<R(AnyTimestamp, AnyTimestamp)>(type, [unit](TimestampValue from, TimestampValue to) {
        return static_cast<R>(unitsBetween(unit, from, to));
      });
  }
}

Result<std::unique_ptr<ScalarKernel>> makeDiff(const FunctionCall& call) {
  const TimeUnit unit = *unitOf(call.arguments[0]);
  const bool wide = call.result_type.kind() == TypeKind::BIGINT;
  return overArguments({1, 2}, wide ? diffKernel<int64_t>(call, unit) : diffKernel<int32_t>(call, unit));
}

bool isMonthUnit(TimeUnit unit) {
  return unit == TimeUnit::YEAR || unit == TimeUnit::QUARTER || unit == TimeUnit::MONTH;
}

Result<ResolvedSignature> resolveMinus(std::span<const ArgumentInfo> arguments) {
  ASSIGN_OR_RETURN(ResolvedSignature resolved, signature({moment("to"), moment("from"), param::symbol("unit")},
                                                         returns(DataType::intervalSecond()))(arguments));
  const std::optional<TimeUnit> unit = unitOf(arguments[2]);
  if (!unit) return unitError();
  const bool dates[] = {arguments[0].type.kind() == TypeKind::DATE, arguments[1].type.kind() == TypeKind::DATE};
  if (dates[0] != dates[1] && !arguments[0].type.isNull() && !arguments[1].type.isNull()) {
    return argumentError(1, "from", "a time of the type of the other, " + arguments[0].type.asNullable().toString(), arguments[1].type);
  }
  ASSIGN_OR_RETURN(const std::vector<DataType> types,
                   differenceTypes(resolved.argument_types[0], resolved.argument_types[1]));
  resolved.argument_types = {types[0], types[1], resolved.argument_types[2]};
  if (isMonthUnit(*unit)) resolved.result_type = DataType::intervalMonth(resolved.result_type.nullable());
  return resolved;
}

/// The difference in months or milliseconds of two moments read as A and turned into timestamps.
template <typename A, typename ToTimestamp>
std::unique_ptr<ScalarKernel> difference(const DataType& type, ToTimestamp to_timestamp) {
  using T = typename RowReader<A>::Value;
  if (type.kind() == TypeKind::INTERVAL_YEAR_MONTH) {
    return functionKernel<int32_t(A, A)>(type, [to_timestamp](T to, T from) {
      return static_cast<int32_t>(monthsBetween(to_timestamp(from), to_timestamp(to)));
    });
  }
  return functionKernel<int64_t(A, A)>(
      type, [to_timestamp](T to, T from) { return to_timestamp(to).millis - to_timestamp(from).millis; });
}

Result<std::unique_ptr<ScalarKernel>> makeMinus(const FunctionCall& call) {
  const DataType& type = call.result_type;
  std::unique_ptr<ScalarKernel> kernel;
  switch (call.arguments[0].type.kind()) {
    case TypeKind::DATE:
      kernel = difference<int32_t>(type, [](int32_t days) { return TimestampValue{days * kMillisPerDay, 0, 0}; });
      break;
    case TypeKind::TIME:
      kernel = difference<int32_t>(type, [](int32_t time) { return TimestampValue{time, 0, 0}; });
      break;
    default: kernel = difference<AnyTimestamp>(type, [](TimestampValue at) { return at; });
  }
  return overArguments({0, 1}, std::move(kernel));
}

// ---- (start, end) OVERLAPS (start, end): the four parts as arguments; an end may be an interval

Result<ResolvedSignature> resolveOverlaps(std::span<const ArgumentInfo> arguments) {
  std::vector<DataType> types;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const DataType& type = arguments[i].type;
    const bool is_length = i % 2 == 1 && type.isInterval();
    if (!is_length && !type.isTemporal())
      return argumentError(i, i % 2 == 0 ? "start" : "end", "a DATE, TIME or TIMESTAMP", type);
    types.push_back(type);
  }
  DataType common = types[0];
  for (const DataType& type : types) {
    if (type.isInterval()) continue;
    ASSIGN_OR_RETURN(const std::vector<DataType> pair, differenceTypes(common, type));
    common = pair[0];
  }
  for (DataType& type : types) {
    if (!type.isInterval()) type = common.withNullable(type.nullable());
  }
  return ResolvedSignature{types, DataType::boolean(anyNullable(types))};
}

template <typename T>
bool overlaps(T a, T b, T c, T d) {
  return std::max(a, b) >= std::min(c, d) && std::max(c, d) >= std::min(a, b);
}

class OverlapsKernel final : public ScalarKernel {
 public:
  static Result<std::unique_ptr<ScalarKernel>> make(const FunctionCall& call) {
    auto kernel = std::make_unique<OverlapsKernel>();
    const DataType& moment_type = call.arguments[0].type;
    for (const size_t end : {size_t{1}, size_t{3}}) {
      if (!call.arguments[end].type.isInterval()) continue;
      const FunctionCall sum{{call.arguments[end - 1], call.arguments[end]}, moment_type.asNullable()};
      ASSIGN_OR_RETURN(kernel->ends_[end / 2], makeTemporalArithmetic(ArithmeticOp::ADD, sum));
    }
    if (moment_type.isTimestamp()) {
      kernel->compare_ = functionKernel<bool(AnyTimestamp, AnyTimestamp, AnyTimestamp, AnyTimestamp)>(
          call.result_type, overlaps<TimestampValue>);
    } else {
      kernel->compare_ = functionKernel<bool(int32_t, int32_t, int32_t, int32_t)>(call.result_type, overlaps<int32_t>);
    }
    return kernel;
  }

  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) override {
    std::vector<VectorPtr> points(arguments.begin(), arguments.end());
    for (const size_t period : {size_t{0}, size_t{1}}) {
      if (ends_[period] == nullptr) continue;
      ASSIGN_OR_RETURN(points[2 * period + 1],
                       ends_[period]->evaluate(context, arguments.subspan(2 * period, 2), rows));
    }
    return compare_->evaluate(context, points, rows);
  }

 private:
  std::unique_ptr<ScalarKernel> ends_[2];  // start + length, where the end is an interval
  std::unique_ptr<ScalarKernel> compare_;
};

}  // namespace

void addTemporalArithmeticFunctions(ScalarList& list) {
  list.push_back(
      {.name = "TIMESTAMPADD",
       .category = "temporal",
       .signature = "TIMESTAMPADD(unit, count, time)",
       .description = "The time moved by so many units. A DATE becomes a TIMESTAMP for units shorter than a day.",
       .example = "TIMESTAMPADD(MONTH, 1, DATE '2024-01-31') = DATE '2024-02-29'",
       .min_arguments = 3,
       .max_arguments = 3,
       .resolve = resolveAdd,
       .make = makeAdd,
       .strict = true});
  list.push_back({.name = "TIMESTAMPDIFF",
                  .category = "temporal",
                  .signature = "TIMESTAMPDIFF(unit, from, to)",
                  .description = "Whole units from one time to the other, negative if the other is earlier.",
                  .example = "TIMESTAMPDIFF(DAY, DATE '2024-02-28', DATE '2024-03-01') = 2",
                  .min_arguments = 3,
                  .max_arguments = 3,
                  .resolve = resolveDiff,
                  .make = makeDiff,
                  .strict = true});
  list.push_back({.name = "MINUS_DATE",
                  .category = "temporal",
                  .signature = "(to - from) unit",
                  .description = "The difference of two times as an interval.",
                  .example = "",
                  .min_arguments = 3,
                  .max_arguments = 3,
                  .resolve = resolveMinus,
                  .make = makeMinus,
                  .strict = true,
                  .listed = false});
  list.push_back({.name = "OVERLAPS",
                  .category = "temporal",
                  .signature = "(start, end) OVERLAPS (start, end)",
                  .description = "TRUE if two periods share a moment; an end can be given as the period's length.",
                  .example = "(TIME '09:00:00', TIME '10:00:00') OVERLAPS (TIME '09:30:00', INTERVAL '1' HOUR)",
                  .min_arguments = 4,
                  .max_arguments = 4,
                  .resolve = resolveOverlaps,
                  .make = OverlapsKernel::make,
                  .strict = true,
                  .listed = false});
}

}  // namespace thalweg
