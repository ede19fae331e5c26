// DataType: the logical SQL types of Flink, as an immutable value.
//
// A DataType is cheap to copy (the nested part is shared). Text form is Flink's summary form
// (`DECIMAL(10, 2)`, `ROW<`a` INT> NOT NULL`; STRING and BYTES for the longest VARCHAR and VARBINARY).
// How a type is laid out in columns is physicalType(). Threads: values, immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg {

/// The roots of Flink's type system. The numbers are part of state and wire formats: append only.
enum class TypeKind : uint8_t {
  NULL_TYPE = 0,  ///< the type of a bare NULL
  BOOLEAN = 1,
  TINYINT = 2,
  SMALLINT = 3,
  INTEGER = 4,
  BIGINT = 5,
  FLOAT = 6,
  DOUBLE = 7,
  DECIMAL = 8,
  CHAR = 9,
  VARCHAR = 10,
  BINARY = 11,
  VARBINARY = 12,
  DATE = 13,
  TIME = 14,
  TIMESTAMP = 15,
  TIMESTAMP_LTZ = 16,
  INTERVAL_YEAR_MONTH = 17,
  INTERVAL_DAY_TIME = 18,
  ARRAY = 19,
  MAP = 20,
  MULTISET = 21,
  ROW = 22,
  VARIANT = 23,
  BITMAP = 24,
  RAW = 25,         ///< opaque engine value, e.g. DESCRIPTOR arguments
  SYMBOL = 26,      ///< a keyword used as argument (DAY in EXTRACT); exists only while binding
};

/// What a value looks like in a column.
enum class PhysicalType : uint8_t {
  NONE,             ///< all rows NULL, no data buffer
  BOOL,             ///< one byte, 0 or 1 (docs/decisions: bytes, not bits, inside the engine)
  INT8,
  INT16,
  INT32,            ///< INT, DATE (days since epoch), TIME (ms of day), year-month interval (months)
  INT64,            ///< BIGINT, DECIMAL(<=18) unscaled, TIMESTAMP(0-3) ms, (4-6) us, day-time interval (ms)
  INT128,           ///< DECIMAL(19-38) unscaled
  FLOAT32,
  FLOAT64,
  STRING,           ///< 16-byte StringView; CHAR, VARCHAR, BINARY, VARBINARY, VARIANT and BITMAP (encoded)
  TIMESTAMP_NANOS,  ///< 16-byte TimestampValue; TIMESTAMP and TIMESTAMP_LTZ of precision 7-9
  LIST,             ///< ARRAY
  MAP,              ///< MAP, MULTISET (value column INT count)
  ROW,
};

class DataType;

/// A named member of a ROW, or a column of a schema.
struct Field;

class DataType {
 public:
  static constexpr int kMaxLength = 2147483647;  ///< length of STRING and BYTES
  static constexpr int kMaxDecimalPrecision = 38;

  DataType() = default;  ///< the nullable NULL type

  static DataType null() { return {}; }
  static DataType boolean(bool nullable = true) { return {TypeKind::BOOLEAN, nullable}; }
  static DataType tinyint(bool nullable = true) { return {TypeKind::TINYINT, nullable}; }
  static DataType smallint(bool nullable = true) { return {TypeKind::SMALLINT, nullable}; }
  static DataType integer(bool nullable = true) { return {TypeKind::INTEGER, nullable}; }
  static DataType bigint(bool nullable = true) { return {TypeKind::BIGINT, nullable}; }
  static DataType float32(bool nullable = true) { return {TypeKind::FLOAT, nullable}; }
  static DataType float64(bool nullable = true) { return {TypeKind::DOUBLE, nullable}; }
  static DataType decimal(int precision, int scale, bool nullable = true) {
    return {TypeKind::DECIMAL, nullable, precision, scale};
  }
  static DataType character(int length, bool nullable = true) { return {TypeKind::CHAR, nullable, length}; }
  static DataType varchar(int length, bool nullable = true) { return {TypeKind::VARCHAR, nullable, length}; }
  static DataType string(bool nullable = true) { return varchar(kMaxLength, nullable); }
  static DataType binary(int length, bool nullable = true) { return {TypeKind::BINARY, nullable, length}; }
  static DataType varbinary(int length, bool nullable = true) { return {TypeKind::VARBINARY, nullable, length}; }
  static DataType bytes(bool nullable = true) { return varbinary(kMaxLength, nullable); }
  static DataType date(bool nullable = true) { return {TypeKind::DATE, nullable}; }
  static DataType time(int precision = 0, bool nullable = true) { return {TypeKind::TIME, nullable, precision}; }
  static DataType timestamp(int precision = 6, bool nullable = true) { return {TypeKind::TIMESTAMP, nullable, precision}; }
  static DataType timestampLtz(int precision = 6, bool nullable = true) {
    return {TypeKind::TIMESTAMP_LTZ, nullable, precision};
  }
  static DataType intervalMonth(bool nullable = true) { return {TypeKind::INTERVAL_YEAR_MONTH, nullable}; }
  static DataType intervalSecond(bool nullable = true) { return {TypeKind::INTERVAL_DAY_TIME, nullable, 3}; }
  static DataType array(DataType element, bool nullable = true);
  static DataType map(DataType key, DataType value, bool nullable = true);
  static DataType multiset(DataType element, bool nullable = true);
  static DataType row(std::vector<Field> fields, bool nullable = true);
  /// A ROW of a user's class: printed as STRUCTURED, apart from rows and from other classes.
  static DataType structured(std::string class_name, std::vector<Field> fields, bool nullable = true);
  static DataType variant(bool nullable = true) { return {TypeKind::VARIANT, nullable}; }
  static DataType bitmap(bool nullable = true) { return {TypeKind::BITMAP, nullable}; }
  static DataType symbol() { return {TypeKind::SYMBOL, false}; }

