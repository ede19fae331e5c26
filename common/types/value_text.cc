#include "common/types/value_text.h"

#include "common/types/dates/datetime_text.h"
#include "common/types/decimal_text.h"
#include "common/types/java_text.h"
#include "common/types/roaring_bitmap.h"

namespace thalweg {

namespace {

template <typename Write, typename... Args>
void appendWritten(std::string& out, Write write, Args... args) {
  char buffer[kDateTimeTextMax];
  out.append(buffer, write(buffer, args...));
}

/// `[1, -1]`: bytes as Java shows them, signed.
void appendBytes(std::string& out, const std::string& bytes) {
  out += '[';
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0) out += ", ";
    out += std::to_string(static_cast<signed char>(bytes[i]));
  }
  out += ']';
}

/// Writes elements between commas; `append` writes the i-th.
template <typename Append>
void appendJoined(std::string& out, size_t count, Append append) {
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) out += ", ";
    append(i);
  }
}

/// What both forms have in common; false for the kinds in which they differ.
bool appendPlain(std::string& out, const Value& value, const DataType& type) {
  switch (type.kind()) {
    case TypeKind::TINYINT:
    case TypeKind::SMALLINT:
    case TypeKind::INTEGER:
    case TypeKind::BIGINT: out += std::to_string(value.asInt()); return true;
    case TypeKind::FLOAT: appendFloat(out, static_cast<float>(value.asDouble())); return true;
    case TypeKind::DOUBLE: appendDouble(out, value.asDouble()); return true;
    case TypeKind::CHAR:
    case TypeKind::VARCHAR:
    case TypeKind::VARIANT: out += value.asString(); return true;
    case TypeKind::BITMAP: out += bitmapText(value.asString()); return true;
    default: return false;
  }
}

int32_t asInt32(const Value& value) { return static_cast<int32_t>(value.asInt()); }

}  // namespace

void appendRowForm(std::string& out, const Value& value, const DataType& type) {
  if (value.isNull()) {
    out += "null";
    return;
  }
  if (appendPlain(out, value, type)) return;
  switch (type.kind()) {
    case TypeKind::BOOLEAN: out += value.asBool() ? "true" : "false"; return;
    case TypeKind::DECIMAL: appendDecimalJava(out, value.asDecimal(), type.scale()); return;
    case TypeKind::BINARY:
    case TypeKind::VARBINARY: appendBytes(out, value.asString()); return;
    case TypeKind::DATE: appendWritten(out, writeIsoDate, asInt32(value)); return;
    case TypeKind::TIME: appendWritten(out, writeIsoTime, asInt32(value)); return;
    case TypeKind::TIMESTAMP: appendWritten(out, writeIsoTimestamp, value.asTimestamp()); return;
    case TypeKind::TIMESTAMP_LTZ: appendWritten(out, writeIsoInstant, value.asTimestamp()); return;
    case TypeKind::INTERVAL_YEAR_MONTH: appendWritten(out, writeIsoPeriod, asInt32(value)); return;
    case TypeKind::INTERVAL_DAY_TIME: appendWritten(out, writeIsoDuration, value.asInt()); return;
    case TypeKind::ARRAY:
      out += '[';
      appendJoined(out, value.asList().size(), [&](size_t i) { appendRowForm(out, value.asList()[i], type.child(0)); });
      out += ']';
      return;
    case TypeKind::MAP:
    case TypeKind::MULTISET: {
      const DataType count = DataType::integer();
      out += '{';
      appendJoined(out, value.asMap().size(), [&](size_t i) {
        appendRowForm(out, value.asMap()[i].first, type.child(0));
        out += '=';
        appendRowForm(out, value.asMap()[i].second, type.kind() == TypeKind::MAP ? type.child(1) : count);
      });
      out += '}';
      return;
    }
    case TypeKind::ROW:
      out += rowKindText(std::get<RowValue>(value.content()).kind);
      out += '[';
      appendJoined(out, value.asRow().size(), [&](size_t i) { appendRowForm(out, value.asRow()[i], type.child(i)); });
      out += ']';
      return;
    default: out += "null"; return;
  }
}

std::string rowForm(const Value& value, const DataType& type) {
  std::string out;
  appendRowForm(out, value, type);
  return out;
}

std::string rowForm(RowKind kind, std::span<const Value> values, std::span<const DataType> types) {
  std::string out(rowKindText(kind));
  out += '[';
  appendJoined(out, values.size(), [&](size_t i) { appendRowForm(out, values[i], types[i]); });
  out += ']';
  return out;
}

void appendCastForm(std::string& out, const Value& value, const DataType& type, const TimeZone& session_zone) {
  if (value.isNull()) {
    out += "NULL";
    return;
  }
  if (appendPlain(out, value, type)) return;
  const auto nested = [&](const Value& part, const DataType& part_type) { appendCastForm(out, part, part_type, session_zone); };
  switch (type.kind()) {
    case TypeKind::BOOLEAN: out += value.asBool() ? "TRUE" : "FALSE"; return;
    case TypeKind::DECIMAL: appendDecimal(out, value.asDecimal(), type.scale()); return;
    case TypeKind::BINARY:
    case TypeKind::VARBINARY: out += textOfBytes(value.asString()); return;
    case TypeKind::DATE: appendWritten(out, writeDate, asInt32(value)); return;
    case TypeKind::TIME: appendWritten(out, writeTime, asInt32(value), type.precision()); return;
    case TypeKind::TIMESTAMP: appendWritten(out, writeTimestamp, value.asTimestamp(), type.precision()); return;
    case TypeKind::TIMESTAMP_LTZ:
      appendWritten(out, writeTimestamp, session_zone.toLocal(value.asTimestamp()), type.precision());
      return;
    case TypeKind::INTERVAL_YEAR_MONTH: appendWritten(out, writeYearMonthInterval, asInt32(value)); return;
    case TypeKind::INTERVAL_DAY_TIME: appendWritten(out, writeDayTimeInterval, value.asInt()); return;
    case TypeKind::ARRAY:
      out += '[';
      appendJoined(out, value.asList().size(), [&](size_t i) { nested(value.asList()[i], type.child(0)); });
      out += ']';
      return;
    case TypeKind::MAP:
    case TypeKind::MULTISET: {
      const DataType count = DataType::integer();
      out += '{';
      appendJoined(out, value.asMap().size(), [&](size_t i) {
        nested(value.asMap()[i].first, type.child(0));
        out += '=';
        nested(value.asMap()[i].second, type.kind() == TypeKind::MAP ? type.child(1) : count);
      });
      out += '}';
      return;
    }
    case TypeKind::ROW:
      out += '(';
      appendJoined(out, value.asRow().size(), [&](size_t i) {
        if (type.isStructured()) out.append(type.fieldName(i)).append(1, '=');
        nested(value.asRow()[i], type.child(i));
      });
      out += ')';
      return;
    default: out += "NULL"; return;
  }
}

std::string castForm(const Value& value, const DataType& type, const TimeZone& session_zone) {
  std::string out;
  appendCastForm(out, value, type, session_zone);
  return out;
}

}  // namespace thalweg
