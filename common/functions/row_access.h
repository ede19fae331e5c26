// RowReader and RowWriter: how kernel adapters see arguments and write results, by the words of a signature.
//
// RowReader<A> reads a column of any encoding as A::Value (see kernel_adapters.h for the words A can be).
// RowWriter<R> takes rows 0, 1, 2, … in order. Lifetime: readers borrow the vector.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "common/columnar/builder.h"
#include "common/columnar/column_reader.h"

namespace thalweg {

/// TINYINT to BIGINT, DATE, TIME and both intervals, as int64_t.
struct AnyInteger {};
/// DECIMAL of every precision, as int128 at the column's scale.
struct AnyDecimal {};
/// TIMESTAMP and TIMESTAMP_LTZ of every precision, as TimestampValue.
struct AnyTimestamp {};
/// An argument whose NULLs the function wants to see, as std::optional<A's value>.
template <typename A>
struct Nullable {};

/// Consecutive values: vectorisable.
template <typename T>
struct FlatOperand {
  const T* data;
  T operator[](size_t row) const { return data[row]; }
};
template <>
struct FlatOperand<bool> {
  const uint8_t* data;
  bool operator[](size_t row) const { return data[row] != 0; }
};
template <typename T>
struct ConstantOperand {
  T value;
  T operator[](size_t) const { return value; }
};

template <typename A>
class RowReader {
 public:
  using Value = A;
  static constexpr bool kNullable = false;
  explicit RowReader(const Vector& vector) : reader_(vector) {}
  Value operator[](size_t row) const { return reader_[row]; }
  bool isNullRow(size_t row) const { return reader_.isNull(row); }
  bool makesNull() const { return reader_.mayHaveNulls(); }
  bool isIdentity() const { return reader_.isIdentity(); }
  bool isConstant() const { return reader_.isConstant(); }
  FlatOperand<A> flat() const { return {reader_.raw()}; }
  ConstantOperand<A> constant() const { return {reader_[0]}; }

 private:
  ColumnReader<A> reader_;
};

/// Types whose flat columns a tight loop can walk.
template <typename A>
concept HasRaw = std::is_arithmetic_v<A> || std::is_same_v<A, int128>;

/// Common part of readers that widen: null checks through the mapping.
class MappedReader {
 public:
  static constexpr bool kNullable = false;
  explicit MappedReader(const Vector& vector) : rows_(vector) {}
  bool isNullRow(size_t row) const { return rows_.isNull(row); }
  bool makesNull() const { return rows_.mayHaveNulls(); }

 protected:
  RowMapping rows_;
};

template <>
class RowReader<AnyInteger> : public MappedReader {
 public:
  using Value = int64_t;
  explicit RowReader(const Vector& vector)
      : MappedReader(vector),
        physical_(rows_.flat().physicalType()),
        data_(rows_.flat().dataBuffer() ? rows_.flat().dataBuffer()->data() : nullptr) {}
  Value operator[](size_t row) const {
    const size_t at = rows_(row);
    switch (physical_) {
      case PhysicalType::INT8: return reinterpret_cast<const int8_t*>(data_)[at];
      case PhysicalType::INT16: return reinterpret_cast<const int16_t*>(data_)[at];
      case PhysicalType::INT32: return reinterpret_cast<const int32_t*>(data_)[at];
      default: return reinterpret_cast<const int64_t*>(data_)[at];
    }
  }

 private:
  PhysicalType physical_;
  const uint8_t* data_;
};

template <>
class RowReader<AnyDecimal> : public MappedReader {
 public:
  using Value = int128;
  explicit RowReader(const Vector& vector)
      : MappedReader(vector),
        wide_(rows_.flat().physicalType() == PhysicalType::INT128),
        data_(rows_.flat().dataBuffer() ? rows_.flat().dataBuffer()->data() : nullptr) {}
  Value operator[](size_t row) const {
    const size_t at = rows_(row);
    return wide_ ? reinterpret_cast<const int128*>(data_)[at] : int128{reinterpret_cast<const int64_t*>(data_)[at]};
  }

 private:
  bool wide_;
  const uint8_t* data_;
};

template <>
class RowReader<AnyTimestamp> {
 public:
  using Value = TimestampValue;
  static constexpr bool kNullable = false;
  explicit RowReader(const Vector& vector) : rows_(vector), reader_(vector) {}
  Value operator[](size_t row) const { return reader_[row]; }
  bool isNullRow(size_t row) const { return rows_.isNull(row); }
  bool makesNull() const { return rows_.mayHaveNulls(); }

 private:
  RowMapping rows_;
  TimestampReader reader_;
};

template <typename A>
class RowReader<Nullable<A>> {
 public:
  using Value = std::optional<typename RowReader<A>::Value>;
  static constexpr bool kNullable = true;
  explicit RowReader(const Vector& vector) : reader_(vector) {}
  Value operator[](size_t row) const {
    if (reader_.isNullRow(row)) return std::nullopt;
    return reader_[row];
  }
  bool isNullRow(size_t) const { return false; }
  bool makesNull() const { return false; }

