// Functions that read the clock. In streaming they are read once a batch, in BATCH mode once a query, but for those
// that promise a reading per record.
#include "common/functions/temporal/temporal_now.h"

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/temporal/session_zone.h"
#include "common/types/datetime.h"

namespace thalweg {

namespace {

/// A constant made from the time in milliseconds.
class NowKernel final : public ScalarKernel {
 public:
  using Convert = Value (*)(int64_t utc_ms, int64_t local_ms);
  NowKernel(DataType type, Convert convert, bool per_record)
      : type_(std::move(type)), convert_(convert), per_record_(per_record) {}

  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr>, size_t rows) override {
    const int64_t now = context.batch_mode && !per_record_ ? context.query_start_ms : context.now_ms();
    return Vector::constant(type_, convert_(now, zone_.of(context).toLocalMs(now)), rows);
  }

 private:
  DataType type_;
  Convert convert_;
  bool per_record_;
  SessionCursor zone_;
};

Value asInstant(int64_t utc_ms, int64_t) { return Value::timestamp({utc_ms, 0, 0}); }
Value asWall(int64_t, int64_t local_ms) { return Value::timestamp({local_ms, 0, 0}); }
Value asDate(int64_t, int64_t local_ms) { return Value::integer(dateOfMillis(local_ms)); }
Value asTime(int64_t, int64_t local_ms) { return Value::integer(truncateTimeToPrecision(timeOfMillis(local_ms), 0)); }
Value asSeconds(int64_t utc_ms, int64_t) { return Value::integer(floorDiv(utc_ms, kMillisPerSecond)); }

struct NowFunction {
  std::string name;
  std::vector<std::string> aliases;
  std::string signature;
  std::string description;
  std::string example;
  DataType type;
  NowKernel::Convert convert;
  bool per_record = false;
};

void addNow(ScalarList& list, const NowFunction& function) {
  list.push_back({.name = function.name,
                  .aliases = function.aliases,
                  .category = "temporal",
                  .signature = function.signature,
                  .description = function.description,
                  .example = function.example,
                  .resolve = signature({}, returnsNotNull(function.type)),
                  .make = [function](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    return std::make_unique<NowKernel>(call.result_type, function.convert, function.per_record);
                  },
                  .determinism = function.per_record ? Determinism::NON_DETERMINISTIC : Determinism::DYNAMIC});
}

/// The operator's watermark in the type of the time attribute; NULL before the first one.
class WatermarkKernel final : public ScalarKernel {
 public:
  explicit WatermarkKernel(DataType type) : type_(std::move(type)) {}
  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr>, size_t rows) override {
    if (context.current_watermark == kMinWatermark) return Vector::nulls(type_, rows);
    return Vector::constant(type_, Value::timestamp({context.current_watermark, 0, 0}), rows);
  }

 private:
  DataType type_;
};

DataType watermarkType(std::span<const DataType> arguments) {
  return arguments[0].kind() == TypeKind::TIMESTAMP ? DataType::timestamp(3) : DataType::timestampLtz(3);
}

}  // namespace

Result<std::unique_ptr<ScalarKernel>> makeUnixTimestampNow(const FunctionCall& call) {
  return std::make_unique<NowKernel>(call.result_type, asSeconds, true);
}

void addNowFunctions(ScalarList& list) {
  addNow(list, {"CURRENT_DATE",
                {},
                "CURRENT_DATE",
                "Today in the session zone.",
                "CURRENT_DATE > DATE '2024-01-01'",
                DataType::date(),
                asDate});
  addNow(list, {"LOCALTIME",
                {"CURRENT_TIME"},
                "LOCALTIME",
                "The time of day in the session zone, in seconds.",
                "LOCALTIME >= TIME '00:00:00'",
                DataType::time(0),
                asTime});
  addNow(list, {"LOCALTIMESTAMP",
                {},
                "LOCALTIMESTAMP",
                "The wall clock in the session zone, in milliseconds.",
                "LOCALTIMESTAMP > TIMESTAMP '2024-01-01 00:00:00'",
                DataType::timestamp(3),
                asWall});
  addNow(list, {"CURRENT_TIMESTAMP",
                {"NOW"},
                "CURRENT_TIMESTAMP, NOW()",
                "The present instant, in milliseconds.",
                "NOW() IS NOT NULL",
                DataType::timestampLtz(3),
                asInstant});
  addNow(list, {"CURRENT_ROW_TIMESTAMP",
                {},
                "CURRENT_ROW_TIMESTAMP()",
                "The instant a record is processed, in both modes.",
                "CURRENT_ROW_TIMESTAMP() IS NOT NULL",
                DataType::timestampLtz(3),
                asInstant,
                true});
  addNow(list, {"PROCTIME",
                {},
                "PROCTIME()",
                "The processing-time attribute.",
                "PROCTIME() IS NOT NULL",
                DataType::timestampLtz(3),
                asInstant,
                true});
  list.push_back({.name = "CURRENT_WATERMARK",
                  .category = "temporal",
                  .signature = "CURRENT_WATERMARK(rowtime)",
                  .description = "The watermark that the row meets; NULL if there is none yet.",
                  .example = "",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::timestamp("rowtime")}, watermarkType),
                  .make = [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    return std::make_unique<WatermarkKernel>(call.result_type);
                  },
                  .determinism = Determinism::NON_DETERMINISTIC});
}

}  // namespace thalweg
