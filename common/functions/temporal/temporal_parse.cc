// TO_DATE, TO_TIMESTAMP and TO_TIMESTAMP_LTZ: text and numbers as dates and timestamps. What cannot be read is NULL
// (only TO_TIMESTAMP_LTZ without a pattern fails, as in Flink).
#include <algorithm>
#include <cmath>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/text/pattern_cache.h"
#include "common/types/dates/date_pattern.h"
#include "common/types/dates/datetime_text.h"
#include "common/types/dates/legacy_date_pattern.h"
#include "common/types/decimal.h"

namespace thalweg {

namespace {

// ---- TO_DATE

Result<std::unique_ptr<ScalarKernel>> makeToDate(const FunctionCall& call) {
  if (call.arguments.size() == 1) {
    return functionKernel<int32_t(std::string_view)>(call.result_type,
                                                     [](std::string_view text) { return parseDate(text); });
  }
  return functionKernel<int32_t(std::string_view, std::string_view)>(
      call.result_type,
      [cache = PatternCache<LegacyDatePattern>()](EvalContext& context, std::string_view text, std::string_view format,
                                                  int32_t& out) mutable -> Status {
        const LegacyDatePattern* pattern = nullptr;
        RETURN_IF_ERROR(cache.of(format, pattern));
        out = toDate(text, *pattern, context.now_ms());
        return {};
      });
}

// ---- TO_TIMESTAMP

Result<std::unique_ptr<ScalarKernel>> makeToTimestamp(const FunctionCall& call) {
  if (call.arguments.size() == 1) {
    return functionKernel<AnyTimestamp(std::string_view)>(
        call.result_type, [](std::string_view text) { return parseTimestamp(text, 3); });
  }
  return functionKernel<AnyTimestamp(std::string_view, std::string_view)>(
      call.result_type,
      [cache = PatternCache<DatePattern>()](std::string_view text,
                                            std::string_view format) mutable -> std::optional<TimestampValue> {
        const DatePattern* pattern = cache.find(format);
        return pattern == nullptr ? std::nullopt : toTimestamp(text, *pattern);
      });
}

// ---- TO_TIMESTAMP_LTZ

constexpr int64_t kMinMillis = -62'167'219'200'000;  // 0000-01-01
constexpr int64_t kMaxMillis = 253'402'300'799'999;  // 9999-12-31

constexpr int kPrecisionMax = 9;

std::string precisionMessage(int64_t precision) {
  return "the precision of TO_TIMESTAMP_LTZ must be from 0 to 9, but is " + std::to_string(precision);
}

std::optional<TimestampValue> withinYears(TimestampValue value) {
  if (value.millis < kMinMillis || value.millis > kMaxMillis) return std::nullopt;
  return value;
}

/// `number` units of 10^-precision seconds.
std::optional<TimestampValue> instantOfInteger(int64_t number, int precision) {
  if (precision <= 3) {
    const int64_t factor = static_cast<int64_t>(powerOfTen(3 - precision));
    int64_t millis = 0;
    if (__builtin_mul_overflow(number, factor, &millis)) return std::nullopt;
    return withinYears({millis, 0, 0});
  }
  const int64_t per_milli = static_cast<int64_t>(powerOfTen(precision - 3));
  const int64_t millis = floorDiv(number, per_milli);
  const auto nanos = static_cast<int32_t>((number - millis * per_milli) * (kNanosPerMilli / per_milli));
  return withinYears({millis, nanos, 0});
}

/// Parts of a second count down to the millisecond, the part as a double has it; of finer units only whole ones do.
std::optional<TimestampValue> instantOfDouble(double number, int precision) {
  constexpr double kUnitsMax = 9e18;
  if (!(std::fabs(number) <= kUnitsMax)) return std::nullopt;
  const double whole = std::floor(number);
  std::optional<TimestampValue> instant = instantOfInteger(static_cast<int64_t>(whole), precision);
  if (instant && precision < 3) {
    const auto nanos = std::llround((number - whole) * std::pow(10.0, 9 - precision));
    instant->millis += nanos / kNanosPerMilli;
  }
  return instant;
}

/// The kernel over numbers of type A with their precision, which may be a constant, a column, or left out (3).
template <typename A, typename Convert>
std::unique_ptr<ScalarKernel> instantsOf(const FunctionCall& call, Convert convert) {
  const Value* literal = literalArgument(call, 1);
  if (call.arguments.size() == 1 || literal != nullptr) {
    const int precision = literal == nullptr || literal->isNull() ? 3 : static_cast<int>(literal->asInt());
    return overArguments(
        {0}, functionKernel<AnyTimestamp(A)>(call.result_type, [=](A number) { return convert(number, precision); }));
  }
  return functionKernel<AnyTimestamp(A, int32_t)>(
      call.result_type, [=](A number, int32_t precision) -> Result<std::optional<TimestampValue>> {
        if (precision < 0 || precision > kPrecisionMax) return Status::runtime(precisionMessage(precision));
        return convert(number, precision);
      });
}

std::unique_ptr<ScalarKernel> instantOfNumber(const FunctionCall& call) {
  if (call.arguments[0].type.kind() == TypeKind::DOUBLE) return instantsOf<double>(call, instantOfDouble);
  return instantsOf<int64_t>(call, instantOfInteger);
}

/// A zone that arrives row by row.
class ZoneCache {
 public:
  Status find(std::string_view id, const TimeZone*& zone) {
    if (!is_known_ || id_ != id) {
      ASSIGN_OR_RETURN(zone_, TimeZone::of(id));
      id_ = id;
      is_known_ = true;
    }
    zone = &zone_;
    return {};
  }

