// FieldTraits<F>: what the engine must know of a C++ type that can be a field of a record, or a record by itself.
//
//   type()                      its SQL type; NOT NULL unless F is a std::optional
//   encode(type, n, get)        n values as a column; get(i) gives `const F*`, null for NULL
//   decode(column, n, place)    a column into places; place(i) gives `F&` and is not called for NULL rows
//   toValue / fromValue         one value, for Row
//   write / read                binary form, for state and snapshots
//   text                        Java's text form, as print() shows it
//
// This header has the types that are one value; field_composites.h has optional, vector, map, tuples and described
// structs. A type that is none of these is used by specialising TypeSerializer<F> (it is a column of BYTES then).
// Errors: NULL where F has no room for it, and bytes that do not fit, throw ValidationException. Threads: stateless.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "client/api/thalweg/values.h"
#include "common/columnar/builder.h"

namespace thalweg::api {

/// Specialise to use a type that the engine cannot describe:
///   static std::string serialize(const F& value);  static F deserialize(std::string_view bytes);
/// and, to be printed, static std::string toString(const F& value).
template <typename F>
struct TypeSerializer {
  static constexpr bool kUndefined = true;
};
template <typename F>
concept HasTypeSerializer = !requires { TypeSerializer<F>::kUndefined; };

/// Reads what write() wrote.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  std::string_view take(size_t count) {
    if (count > bytes_.size()) refuse();
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  template <typename N>
  N number() {
    N value;
    std::memcpy(&value, take(sizeof(N)).data(), sizeof(N));
    return value;
  }
  std::string_view text() { return take(number<uint32_t>()); }
  bool isAtEnd() const { return bytes_.empty(); }

 private:
  [[noreturn]] static void refuse();
  std::string_view bytes_;
};

template <typename N>
void writeNumber(std::string& out, N value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(N));
}
inline void writeText(std::string& out, std::string_view text) {
  writeNumber(out, static_cast<uint32_t>(text.size()));
  out += text;
}

[[noreturn]] void refuseNull(const DataType& type);
[[noreturn]] void refuseValue(const DataType& type, std::string_view wanted);
[[noreturn]] void refuseColumn(const DataType& found, const DataType& wanted);

/// No `kUndefined` in a type that can be used.
template <typename F>
struct FieldTraits {
  static constexpr bool kUndefined = true;
};

/// Fields stored as one fixed-width value. `Self` has type(), toStored(F), fromStored(P), text(F, out).
template <typename F, typename P, typename Self>
struct FixedField {
  template <typename Get>
  static VectorPtr encode(const DataType& type, size_t n, Get get) {
    FlatBuilder<P> builder(type, n);
    for (size_t i = 0; i < n; ++i) {
      if (const F* value = get(i)) builder.set(i, Self::toStored(*value));
      else builder.setNull(i);
    }
    return builder.finish();
  }
  template <typename Place>
  static void decode(const Vector& column, size_t n, Place place, bool nullable) {
    const ColumnReader<P> reader(column);
    const bool nulls = reader.mayHaveNulls();
    for (size_t i = 0; i < n; ++i) {
      if (nulls && reader.isNull(i)) {
        if (!nullable) refuseNull(column.type());
        continue;
      }
      place(i) = Self::fromStored(reader[i]);
    }
  }
  static void write(const F& value, std::string& out) { writeNumber(out, Self::toStored(value)); }
  static void read(ByteReader& in, F& value) { value = Self::fromStored(in.number<P>()); }
};

void appendNumberText(std::string& out, double value);
void appendNumberText(std::string& out, float value);
int64_t integerOf(const Value& value, const DataType& type);
double floatingOf(const Value& value, const DataType& type);

/// Integers by their size; unsigned ones in the next larger signed type.
template <typename F>
  requires(std::is_integral_v<F> && !std::is_same_v<F, bool> && !(std::is_unsigned_v<F> && sizeof(F) == 8))
