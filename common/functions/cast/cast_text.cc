// Casts to CHAR and VARCHAR, and among text and bytes. VARCHAR(n) and VARBINARY(n) cut, CHAR(n) and BINARY(n) also pad.
#include <charconv>

#include "common/functions/cast/cast.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/temporal/session_zone.h"
#include "common/types/cast_scalar.h"
#include "common/types/dates/datetime_text.h"
#include "common/types/decimal_text.h"
#include "common/types/java_text.h"
#include "common/types/value_text.h"

namespace thalweg {

namespace {

bool isUnbounded(const DataType& type) {
  return type.kind() == TypeKind::VARCHAR && type.length() == DataType::kMaxLength;
}

/// The kernel that lets `write` append every row, then fits it to the type's length.
template <typename A, typename Write>
std::unique_ptr<ScalarKernel> writing(const DataType& to, Write write) {
  using T = typename RowReader<A>::Value;
  if (isUnbounded(to)) {
    return functionKernel<std::string(A)>(
        to, [write](EvalContext& context, T value, std::string& out) mutable { write(context, value, out); });
  }
  return functionKernel<std::string(A)>(to, [write, to](EvalContext& context, T value, std::string& out) mutable {
    write(context, value, out);
    fitText(out, to);
  });
}

/// The same for functions that write into a buffer and return its end.
template <typename A, size_t kSize, typename Write>
std::unique_ptr<ScalarKernel> writingBuffer(const DataType& to, Write write) {
  using T = typename RowReader<A>::Value;
  return writing<A>(to, [write](EvalContext& context, T value, std::string& out) mutable {
    char buffer[kSize];
    out.append(buffer, static_cast<size_t>(write(context, buffer, value) - buffer));
  });
}

std::unique_ptr<ScalarKernel> writeTemporal(const CastCall& call) {
  const int precision = call.from.precision();
  switch (call.from.kind()) {
    case TypeKind::DATE:
      return writingBuffer<int32_t, kDateTimeTextMax>(
          call.to, [](EvalContext&, char* out, int32_t days) { return writeDate(out, days); });
    case TypeKind::TIME:
      return writingBuffer<int32_t, kDateTimeTextMax>(
          call.to, [precision](EvalContext&, char* out, int32_t time) { return writeTime(out, time, precision); });
    case TypeKind::TIMESTAMP:
      return writingBuffer<AnyTimestamp, kDateTimeTextMax>(
          call.to,
          [precision](EvalContext&, char* out, TimestampValue wall) { return writeTimestamp(out, wall, precision); });
    case TypeKind::TIMESTAMP_LTZ:
      return writingBuffer<AnyTimestamp, kDateTimeTextMax>(
          call.to,
          [precision, zone = SessionCursor()](EvalContext& context, char* out, TimestampValue instant) mutable {
            return writeTimestamp(out, zone.of(context).toLocal(instant), precision);
          });
    case TypeKind::INTERVAL_YEAR_MONTH:
      return writingBuffer<int32_t, kDateTimeTextMax>(
          call.to, [](EvalContext&, char* out, int32_t months) { return writeYearMonthInterval(out, months); });
    default:
      return writingBuffer<int64_t, kDateTimeTextMax>(
          call.to, [](EvalContext&, char* out, int64_t millis) { return writeDayTimeInterval(out, millis); });
  }
}

/// Whether a column's rows all have at most so many bytes: then they have at most so many code points, too.
bool allWithin(const Vector& column, size_t bytes_max) {
  const ColumnReader<std::string_view> reader(column);
  for (size_t row = 0; row < column.size(); ++row) {
    if (!reader.isNull(row) && reader.stored(row).length > bytes_max) return false;
  }
  return true;
}

/// VARCHAR(n) and VARBINARY(n) of text and bytes: most columns need no cut and stay as they are.
class CutKernel final : public ScalarKernel {
 public:
  explicit CutKernel(const DataType& to) : to_(to) {
    const auto length = static_cast<size_t>(to.length());
    if (to.isString()) {
      cut_ = functionKernel<std::string(std::string_view)>(
          to, [length](std::string_view text) { return prefixOfCodePoints(text, length); });
    } else {
      cut_ = functionKernel<std::string(std::string_view)>(
          to, [length](std::string_view bytes) { return bytes.substr(0, length); });
    }
  }

  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) override {
    if (allWithin(*arguments[0], static_cast<size_t>(to_.length()))) return arguments[0]->withType(to_);
    return cut_->evaluate(context, arguments, rows);
  }

 private:
  DataType to_;
  std::unique_ptr<ScalarKernel> cut_;
};

}  // namespace

std::unique_ptr<ScalarKernel> makeLengthCast(const CastCall& call) {
  const bool between_text = call.from.isString() && call.to.isString();
  const bool to_bytes = (call.from.isString() || call.from.isBinary()) && call.to.isBinary();
  if (!between_text && !to_bytes) return nullptr;
  if (call.to.kind() == TypeKind::VARCHAR || call.to.kind() == TypeKind::VARBINARY)
    return std::make_unique<CutKernel>(call.to);
  return functionKernel<std::string(std::string_view)>(call.to,
                                                       [to = call.to](std::string_view value, std::string& out) {
                                                         out = value;
                                                         if (to.isString())
                                                           fitText(out, to);
                                                         else
                                                           fitBytes(out, to);
                                                       });
}

std::unique_ptr<ScalarKernel> makeTextWritingCast(const CastCall& call) {
  const DataType& from = call.from;
  if (!call.to.isString()) return nullptr;
  if (from.isTemporal() || from.isInterval()) return writeTemporal(call);
  switch (from.kind()) {
    case TypeKind::BOOLEAN:
      return writing<bool>(call.to,
                           [](EvalContext&, bool value, std::string& out) { out += value ? "TRUE" : "FALSE"; });
    case TypeKind::TINYINT:
    case TypeKind::SMALLINT:
    case TypeKind::INTEGER:
    case TypeKind::BIGINT:
      return writingBuffer<AnyInteger, 24>(
          call.to, [](EvalContext&, char* out, int64_t value) { return std::to_chars(out, out + 24, value).ptr; });
    case TypeKind::FLOAT:
      return writingBuffer<float, kDoubleTextMax>(
          call.to, [](EvalContext&, char* out, float value) { return writeFloat(out, value); });
    case TypeKind::DOUBLE:
      return writingBuffer<double, kDoubleTextMax>(
          call.to, [](EvalContext&, char* out, double value) { return writeDouble(out, value); });
    case TypeKind::DECIMAL:
      return writingBuffer<AnyDecimal, kDecimalTextMax>(
          call.to,
          [scale = from.scale()](EvalContext&, char* out, int128 value) { return writeDecimal(out, value, scale); });
    default: return nullptr;  // nested and encoded values: value by value
  }
}

}  // namespace thalweg
