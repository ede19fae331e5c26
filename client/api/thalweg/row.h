// Row: a record whose fields are known at run time only, with the kind of change it stands for.
//
//   Row row = Row::of("Alice", 12);
//   row.getFieldAs<int>(1);                       // 12
//   Row named = Row::withNames();
//   named.setField("name", "Alice");
//   row.toString();                               // +I[Alice, 12]
//
// Each field has a value and the SQL type it came with. NULL is `nullptr` or an empty std::optional.
// Errors: ValidationException for a position or name that does not exist and for a value of another type.
// Threads: a value.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/api/thalweg/field_composites.h"
#include "common/types/row_kind.h"

namespace thalweg::api {

class Row {
 public:
  Row() = default;
  /// A row of `arity` NULLs.
  explicit Row(int arity, RowKind kind = RowKind::INSERT);
  Row(RowKind kind, std::shared_ptr<const std::vector<Field>> fields, std::vector<Value> values)
      : kind_(kind), fields_(std::move(fields)), values_(std::move(values)) {}

  template <typename... Fields>
  static Row of(Fields&&... fields) { return ofKind(RowKind::INSERT, std::forward<Fields>(fields)...); }
  template <typename... Fields>
  static Row ofKind(RowKind kind, Fields&&... fields) {
    Row row(static_cast<int>(sizeof...(Fields)), kind);
    int position = 0;
    (row.setField(position++, std::forward<Fields>(fields)), ...);
    return row;
  }
  static Row withPositions(int arity) { return Row(arity); }
  static Row withPositions(RowKind kind, int arity) { return Row(arity, kind); }
  /// A row without fields; setField(name, …) adds them.
  static Row withNames(RowKind kind = RowKind::INSERT) { return Row(0, kind); }

  RowKind getKind() const { return kind_; }
  void setKind(RowKind kind) { kind_ = kind; }
  int getArity() const { return static_cast<int>(values_.size()); }
  /// Names of the fields; empty texts where a field has none.
  std::vector<std::string> getFieldNames() const;

  template <typename F>
  F getFieldAs(int position) const {
    check(position);
    const Value& value = values_[static_cast<size_t>(position)];
    const DataType& type = (*fields_)[static_cast<size_t>(position)].type;
    if constexpr (IsOptional<F>::value) {
      return FieldTraits<F>::fromValue(value, type);
    } else {
      if (value.isNull()) refuseNull(type);
      return FieldTraits<F>::fromValue(value, type);
    }
  }
  template <typename F>
  F getFieldAs(std::string_view name) const { return getFieldAs<F>(positionOf(name)); }
  /// The engine's value; its type stands in getFieldType().
  const Value& getField(int position) const { check(position); return values_[static_cast<size_t>(position)]; }
  const Value& getField(std::string_view name) const { return getField(positionOf(name)); }
  const DataType& getFieldType(int position) const { check(position); return (*fields_)[static_cast<size_t>(position)].type; }
  bool isNull(int position) const { return getField(position).isNull(); }

  template <typename F>
  void setField(int position, F&& value) {
    using Plain = std::decay_t<F>;
    if constexpr (std::is_null_pointer_v<Plain> || std::is_same_v<Plain, std::nullopt_t>) set(position, {}, DataType::null());
    else if constexpr (std::is_convertible_v<F, std::string_view> && !std::is_same_v<Plain, std::string>) setText(position, value);
    else if constexpr (std::is_same_v<Plain, Row>) setRow(position, value);
    else set(position, FieldTraits<Plain>::toValue(value), FieldTraits<Plain>::type());
  }
  template <typename F>
  void setField(std::string_view name, F&& value) { setField(addOrFind(name), std::forward<F>(value)); }
  void set(int position, Value value, const DataType& type);

  /// A value of the type that the field has already; nothing is checked (for what makes rows from columns).
  void fill(int position, Value value) { values_[static_cast<size_t>(position)] = std::move(value); }

  /// `+I[Alice, 12]`.
  std::string toString() const;
  bool operator==(const Row& other) const { return kind_ == other.kind_ && values_ == other.values_; }

  const std::vector<Value>& values() const { return values_; }
  /// Names and types of the fields; null for a row without any.
  const std::shared_ptr<const std::vector<Field>>& fields() const { return fields_; }

 private:
  template <typename F>
  struct IsOptional : std::false_type {};
  template <typename F>
  struct IsOptional<std::optional<F>> : std::true_type {};

  void check(int position) const;
  int positionOf(std::string_view name) const;
  int addOrFind(std::string_view name);
  void setText(int position, std::string_view text);
  void setRow(int position, const Row& row);

  RowKind kind_ = RowKind::INSERT;
  std::shared_ptr<const std::vector<Field>> fields_;
  std::vector<Value> values_;
};

/// Binary form of a type.
void writeType(const DataType& type, std::string& out);
DataType readType(ByteReader& in);
/// Binary form of a value of `type`, for state; NULL included.
void writeValue(const Value& value, const DataType& type, std::string& out);
Value readValue(ByteReader& in, const DataType& type);
/// `value` of type `from` as a column of type `to` holds it; ValidationException when it does not fit.
Value convertValue(const Value& value, const DataType& from, const DataType& to);

template <>
struct FieldTraits<Row> {
  /// A row's type is not known from its C++ type.
  static DataType type() { return DataType::row({}, false); }
  static Value toValue(const Row& row) { return Value::row(row.values(), row.getKind()); }
  static Row fromValue(const Value& value, const DataType& type);
  static void write(const Row& row, std::string& out);
  static void read(ByteReader& in, Row& row);
  static void text(const Row& row, std::string& out) { out += row.toString(); }
};

}  // namespace thalweg::api
