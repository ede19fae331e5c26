// DATE_FORMAT. Over timestamps it takes the patterns of java.time, over text those of SimpleDateFormat.
//
// With a constant pattern the text of a timestamp is the same for all of a day (hour, minute, second), whichever is the
// finest that the pattern shows. Timestamps come mostly in order, so the text of the last one usually fits: then a row
// costs a comparison and a copy.
#include <algorithm>
#include <limits>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/temporal/session_zone.h"
#include "common/functions/text/pattern_cache.h"
#include "common/types/dates/date_pattern.h"
#include "common/types/dates/legacy_date_pattern.h"

namespace thalweg {

namespace {

bool isAmong(char c, std::string_view letters) { return letters.find(c) != std::string_view::npos; }

/// Milliseconds during which the pattern's text does not change; 1: no more than a millisecond (or unknown).
int64_t constantMillis(std::string_view pattern) {
  int64_t millis = kMillisPerDay;
  bool is_quoted = false;
  for (const char c : pattern) {
    if (c == '\'') is_quoted = !is_quoted;
    if (is_quoted || isAmong(c, "GyuMLdDQqEecwWYF") || !std::isalpha(static_cast<unsigned char>(c))) continue;
    if (isAmong(c, "ahHkKB"))
      millis = std::min(millis, kMillisPerHour);
    else if (c == 'm')
      millis = std::min(millis, kMillisPerMinute);
    else if (c == 's')
      millis = std::min(millis, kMillisPerSecond);
    else
      return 1;
  }
  return millis;
}

/// Formats wall-clock times, remembering the last text and how long it holds.
class CachedFormatter {
 public:
  explicit CachedFormatter(DatePattern pattern)
      : span_(constantMillis(pattern.pattern())), pattern_(std::move(pattern)) {}

  Status format(TimestampValue wall, std::string_view& text) {
    if (wall.millis < begin_ || wall.millis >= end_) {
      text_.clear();
      RETURN_IF_ERROR(pattern_.append(text_, wall));
      if (span_ > 1) {
        begin_ = floorDiv(wall.millis, span_) * span_;
        end_ = begin_ + span_;
      }
    }
    text = text_;
    return {};
  }

 private:
  int64_t span_;
  DatePattern pattern_;
  int64_t begin_ = 1;  // an empty span
  int64_t end_ = 0;
  std::string text_;
};

/// Appends the formatted rows; `wall_of(row)` is the wall clock.
template <typename WallOf>
Result<VectorPtr> formatRows(const DataType& type, const Vector& column, size_t rows, CachedFormatter& formatter,
                             WallOf wall_of) {
  const RowMapping mapping(column);
  StringBuilder builder(type, rows);
  std::string_view text;
  for (size_t row = 0; row < rows; ++row) {
    if (mapping.isNull(row)) {
      builder.appendNull();
      continue;
    }
    RETURN_IF_ERROR(formatter.format(wall_of(row), text));
    builder.append(text);
  }
  return builder.finish();
}

/// DATE_FORMAT of timestamps with a constant pattern.
class ConstantFormatKernel final : public ScalarKernel {
 public:
  ConstantFormatKernel(DataType type, bool is_instant, std::string_view pattern)
      : type_(std::move(type)), is_instant_(is_instant) {
    Result<DatePattern> compiled = DatePattern::compile(pattern);
    if (compiled.isOk())
      formatter_.emplace(*std::move(compiled));
    else
      error_ = Status::runtime(compiled.status().message());
  }

  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) override {
    if (rows == 0 || anyConstantNull(arguments.first(1))) return Vector::nulls(type_, rows);
    if (!formatter_) return error_;
    const Vector& column = *arguments[0];
    if (is_instant_) {
      ZoneCursor& zone = zone_.of(context);
      const TimestampReader reader(column);
      return formatRows(type_, column, rows, *formatter_, [&](size_t row) { return zone.toLocal(reader[row]); });
    }
    if (column.type().precision() <= 3) {
      const ColumnReader<int64_t> reader(column);
      return formatRows(type_, column, rows, *formatter_, [&](size_t row) {
        return TimestampValue{reader[row], 0, 0};
      });
    }
    const TimestampReader reader(column);
    return formatRows(type_, column, rows, *formatter_, [&](size_t row) { return reader[row]; });
  }

 private:
  DataType type_;
  bool is_instant_;
  std::optional<CachedFormatter> formatter_;
  Status error_;
  SessionCursor zone_;
};

std::unique_ptr<ScalarKernel> formatTimestamps(const FunctionCall& call) {
  const bool is_instant = call.arguments[0].type.kind() == TypeKind::TIMESTAMP_LTZ;
  if (const Value* pattern = literalArgument(call, 1); pattern != nullptr && !pattern->isNull()) {
    return std::make_unique<ConstantFormatKernel>(call.result_type, is_instant, pattern->asString());
  }
  return functionKernel<std::string(AnyTimestamp, std::string_view)>(
      call.result_type,
      [is_instant, zone = SessionCursor(), cache = PatternCache<DatePattern>()](
          EvalContext& context, TimestampValue at, std::string_view text, std::string& out) mutable -> Status {
        const DatePattern* pattern = nullptr;
        RETURN_IF_ERROR(cache.of(text, pattern));
        return pattern->append(out, is_instant ? zone.of(context).toLocal(at) : at);
      });
}

/// DATE_FORMAT of text: read as `yyyy-MM-dd HH:mm:ss`, NULL if it is not.
std::unique_ptr<ScalarKernel> formatText(const FunctionCall& call) {
  return functionKernel<std::string(std::string_view, std::string_view)>(
      call.result_type,
      [standard = *LegacyDatePattern::compile("yyyy-MM-dd HH:mm:ss"), cache = PatternCache<LegacyDatePattern>()](
          EvalContext& context, std::string_view value,
          std::string_view text) mutable -> Result<std::optional<std::string>> {
        const LegacyDatePattern* pattern = nullptr;
        RETURN_IF_ERROR(cache.of(text, pattern));
        const std::optional<int64_t> at = standard.parse(value, TimeZone(), context.now_ms());
        if (!at) return std::optional<std::string>();
        std::string out;
        pattern->append(out, *at, TimeZone());
        return std::optional(std::move(out));
      });
}

}  // namespace

void addDateFormatFunctions(ScalarList& list) {
  list.push_back(
      {.name = "DATE_FORMAT",
       .category = "temporal",
       .signature = "DATE_FORMAT(time, pattern)",
       .description = "A TIMESTAMP, or text of the form yyyy-MM-dd HH:mm:ss, in the form of a Java date pattern.",
       .example = "DATE_FORMAT(TIMESTAMP '2024-05-31 10:20:30', 'dd.MM.yy') = '31.05.24'",
       .min_arguments = 2,
       .max_arguments = 2,
       .resolve =
           anyOf({signature({param::timestamp("time"), param::text("pattern")}, returnsNullable(DataType::string())),
                  signature({param::text("time"), param::text("pattern")}, returnsNullable(DataType::string()))}),
       .make = [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
         return call.arguments[0].type.isString() ? formatText(call) : formatTimestamps(call);
       },
       .strict = true,
       .can_fail = true});
}

}  // namespace thalweg