struct FieldTraits<F> : FixedField<F, std::conditional_t<(sizeof(F) + std::is_unsigned_v<F> <= 1), int8_t,
                                      std::conditional_t<(sizeof(F) + std::is_unsigned_v<F> <= 2), int16_t,
                                      std::conditional_t<(sizeof(F) + std::is_unsigned_v<F> <= 4), int32_t, int64_t>>>, FieldTraits<F>> {
  static constexpr size_t kBytes = sizeof(F) + std::is_unsigned_v<F>;
  static DataType type() {
    if constexpr (kBytes <= 1) return DataType::tinyint(false);
    else if constexpr (kBytes <= 2) return DataType::smallint(false);
    else if constexpr (kBytes <= 4) return DataType::integer(false);
    else return DataType::bigint(false);
  }
  template <typename P = std::conditional_t<kBytes <= 1, int8_t, std::conditional_t<kBytes <= 2, int16_t, std::conditional_t<kBytes <= 4, int32_t, int64_t>>>>
  static P toStored(F value) { return static_cast<P>(value); }
  template <typename P>
  static F fromStored(P value) { return static_cast<F>(value); }
  static Value toValue(const F& value) { return Value::integer(static_cast<int64_t>(value)); }
  static F fromValue(const Value& value, const DataType& type) { return static_cast<F>(integerOf(value, type)); }
  static void text(const F& value, std::string& out) { out += std::to_string(value); }
};

template <>
struct FieldTraits<bool> : FixedField<bool, bool, FieldTraits<bool>> {
  static DataType type() { return DataType::boolean(false); }
  static bool toStored(bool value) { return value; }
  static bool fromStored(bool value) { return value; }
  static Value toValue(bool value) { return Value::boolean(value); }
  static bool fromValue(const Value& value, const DataType& type);
  static void text(bool value, std::string& out) { out += value ? "true" : "false"; }
};

template <typename F>
  requires std::is_floating_point_v<F>
struct FieldTraits<F> : FixedField<F, std::conditional_t<sizeof(F) == 4, float, double>, FieldTraits<F>> {
  static_assert(sizeof(F) <= 8, "long double has no SQL type: use double or thalweg::api::Decimal");
  static DataType type() { return sizeof(F) == 4 ? DataType::float32(false) : DataType::float64(false); }
  static F toStored(F value) { return value; }
  static F fromStored(F value) { return value; }
  static Value toValue(F value) { return Value::floating(static_cast<double>(value)); }
  static F fromValue(const Value& value, const DataType& type) { return static_cast<F>(floatingOf(value, type)); }
  static void text(F value, std::string& out) { appendNumberText(out, value); }
};

/// Enumerations travel as their numbers.
template <typename F>
  requires std::is_enum_v<F>
struct FieldTraits<F> : FixedField<F, int32_t, FieldTraits<F>> {
  static DataType type() { return DataType::integer(false); }
  static int32_t toStored(F value) { return static_cast<int32_t>(value); }
  static F fromStored(int32_t value) { return static_cast<F>(value); }
  static Value toValue(F value) { return Value::integer(toStored(value)); }
  static F fromValue(const Value& value, const DataType& type) { return static_cast<F>(integerOf(value, type)); }
  static void text(F value, std::string& out) { out += std::to_string(toStored(value)); }
};

template <>
struct FieldTraits<Instant> : FixedField<Instant, TimestampValue, FieldTraits<Instant>> {
  static DataType type() { return DataType::timestampLtz(9, false); }
  static TimestampValue toStored(const Instant& value) { return value.value(); }
  static Instant fromStored(TimestampValue value) { return Instant(value); }
  template <typename Place>
  static void decode(const Vector& column, size_t n, Place place, bool nullable) {
    const TimestampReader reader(column);
    for (size_t i = 0; i < n; ++i) {
      if (!reader.isNull(i)) place(i) = Instant(reader[i]);
      else if (!nullable) refuseNull(column.type());
    }
  }
  static Value toValue(const Instant& value) { return Value::timestamp(value.value()); }
  static Instant fromValue(const Value& value, const DataType& type);
  static void text(const Instant& value, std::string& out) { out += value.toString(); }
};

template <>
struct FieldTraits<LocalDateTime> : FixedField<LocalDateTime, TimestampValue, FieldTraits<LocalDateTime>> {
  static DataType type() { return DataType::timestamp(9, false); }
  static TimestampValue toStored(const LocalDateTime& value) { return value.value(); }
  static LocalDateTime fromStored(TimestampValue value) { return LocalDateTime(value); }
  template <typename Place>
  static void decode(const Vector& column, size_t n, Place place, bool nullable) {
    const TimestampReader reader(column);
    for (size_t i = 0; i < n; ++i) {
      if (!reader.isNull(i)) place(i) = LocalDateTime(reader[i]);
      else if (!nullable) refuseNull(column.type());
    }
  }
  static Value toValue(const LocalDateTime& value) { return Value::timestamp(value.value()); }
  static LocalDateTime fromValue(const Value& value, const DataType& type);
  static void text(const LocalDateTime& value, std::string& out) { out += value.toString(); }
};