  TypeKind kind() const { return kind_; }
  bool nullable() const { return nullable_; }
  /// Digits of DECIMAL, fractional digits of TIME and TIMESTAMP.
  int precision() const { return precision_; }
  int scale() const { return scale_; }
  /// Code points of CHAR and VARCHAR, bytes of BINARY and VARBINARY.
  int length() const { return precision_; }

  /// ARRAY and MULTISET: the element. MAP: key, value. ROW: the fields' types.
  size_t childCount() const;
  const DataType& child(size_t i) const;
  /// The fields of a ROW; empty for other kinds.
  const std::vector<Field>& fields() const;
  const std::string& fieldName(size_t i) const;
  bool isStructured() const { return class_name_ != nullptr; }
  /// Of a structured type; empty for all others.
  const std::string& className() const;
  /// Position of a ROW field by exact name, or -1.
  int fieldIndex(std::string_view name) const;

  DataType withNullable(bool nullable) const {
    DataType copy = *this;
    copy.nullable_ = nullable || kind_ == TypeKind::NULL_TYPE;
    return copy;
  }
  DataType asNullable() const { return withNullable(true); }
  DataType notNull() const { return withNullable(false); }

  PhysicalType physicalType() const;

  bool isString() const { return kind_ == TypeKind::CHAR || kind_ == TypeKind::VARCHAR; }
  bool isBinary() const { return kind_ == TypeKind::BINARY || kind_ == TypeKind::VARBINARY; }
  bool isInteger() const { return kind_ >= TypeKind::TINYINT && kind_ <= TypeKind::BIGINT; }
  bool isExactNumeric() const { return isInteger() || kind_ == TypeKind::DECIMAL; }
  bool isApproximateNumeric() const { return kind_ == TypeKind::FLOAT || kind_ == TypeKind::DOUBLE; }
  bool isNumeric() const { return isExactNumeric() || isApproximateNumeric(); }
  bool isTimestamp() const { return kind_ == TypeKind::TIMESTAMP || kind_ == TypeKind::TIMESTAMP_LTZ; }
  bool isTemporal() const { return kind_ >= TypeKind::DATE && kind_ <= TypeKind::TIMESTAMP_LTZ; }
  bool isInterval() const {
    return kind_ == TypeKind::INTERVAL_YEAR_MONTH || kind_ == TypeKind::INTERVAL_DAY_TIME;
  }
  bool isNested() const { return kind_ >= TypeKind::ARRAY && kind_ <= TypeKind::ROW; }
  bool isNull() const { return kind_ == TypeKind::NULL_TYPE; }

  /// Flink's summary text: `VARCHAR(5) NOT NULL`, `ARRAY<INT>`, `TIMESTAMP(3)`, `INTERVAL SECOND(3) NOT NULL`.
  std::string toString() const;
  /// As DDL needs it again: like toString, but STRING is written VARCHAR(2147483647).
  std::string toSerializableString() const;

  /// Equal in everything, nullability included (at every level).
  bool operator==(const DataType& other) const;
  /// Equal but for the outermost nullability.
  bool sameAs(const DataType& other) const { return asNullable() == other.asNullable(); }
  /// Equal but for nullability at any level and names of row fields.
  bool sameIgnoringNullability(const DataType& other) const;

 private:
  DataType(TypeKind kind, bool nullable, int precision = 0, int scale = 0)
      : kind_(kind), nullable_(nullable), precision_(precision), scale_(scale) {}
  std::string text(bool serializable) const;

  TypeKind kind_ = TypeKind::NULL_TYPE;
  bool nullable_ = true;
  int precision_ = 0;
  int scale_ = 0;
  std::shared_ptr<const std::vector<Field>> children_;  // unnamed for ARRAY, MAP, MULTISET
  std::shared_ptr<const std::string> class_name_;       // of a structured type
};

struct Field {
  std::string name;
  DataType type;
  std::string description = {};  ///< comment of a row field; not part of equality
  bool operator==(const Field& other) const { return name == other.name && type == other.type; }
};

/// The upper-case root name (`DECIMAL`), without parameters.
std::string_view typeKindName(TypeKind kind);

}  // namespace thalweg
