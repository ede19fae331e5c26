// FROM_UNIXTIME, UNIX_TIMESTAMP and CONVERT_TZ: seconds since 1970 and text in zones, by SimpleDateFormat's rules.
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/temporal/temporal_now.h"
#include "common/functions/text/pattern_cache.h"
#include "common/types/dates/legacy_date_pattern.h"
#include "common/types/datetime.h"

namespace thalweg {

namespace {

constexpr std::string_view kStandardPattern = "yyyy-MM-dd HH:mm:ss";

LegacyDatePattern standardPattern() { return *LegacyDatePattern::compile(kStandardPattern); }

Result<std::unique_ptr<ScalarKernel>> makeFromUnixtime(const FunctionCall& call) {
  if (call.arguments.size() == 1) {
    return functionKernel<std::string(int64_t)>(
        call.result_type, [pattern = standardPattern()](EvalContext& context, int64_t seconds, std::string& out) {
          pattern.append(out, seconds * kMillisPerSecond, *context.session_zone);
        });
  }
  return functionKernel<std::string(int64_t, std::string_view)>(
      call.result_type,
      [cache = PatternCache<LegacyDatePattern>()](EvalContext& context, int64_t seconds, std::string_view format,
                                                  std::string& out) mutable -> Status {
        const LegacyDatePattern* pattern = nullptr;
        RETURN_IF_ERROR(cache.of(format, pattern));
        pattern->append(out, seconds * kMillisPerSecond, *context.session_zone);
        return {};
      });
}

Result<std::unique_ptr<ScalarKernel>> makeUnixTimestamp(const FunctionCall& call) {
  if (call.arguments.empty()) return makeUnixTimestampNow(call);
  if (call.arguments.size() == 1) {
    return functionKernel<int64_t(std::string_view)>(
        call.result_type, [pattern = standardPattern()](EvalContext& context, std::string_view text) {
          return unixTimestamp(text, pattern, *context.session_zone, context.now_ms());
        });
  }
  return functionKernel<int64_t(std::string_view, std::string_view)>(
      call.result_type,
      [cache = PatternCache<LegacyDatePattern>()](EvalContext& context, std::string_view text, std::string_view format,
                                                  int64_t& out) mutable -> Status {
        const LegacyDatePattern* pattern = nullptr;
        RETURN_IF_ERROR(cache.of(format, pattern));
        out = unixTimestamp(text, *pattern, *context.session_zone, context.now_ms());
        return {};
      });
}

/// A zone that arrives row by row; unknown ids are GMT, as in Java.
class LenientZone {
 public:
  const TimeZone& of(std::string_view id) {
    if (id_ != id) {
      zone_ = TimeZone::ofLenient(id);
      id_ = id;
    }
    return zone_;
  }

 private:
  std::string id_ = "UTC";
  TimeZone zone_;
};

Result<std::unique_ptr<ScalarKernel>> makeConvertTz(const FunctionCall& call) {
  return functionKernel<std::string(std::string_view, std::string_view, std::string_view)>(
      call.result_type, [pattern = standardPattern(), from_zone = LenientZone(), to_zone = LenientZone()](
                            EvalContext& context, std::string_view text, std::string_view from, std::string_view to,
                            std::string& out) mutable {
        const std::optional<int64_t> at = pattern.parse(text, from_zone.of(from), context.now_ms());
        if (!at) return false;
        pattern.append(out, *at, to_zone.of(to));
        return true;
      });
}

}  // namespace

void addUnixTimeFunctions(ScalarList& list) {
  list.push_back({.name = "FROM_UNIXTIME",
                  .category = "temporal",
                  .signature = "FROM_UNIXTIME(seconds[, pattern])",
                  .description = "Seconds since 1970 as text in the session zone, by default yyyy-MM-dd HH:mm:ss.",
                  .example = "CHAR_LENGTH(FROM_UNIXTIME(44)) = 19",
                  .min_arguments = 1,
                  .max_arguments = 2,
                  .resolve = signature({param::bigint("seconds"), param::optional(param::text("pattern"))},
                                       returnsNullable(DataType::string())),
                  .make = makeFromUnixtime,
                  .strict = true,
                  .can_fail = true});
  list.push_back({.name = "UNIX_TIMESTAMP",
                  .category = "temporal",
                  .signature = "UNIX_TIMESTAMP([text[, pattern]])",
                  .description =
                      "Seconds since 1970 of a text in the session zone, or of now. Text that does not fit gives "
                      "the lowest BIGINT.",
                  .example = "UNIX_TIMESTAMP('1970-01-01 00:00:44 +0000', 'yyyy-MM-dd HH:mm:ss X') = 44",
                  .min_arguments = 0,
                  .max_arguments = 2,
                  .resolve = signature({param::optional(param::text("text")), param::optional(param::text("pattern"))},
                                       returns(DataType::bigint())),
                  .make = makeUnixTimestamp,
                  .determinism = Determinism::DYNAMIC,
                  .strict = true,
                  .can_fail = true});
  list.push_back(
      {.name = "CONVERT_TZ",
       .category = "temporal",
       .signature = "CONVERT_TZ(text, from_zone, to_zone)",
       .description = "A text of the form yyyy-MM-dd HH:mm:ss moved from one zone's wall clock to another's.",
       .example = "CONVERT_TZ('2024-01-01 00:00:00', 'UTC', 'Asia/Tokyo') = '2024-01-01 09:00:00'",
       .min_arguments = 3,
       .max_arguments = 3,
       .resolve = signature({param::text("text"), param::text("from_zone"), param::text("to_zone")},
                            returnsNullable(DataType::string())),
       .make = makeConvertTz,
       .strict = true});
}

}  // namespace thalweg
