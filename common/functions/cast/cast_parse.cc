// Casts from text to numbers, BOOLEAN, dates, times and timestamps. What is not understood fails, or is NULL under
// TRY_CAST.
#include "common/functions/cast/cast.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/temporal/session_zone.h"
#include "common/types/cast_scalar.h"
#include "common/types/dates/datetime_text.h"
#include "common/types/decimal_text.h"
#include "common/types/java_text.h"

namespace thalweg {

namespace {

/// The kernel that applies `parse` (text to std::optional) to every row.
template <typename R, typename Parse>
std::unique_ptr<ScalarKernel> parsing(const CastCall& call, Parse parse) {
  using T = typename RowWriter<R>::Value;
  if (call.is_try) {
    return functionKernel<R(std::string_view)>(
        call.to, [parse](EvalContext& context, std::string_view text) mutable -> std::optional<T> {
          return parse(context, text);
        });
  }
  return functionKernel<R(std::string_view)>(
      call.to, [parse, call](EvalContext& context, std::string_view text, T& out) mutable -> Status {
        const auto value = parse(context, text);
        if (!value) [[unlikely]]
          return castFailure(Value::string(std::string(text)), call);
        out = *value;
        return {};
      });
}

std::unique_ptr<ScalarKernel> parseTimestamps(const CastCall& call) {
  const int precision = call.to.precision();
  if (call.to.kind() == TypeKind::TIMESTAMP) {
    return parsing<AnyTimestamp>(
        call, [precision](EvalContext&, std::string_view text) { return parseTimestamp(text, precision); });
  }
  return parsing<AnyTimestamp>(
      call,
      [precision, zone = SessionCursor()](EvalContext& context,
                                          std::string_view text) mutable -> std::optional<TimestampValue> {
        const std::optional<TimestampValue> wall = parseTimestamp(text, precision);
        return wall ? std::optional(zone.of(context).toInstant(*wall)) : std::nullopt;
      });
}

}  // namespace

std::unique_ptr<ScalarKernel> makeTextParsingCast(const CastCall& call) {
  if (!call.from.isString()) return nullptr;
  switch (call.to.kind()) {
    case TypeKind::BOOLEAN:
      return parsing<bool>(call, [](EvalContext&, std::string_view text) { return parseBoolean(text); });
    case TypeKind::TINYINT:
    case TypeKind::SMALLINT:
    case TypeKind::INTEGER:
    case TypeKind::BIGINT:
      return parsing<AnyInteger>(call, [range = integerRange(call.to.kind())](EvalContext&, std::string_view text) {
        return parseInteger(text, range.min, range.max);
      });
    case TypeKind::FLOAT:
      return parsing<float>(call, [](EvalContext&, std::string_view text) { return parseFloat(text); });
    case TypeKind::DOUBLE:
      return parsing<double>(call, [](EvalContext&, std::string_view text) { return parseDouble(text); });
    case TypeKind::DECIMAL:
      return parsing<AnyDecimal>(call, [spec = *decimalSpecOf(call.to)](EvalContext&, std::string_view text) {
        return parseDecimal(text, spec);
      });
    case TypeKind::DATE:
      return parsing<int32_t>(call, [](EvalContext&, std::string_view text) { return parseDate(text); });
    case TypeKind::TIME:
      return parsing<int32_t>(call, [precision = call.to.precision()](EvalContext&, std::string_view text) {
        return parseTime(text, precision);
      });
    case TypeKind::TIMESTAMP:
    case TypeKind::TIMESTAMP_LTZ: return parseTimestamps(call);
    default: return nullptr;
  }
}

}  // namespace thalweg