 private:
  RowReader<A> reader_;
};

template <typename R>
class RowWriter {
 public:
  using Value = R;
  static constexpr bool kFixedWidth = true;
  static constexpr bool kRaw = true;
  RowWriter(const DataType& type, size_t rows) : builder_(type, rows) {}
  void set(size_t row, R value) { builder_.set(row, value); }
  void setNull(size_t row) { builder_.setNull(row); }
  auto* raw() { return builder_.raw(); }
  VectorPtr finish() { return builder_.finish(); }

 private:
  FlatBuilder<R> builder_;
};

template <>
class RowWriter<std::string> {
 public:
  using Value = std::string;
  static constexpr bool kFixedWidth = false;
  static constexpr bool kRaw = false;
  RowWriter(const DataType& type, size_t rows) : builder_(type, rows) {}
  void set(size_t, std::string_view value) { builder_.append(value); }
  void setNull(size_t) { builder_.appendNull(); }
  VectorPtr finish() { return builder_.finish(); }

 private:
  StringBuilder builder_;
};

/// Writes the narrow or the wide form that the result type asks for.
template <>
class RowWriter<AnyDecimal> {
 public:
  using Value = int128;
  static constexpr bool kFixedWidth = true;
  static constexpr bool kRaw = false;
  RowWriter(const DataType& type, size_t rows) {
    if (type.physicalType() == PhysicalType::INT128) wide_.emplace(type, rows);
    else narrow_.emplace(type, rows);
  }
  void set(size_t row, int128 value) {
    if (wide_) wide_->set(row, value);
    else narrow_->set(row, static_cast<int64_t>(value));
  }
  void setNull(size_t row) { wide_ ? wide_->setNull(row) : narrow_->setNull(row); }
  VectorPtr finish() { return wide_ ? wide_->finish() : narrow_->finish(); }

 private:
  std::optional<FlatBuilder<int64_t>> narrow_;
  std::optional<FlatBuilder<int128>> wide_;
};

/// Cuts digits that the result type has no room for.
template <>
class RowWriter<AnyTimestamp> {
 public:
  using Value = TimestampValue;
  static constexpr bool kFixedWidth = true;
  static constexpr bool kRaw = false;
  RowWriter(const DataType& type, size_t rows) : precision_(type.precision()) {
    if (precision_ > 6) nanos_.emplace(type, rows);
    else numbers_.emplace(type, rows);
  }
  void set(size_t row, TimestampValue value) {
    if (precision_ <= 3) numbers_->set(row, value.millis);
    else if (precision_ <= 6) numbers_->set(row, value.millis * 1000 + value.nanos / 1000);
    else nanos_->set(row, value);
  }
  void setNull(size_t row) { nanos_ ? nanos_->setNull(row) : numbers_->setNull(row); }
  VectorPtr finish() { return nanos_ ? nanos_->finish() : numbers_->finish(); }

 private:
  int precision_;
  std::optional<FlatBuilder<int64_t>> numbers_;
  std::optional<FlatBuilder<TimestampValue>> nanos_;
};

template <>
class RowWriter<AnyInteger> {
 public:
  using Value = int64_t;
  static constexpr bool kFixedWidth = true;
  static constexpr bool kRaw = false;
  RowWriter(const DataType& type, size_t rows) {
    switch (type.physicalType()) {
      case PhysicalType::INT8: bytes_.emplace(type, rows); break;
      case PhysicalType::INT16: shorts_.emplace(type, rows); break;
      case PhysicalType::INT32: ints_.emplace(type, rows); break;
      default: longs_.emplace(type, rows); break;
    }
  }
  void set(size_t row, int64_t value) {
    if (longs_) longs_->set(row, value);
    else if (ints_) ints_->set(row, static_cast<int32_t>(value));
    else if (shorts_) shorts_->set(row, static_cast<int16_t>(value));
    else bytes_->set(row, static_cast<int8_t>(value));
  }
  void setNull(size_t row) {
    if (longs_) longs_->setNull(row);
    else if (ints_) ints_->setNull(row);
    else if (shorts_) shorts_->setNull(row);
    else bytes_->setNull(row);
  }
  VectorPtr finish() {
    if (longs_) return longs_->finish();
    if (ints_) return ints_->finish();
    return shorts_ ? shorts_->finish() : bytes_->finish();
  }

 private:
  std::optional<FlatBuilder<int8_t>> bytes_;
  std::optional<FlatBuilder<int16_t>> shorts_;
  std::optional<FlatBuilder<int32_t>> ints_;
  std::optional<FlatBuilder<int64_t>> longs_;
};

}  // namespace thalweg