template <>
struct FieldTraits<LocalDate> : FixedField<LocalDate, int32_t, FieldTraits<LocalDate>> {
  static DataType type() { return DataType::date(false); }
  static int32_t toStored(LocalDate value) { return value.toEpochDay(); }
  static LocalDate fromStored(int32_t value) { return LocalDate::ofEpochDay(value); }
  static Value toValue(LocalDate value) { return Value::integer(value.toEpochDay()); }
  static LocalDate fromValue(const Value& value, const DataType& type) { return LocalDate::ofEpochDay(static_cast<int32_t>(integerOf(value, type))); }
  static void text(LocalDate value, std::string& out) { out += value.toString(); }
};

template <>
struct FieldTraits<LocalTime> : FixedField<LocalTime, int32_t, FieldTraits<LocalTime>> {
  static DataType type() { return DataType::time(3, false); }
  static int32_t toStored(LocalTime value) { return value.toMilliOfDay(); }
  static LocalTime fromStored(int32_t value) { return LocalTime::ofMilliOfDay(value); }
  static Value toValue(LocalTime value) { return Value::integer(value.toMilliOfDay()); }
  static LocalTime fromValue(const Value& value, const DataType& type) { return LocalTime::ofMilliOfDay(static_cast<int32_t>(integerOf(value, type))); }
  static void text(LocalTime value, std::string& out) { out += value.toString(); }
};

template <>
struct FieldTraits<Duration> : FixedField<Duration, int64_t, FieldTraits<Duration>> {
  static DataType type() { return DataType::intervalSecond(false); }
  static int64_t toStored(Duration value) { return value.toMillis(); }
  static Duration fromStored(int64_t value) { return Duration::ofMillis(value); }
  static Value toValue(Duration value) { return Value::integer(value.toMillis()); }
  static Duration fromValue(const Value& value, const DataType& type) { return Duration::ofMillis(integerOf(value, type)); }
  static void text(Duration value, std::string& out) { out += value.toString(); }
};

template <>
struct FieldTraits<Decimal> : FixedField<Decimal, int128, FieldTraits<Decimal>> {
  static constexpr int kScale = 18;
  static DataType type() { return DataType::decimal(DataType::kMaxDecimalPrecision, kScale, false); }
  static int128 toStored(const Decimal& value) { return value.atScale(kScale); }
  static Decimal fromStored(int128 value) { return {value, kScale}; }
  template <typename Place>
  static void decode(const Vector& column, size_t n, Place place, bool nullable) {
    if (column.physicalType() == PhysicalType::INT64) decodeAs<int64_t>(column, n, place, nullable);
    else decodeAs<int128>(column, n, place, nullable);
  }
  static Value toValue(const Decimal& value) { return Value::decimal(value.atScale(kScale)); }
  static Decimal fromValue(const Value& value, const DataType& type);
  static void write(const Decimal& value, std::string& out) {
    writeNumber(out, value.unscaled());
    writeNumber(out, value.scale());
  }
  static void read(ByteReader& in, Decimal& value) {
    const auto unscaled = in.number<int128>();
    value = Decimal(unscaled, in.number<int>());
  }
  static void text(const Decimal& value, std::string& out) { out += value.toString(); }

 private:
  template <typename P, typename Place>
  static void decodeAs(const Vector& column, size_t n, Place place, bool nullable) {
    const ColumnReader<P> reader(column);
    for (size_t i = 0; i < n; ++i) {
      if (!reader.isNull(i)) place(i) = Decimal(reader[i], column.type().scale());
      else if (!nullable) refuseNull(column.type());
    }
  }
};

/// uint64_t does not fit BIGINT: DECIMAL(20, 0).
template <typename F>
  requires(std::is_integral_v<F> && std::is_unsigned_v<F> && sizeof(F) == 8)
