#include "client/api/thalweg/field_traits.h"

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/field_composites.h"
#include "common/types/decimal.h"
#include "common/types/java_text.h"

namespace thalweg::api {
namespace {

template <typename Content>
const Content& contentOf(const Value& value, const DataType& type, std::string_view wanted) {
  const auto* content = std::get_if<Content>(&value.content());
  if (content == nullptr) refuseValue(type, wanted);
  return *content;
}

BufferPtr validityOf(size_t n, const std::vector<uint8_t>& null_rows) {
  if (null_rows.empty()) return nullptr;
  ValidityBuilder builder;
  for (size_t i = 0; i < n; ++i) {
    if (null_rows[i] != 0) builder.appendNull();
    else builder.appendValid(1);
  }
  return builder.finish();
}

}  // namespace

void ByteReader::refuse() { throw ValidationException("stored bytes of a record end too early", StatusCode::INTERNAL); }

void refuseNull(const DataType& type) {
  throw ValidationException("found NULL in a field of type " + type.toString() + " whose C++ type cannot hold it: make the field a std::optional");
}

void refuseValue(const DataType& type, std::string_view wanted) {
  throw ValidationException("expected " + std::string(wanted) + ", found a field of type " + type.toString());
}

void refuseColumn(const DataType& found, const DataType& wanted) {
  throw ValidationException("expected a column of type " + wanted.toString() + ", found " + found.toString());
}

void appendNumberText(std::string& out, double value) { appendDouble(out, value); }
void appendNumberText(std::string& out, float value) { appendFloat(out, value); }

int64_t integerOf(const Value& value, const DataType& type) { return contentOf<int64_t>(value, type, "an integer"); }

double floatingOf(const Value& value, const DataType& type) {
  if (const auto* integer = std::get_if<int64_t>(&value.content())) return static_cast<double>(*integer);
  if (const auto* decimal = std::get_if<int128>(&value.content())) return decimalToDouble(*decimal, {type.precision(), type.scale()});
  return contentOf<double>(value, type, "a number");
}

bool FieldTraits<bool>::fromValue(const Value& value, const DataType& type) { return contentOf<bool>(value, type, "a boolean"); }
Instant FieldTraits<Instant>::fromValue(const Value& value, const DataType& type) {
  return Instant(contentOf<TimestampValue>(value, type, "an instant"));
}
LocalDateTime FieldTraits<LocalDateTime>::fromValue(const Value& value, const DataType& type) {
  return LocalDateTime(contentOf<TimestampValue>(value, type, "a date and time"));
}
Decimal FieldTraits<Decimal>::fromValue(const Value& value, const DataType& type) {
  if (const auto* integer = std::get_if<int64_t>(&value.content())) return {*integer, 0};
  return {contentOf<int128>(value, type, "a decimal"), type.scale()};
}
std::string FieldTraits<std::string>::fromValue(const Value& value, const DataType& type) {
  return contentOf<std::string>(value, type, "text");
}
Bytes FieldTraits<Bytes>::fromValue(const Value& value, const DataType& type) { return {contentOf<std::string>(value, type, "bytes")}; }

void FieldTraits<Bytes>::text(const Bytes& value, std::string& out) {
  out += '[';
  for (size_t i = 0; i < value.data.size(); ++i) {
    if (i > 0) out += ", ";
    out += std::to_string(static_cast<int8_t>(value.data[i]));
  }
  out += ']';
}

std::string plainTypeName(std::string_view pretty_function) {
  // `std::string thalweg::api::typeName() [with T = shop::Order; …]`; clang writes `[T = shop::Order]`.
  const size_t begin = pretty_function.find("T = ") + 4;
  std::string_view name = pretty_function.substr(begin, pretty_function.find_first_of(";]", begin) - begin);
  if (const size_t arguments = name.find('<'); arguments != std::string_view::npos) name = name.substr(0, arguments);
  if (const size_t colon = name.rfind(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
  return std::string(name);
}

PresentRows presentRows(const Vector& column, size_t n, bool nullable) {
  PresentRows present;
  if (!column.mayHaveNulls()) return present;
  for (size_t i = 0; i < n; ++i) {
    if (!column.isNull(i)) present.rows.push_back(static_cast<RowIndex>(i));
  }
  present.all = present.rows.size() == n;
  if (!present.all && !nullable) refuseNull(column.type());
  return present;
}

VectorPtr selectRows(const VectorPtr& column, std::span<const RowIndex> rows) {
  return Vector::dictionary(column, Buffer::copyOf({reinterpret_cast<const uint8_t*>(rows.data()), rows.size_bytes()}), rows.size());
}

VectorPtr makeRowVector(const DataType& type, size_t n, std::vector<VectorPtr> children, const std::vector<uint8_t>& null_rows) {
  return Vector::flat({.type = type, .size = n, .validity = validityOf(n, null_rows), .children = std::move(children)});
}

VectorPtr makeListVector(const DataType& type, std::span<const int32_t> offsets, std::vector<VectorPtr> children,
                         const std::vector<uint8_t>& null_rows) {
  const size_t n = offsets.size() - 1;
  return Vector::flat({.type = type, .size = n, .validity = validityOf(n, null_rows),
                       .data = Buffer::copyOf({reinterpret_cast<const uint8_t*>(offsets.data()), offsets.size_bytes()}),
                       .children = std::move(children)});
}

ListRows listRows(const Vector& column, size_t n, bool nullable) {
  const NestedReader reader(column);
  ListRows rows;
  for (size_t i = 0; i < n; ++i) {
    if (reader.isNull(i)) {
      if (!nullable) refuseNull(column.type());
      continue;
    }
    const size_t length = reader.length(i);
    rows.extents.emplace_back(i, length);
    for (size_t k = 0; k < length; ++k) rows.elements.push_back(static_cast<RowIndex>(reader.begin(i) + k));
  }
  return rows;
}

}  // namespace thalweg::api
