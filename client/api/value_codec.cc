// Values and types of rows as bytes, and values moved between types that hold the same: what Row and RowRecordType
// need. The bytes live in state and snapshots of this job only.
#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/row.h"
#include "common/types/datetime.h"
#include "common/types/decimal.h"
#include "common/types/value_text.h"

namespace thalweg::api {
namespace {

constexpr int kDepthMax = 64;

[[noreturn]] void refuseMove(const Value& value, const DataType& from, const DataType& to) {
  throw ValidationException("expected a value of type " + to.toString() + ", found " + rowForm(value, from) + " of type " + from.toString() +
                            "; give the field that type, or declare another one with returns(...)");
}

DataType readTypeAt(ByteReader& in, int depth) {
  if (depth > kDepthMax) throw ValidationException("a stored type is nested too deeply");
  const auto kind = static_cast<TypeKind>(in.take(1)[0]);
  const bool nullable = in.take(1)[0] != 0;
  const auto a = in.number<int32_t>();
  const auto b = in.number<int32_t>();
  const auto count = in.number<uint32_t>();
  std::vector<Field> fields;
  for (uint32_t i = 0; i < count; ++i) {
    std::string name(in.text());
    fields.push_back({std::move(name), readTypeAt(in, depth + 1)});
  }
  const auto child = [&](size_t i) { return i < fields.size() ? fields[i].type : DataType::null(); };
  switch (kind) {
    case TypeKind::BOOLEAN: return DataType::boolean(nullable);
    case TypeKind::TINYINT: return DataType::tinyint(nullable);
    case TypeKind::SMALLINT: return DataType::smallint(nullable);
    case TypeKind::INTEGER: return DataType::integer(nullable);
    case TypeKind::BIGINT: return DataType::bigint(nullable);
    case TypeKind::FLOAT: return DataType::float32(nullable);
    case TypeKind::DOUBLE: return DataType::float64(nullable);
    case TypeKind::DECIMAL: return DataType::decimal(a, b, nullable);
    case TypeKind::CHAR: return DataType::character(a, nullable);
    case TypeKind::VARCHAR: return DataType::varchar(a, nullable);
    case TypeKind::BINARY: return DataType::binary(a, nullable);
    case TypeKind::VARBINARY: return DataType::varbinary(a, nullable);
    case TypeKind::DATE: return DataType::date(nullable);
    case TypeKind::TIME: return DataType::time(a, nullable);
    case TypeKind::TIMESTAMP: return DataType::timestamp(a, nullable);
    case TypeKind::TIMESTAMP_LTZ: return DataType::timestampLtz(a, nullable);
    case TypeKind::INTERVAL_YEAR_MONTH: return DataType::intervalMonth(nullable);
    case TypeKind::INTERVAL_DAY_TIME: return DataType::intervalSecond(nullable);
    case TypeKind::ARRAY: return DataType::array(child(0), nullable);
    case TypeKind::MAP: return DataType::map(child(0), child(1), nullable);
    case TypeKind::MULTISET: return DataType::multiset(child(0), nullable);
    case TypeKind::ROW: return DataType::row(std::move(fields), nullable);
    default: return DataType::null();
  }
}

}  // namespace

void writeType(const DataType& type, std::string& out) {
  out += static_cast<char>(type.kind());
  out += type.nullable() ? '\1' : '\0';
  writeNumber(out, static_cast<int32_t>(type.precision()));
  writeNumber(out, static_cast<int32_t>(type.scale()));
  writeNumber(out, static_cast<uint32_t>(type.childCount()));
  for (size_t i = 0; i < type.childCount(); ++i) {
    writeText(out, type.kind() == TypeKind::ROW ? type.fieldName(i) : std::string());
    writeType(type.child(i), out);
  }
}

DataType readType(ByteReader& in) { return readTypeAt(in, 0); }

void writeValue(const Value& value, const DataType& type, std::string& out) {
  out += static_cast<char>(value.content().index());
  switch (value.content().index()) {
    case 0: break;
    case 1: out += value.asBool() ? '\1' : '\0'; break;
    case 2: writeNumber(out, value.asInt()); break;
    case 3: writeNumber(out, value.asDecimal()); break;
    case 4: writeNumber(out, value.asDouble()); break;
    case 5: writeText(out, value.asString()); break;
    case 6: writeNumber(out, value.asTimestamp()); break;
    case 7:
      writeNumber(out, static_cast<uint32_t>(value.asList().size()));
      for (const Value& element : value.asList()) writeValue(element, type.child(0), out);
      break;
    case 8:
      writeNumber(out, static_cast<uint32_t>(value.asMap().size()));
      for (const auto& [key, mapped] : value.asMap()) {
        writeValue(key, type.child(0), out);
        writeValue(mapped, type.kind() == TypeKind::MAP ? type.child(1) : DataType::integer(), out);
      }
      break;
    default:
      out += static_cast<char>(std::get<RowValue>(value.content()).kind);
      writeNumber(out, static_cast<uint32_t>(value.asRow().size()));
      for (size_t i = 0; i < value.asRow().size(); ++i) writeValue(value.asRow()[i], type.child(i), out);
  }
}

Value readValue(ByteReader& in, const DataType& type) {
  switch (in.take(1)[0]) {
    case 0: return {};
    case 1: return Value::boolean(in.take(1)[0] != 0);
    case 2: return Value::integer(in.number<int64_t>());
    case 3: return Value::decimal(in.number<int128>());
    case 4: return Value::floating(in.number<double>());
    case 5: return Value::string(std::string(in.text()));
    case 6: return Value::timestamp(in.number<TimestampValue>());
    case 7: {
      std::vector<Value> elements;
      for (auto left = in.number<uint32_t>(); left > 0; --left) elements.push_back(readValue(in, type.child(0)));
      return Value::list(std::move(elements));
    }
    case 8: {
      std::vector<std::pair<Value, Value>> entries;
      for (auto left = in.number<uint32_t>(); left > 0; --left) {
        Value key = readValue(in, type.child(0));
        entries.emplace_back(std::move(key), readValue(in, type.kind() == TypeKind::MAP ? type.child(1) : DataType::integer()));
      }
      return Value::map(std::move(entries));
    }
    default: {
      const auto kind = static_cast<RowKind>(in.take(1)[0]);
      std::vector<Value> fields;
      const auto count = in.number<uint32_t>();
      for (uint32_t i = 0; i < count; ++i) fields.push_back(readValue(in, type.child(i)));
      return Value::row(std::move(fields), kind);
    }
  }
}

Value convertValue(const Value& value, const DataType& from, const DataType& to) {
  if (value.isNull()) return value;
  if (from.sameIgnoringNullability(to)) return value;
  if (to.isInteger() && from.isInteger() && from.kind() <= to.kind()) return value;
  if (to.isApproximateNumeric() && from.isInteger()) return Value::floating(static_cast<double>(value.asInt()));
  if (to.isApproximateNumeric() && from.isApproximateNumeric()) return value;
  if (to.kind() == TypeKind::DECIMAL && (from.kind() == TypeKind::DECIMAL || from.isInteger())) {
    const int128 unscaled = from.isInteger() ? value.asInt() : value.asDecimal();
    const auto moved = rescaleDecimal(unscaled, from.isInteger() ? 0 : from.scale(), {to.precision(), to.scale()});
    if (moved) return Value::decimal(*moved);
  }
  if ((to.isString() && from.isString()) || (to.isBinary() && from.isBinary())) return value;
  if (to.kind() == from.kind() && to.isTimestamp()) return Value::timestamp(truncateToPrecision(value.asTimestamp(), to.precision()));
  if (to.kind() == from.kind() && (to.kind() == TypeKind::TIME || to.isInterval())) return value;
  if (to.kind() == TypeKind::ARRAY && from.kind() == TypeKind::ARRAY) {
    std::vector<Value> elements;
    for (const Value& element : value.asList()) elements.push_back(convertValue(element, from.child(0), to.child(0)));
    return Value::list(std::move(elements));
  }
  if (to.kind() == TypeKind::MAP && from.kind() == TypeKind::MAP) {
    std::vector<std::pair<Value, Value>> entries;
    for (const auto& [key, mapped] : value.asMap()) {
      entries.emplace_back(convertValue(key, from.child(0), to.child(0)), convertValue(mapped, from.child(1), to.child(1)));
    }
    return Value::map(std::move(entries));
  }
  if (to.kind() == TypeKind::ROW && from.kind() == TypeKind::ROW && to.childCount() == from.childCount()) {
    std::vector<Value> fields;
    for (size_t i = 0; i < to.childCount(); ++i) fields.push_back(convertValue(value.asRow()[i], from.child(i), to.child(i)));
    return Value::row(std::move(fields));
  }
  refuseMove(value, from, to);
}

}  // namespace thalweg::api