struct FieldTraits<F> : FixedField<F, int128, FieldTraits<F>> {
  static DataType type() { return DataType::decimal(20, 0, false); }
  static int128 toStored(F value) { return static_cast<int128>(value); }
  static F fromStored(int128 value) { return static_cast<F>(value); }
  static Value toValue(F value) { return Value::decimal(toStored(value)); }
  static F fromValue(const Value& value, const DataType& type) { return static_cast<F>(FieldTraits<Decimal>::fromValue(value, type).atScale(0)); }
  static void text(F value, std::string& out) { out += std::to_string(value); }
};

/// Fields stored as text or bytes. `Self` has view(F), make(string_view).
template <typename F, typename Self>
struct TextField {
  template <typename Get>
  static VectorPtr encode(const DataType& type, size_t n, Get get) {
    StringBuilder builder(type, n);
    for (size_t i = 0; i < n; ++i) {
      if (const F* value = get(i)) builder.append(Self::view(*value));
      else builder.appendNull();
    }
    return builder.finish();
  }
  template <typename Place>
  static void decode(const Vector& column, size_t n, Place place, bool nullable) {
    const ColumnReader<std::string_view> reader(column);
    const bool nulls = reader.mayHaveNulls();
    for (size_t i = 0; i < n; ++i) {
      if (nulls && reader.isNull(i)) {
        if (!nullable) refuseNull(column.type());
        continue;
      }
      Self::assign(place(i), reader.stored(i).view(reader.mapping().flat().stringBases()));
    }
  }
  static Value toValue(const F& value) { return Value::string(std::string(Self::view(value))); }
  static void write(const F& value, std::string& out) { writeText(out, Self::view(value)); }
  static void read(ByteReader& in, F& value) { Self::assign(value, in.text()); }
};

template <>
struct FieldTraits<std::string> : TextField<std::string, FieldTraits<std::string>> {
  static DataType type() { return DataType::string(false); }
  static std::string_view view(const std::string& value) { return value; }
  static void assign(std::string& place, std::string_view text) { place.assign(text.data(), text.size()); }
  static std::string fromValue(const Value& value, const DataType& type);
  static void text(const std::string& value, std::string& out) { out += value; }
};

template <>
struct FieldTraits<Bytes> : TextField<Bytes, FieldTraits<Bytes>> {
  static DataType type() { return DataType::bytes(false); }
  static std::string_view view(const Bytes& value) { return value.data; }
  static void assign(Bytes& place, std::string_view text) { place.data.assign(text.data(), text.size()); }
  static Bytes fromValue(const Value& value, const DataType& type);
  static void text(const Bytes& value, std::string& out);
};

/// Types with a registered serializer.
template <typename F>
  requires HasTypeSerializer<F>
struct FieldTraits<F> {
  static DataType type() { return DataType::bytes(false); }
  template <typename Get>
  static VectorPtr encode(const DataType& type, size_t n, Get get) {
    StringBuilder builder(type, n);
    for (size_t i = 0; i < n; ++i) {
      if (const F* value = get(i)) builder.append(TypeSerializer<F>::serialize(*value));
      else builder.appendNull();
    }
    return builder.finish();
  }
  template <typename Place>
  static void decode(const Vector& column, size_t n, Place place, bool nullable) {
    const ColumnReader<std::string_view> reader(column);
    for (size_t i = 0; i < n; ++i) {
      if (!reader.isNull(i)) place(i) = TypeSerializer<F>::deserialize(reader.stored(i).view(reader.mapping().flat().stringBases()));
      else if (!nullable) refuseNull(column.type());
    }
  }
  static Value toValue(const F& value) { return Value::string(TypeSerializer<F>::serialize(value)); }
  static F fromValue(const Value& value, const DataType& type) {
    if (value.content().index() != toValue(F()).content().index()) refuseValue(type, "the bytes of a registered serializer");
    return TypeSerializer<F>::deserialize(value.asString());
  }
  static void write(const F& value, std::string& out) { writeText(out, TypeSerializer<F>::serialize(value)); }
  static void read(ByteReader& in, F& value) { value = TypeSerializer<F>::deserialize(in.text()); }
  static void text(const F& value, std::string& out) {
    if constexpr (requires { TypeSerializer<F>::toString(value); }) out += TypeSerializer<F>::toString(value);
    else out += "<opaque>";
  }
};

}  // namespace thalweg::api