 private:
  bool is_known_ = false;
  std::string id_;
  TimeZone zone_;
};

std::unique_ptr<ScalarKernel> instantOfText(const FunctionCall& call) {
  if (call.arguments.size() == 1) {
    return functionKernel<AnyTimestamp(std::string_view)>(
        call.result_type, [](std::string_view text) -> Result<std::optional<TimestampValue>> {
          const std::optional<TimestampValue> wall = parseTimestamp(text, 3);
          if (wall) return wall;
          return Status::runtime("TO_TIMESTAMP_LTZ expects 'yyyy-MM-dd HH:mm:ss', but found '" + std::string(text.substr(0, 100)) +
                                 "'; with a pattern such text gives NULL");
        });
  }
  if (call.arguments.size() == 2) {
    return functionKernel<AnyTimestamp(std::string_view, std::string_view)>(
        call.result_type,
        [cache = PatternCache<DatePattern>()](std::string_view text,
                                              std::string_view format) mutable -> std::optional<TimestampValue> {
          const DatePattern* pattern = cache.find(format);
          return pattern == nullptr ? std::nullopt : toTimestamp(text, *pattern);
        });
  }
  return functionKernel<AnyTimestamp(std::string_view, std::string_view, std::string_view)>(
      call.result_type,
      [cache = PatternCache<DatePattern>(), zones = ZoneCache()](
          std::string_view text, std::string_view format,
          std::string_view id) mutable -> Result<std::optional<TimestampValue>> {
        const TimeZone* zone = nullptr;
        if (Status status = zones.find(id, zone); !status.isOk()) return Status::runtime(status.message());
        const DatePattern* pattern = cache.find(format);
        const std::optional<TimestampValue> wall = pattern == nullptr ? std::nullopt : toTimestamp(text, *pattern);
        return wall ? std::optional(zone->toInstant(*wall)) : std::nullopt;
      });
}

Parameter integerOrDouble(std::string name) {
  return {.name = std::move(name),
          .expected = "a number",
          .accepts = [](const DataType& type) { return type.isNumeric(); },
          .cast = [](const DataType& type) { return type.isExactNumeric() ? DataType::bigint() : DataType::float64(); },
          .plain = DataType::bigint()};
}

/// The constant text that argument `i` is, if it is one.
const std::string* constantText(std::span<const ArgumentInfo> arguments, size_t i) {
  if (i >= arguments.size() || !arguments[i].type.isString() || !arguments[i].literal) return nullptr;
  return arguments[i].literal->isNull() ? nullptr : &arguments[i].literal->asString();
}

Result<ResolvedSignature> resolveTextToLtz(std::span<const ArgumentInfo> arguments) {
  if (const std::string* format = constantText(arguments, 1)) {
    if (const Status status = DatePattern::compile(*format).status(); !status.isOk())
      return Status::plan(status.message());
  }
  if (const std::string* zone = constantText(arguments, 2)) {
    if (const Status status = TimeZone::of(*zone).status(); !status.isOk()) return Status::plan(status.message());
  }
  int precision = 3;
  if (const std::string* format = constantText(arguments, 1)) {
    precision = std::clamp(static_cast<int>(std::ranges::count(*format, 'S')), 3, kPrecisionMax);
  }
  return signature({param::text("text"), param::optional(param::text("format")), param::optional(param::text("zone"))},
                   returnsNullable(DataType::timestampLtz(precision)))(arguments);
}

Result<ResolvedSignature> resolveToLtz(std::span<const ArgumentInfo> arguments) {
  if (!arguments.empty() && arguments[0].type.isString()) return resolveTextToLtz(arguments);
  ASSIGN_OR_RETURN(ResolvedSignature resolved,
                   signature({integerOrDouble("number"), param::optional(param::integer("precision"))},
                             returnsNullable(DataType::timestampLtz(3)))(arguments));
  if (arguments.size() < 2 || !arguments[1].literal || arguments[1].literal->isNull()) return resolved;
  const int64_t precision = arguments[1].literal->asInt();
  if (precision < 0 || precision > kPrecisionMax) return Status::plan(precisionMessage(precision));
  resolved.result_type = DataType::timestampLtz(std::max(3, static_cast<int>(precision)));
  return resolved;
}

}  // namespace

void addTemporalParseFunctions(ScalarList& list) {
  list.push_back({.name = "TO_DATE",
                  .category = "temporal",
                  .signature = "TO_DATE(text[, pattern])",
                  .description = "Text as a DATE, by default of the form yyyy-MM-dd.",
                  .example = "TO_DATE('31.05.2024', 'dd.MM.yyyy') = DATE '2024-05-31'",
                  .min_arguments = 1,
                  .max_arguments = 2,
                  .resolve = signature({param::text("text"), param::optional(param::text("pattern"))},
                                       returnsNullable(DataType::date())),
                  .make = makeToDate,
                  .strict = true,
                  .can_fail = true});
  list.push_back(
      {.name = "TO_TIMESTAMP",
       .category = "temporal",
       .signature = "TO_TIMESTAMP(text[, pattern])",
       .description = "Text as a TIMESTAMP(3), by default of the form yyyy-MM-dd HH:mm:ss; NULL if it does not fit.",
       .example = "TO_TIMESTAMP('2024-05-31 10:20:30') = TIMESTAMP '2024-05-31 10:20:30'",
       .min_arguments = 1,
       .max_arguments = 2,
       .resolve = signature({param::text("text"), param::optional(param::text("pattern"))},
                            returnsNullable(DataType::timestamp(3))),
       .make = makeToTimestamp,
       .strict = true});
  list.push_back({.name = "TO_TIMESTAMP_LTZ",
                  .category = "temporal",
                  .signature = "TO_TIMESTAMP_LTZ(number[, precision]), TO_TIMESTAMP_LTZ(text[, pattern[, zone]])",
                  .description =
                      "Seconds (precision 0), milliseconds (3, the default), … since 1970, or text in a zone "
                      "(by default UTC), as an instant.",
                  .example = "TO_TIMESTAMP_LTZ(0, 3) IS NOT NULL",
                  .min_arguments = 1,
                  .max_arguments = 3,
                  .resolve = resolveToLtz,
                  .make = [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    return call.arguments[0].type.isString() ? instantOfText(call) : instantOfNumber(call);
                  },
                  .strict = true,
                  .can_fail = true});
}

}  // namespace thalweg
