#include "client/api/thalweg/row.h"

#include <algorithm>

#include "client/api/thalweg/exception.h"
#include "common/types/decimal.h"
#include "common/types/value_text.h"

namespace thalweg::api {
namespace {

/// Rows that only differ in values share their fields; a type that changes makes a copy.
std::shared_ptr<const std::vector<Field>> unnamedFields(size_t arity) {
  return std::make_shared<const std::vector<Field>>(arity, Field{"", DataType::null()});
}

}  // namespace

Row::Row(int arity, RowKind kind) : kind_(kind), values_(static_cast<size_t>(arity)) {
  fields_ = unnamedFields(values_.size());
}

std::vector<std::string> Row::getFieldNames() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < values_.size(); ++i) names.push_back((*fields_)[i].name);
  return names;
}

void Row::check(int position) const {
  if (position >= 0 && position < getArity()) return;
  throw ValidationException("expected a field position below " + std::to_string(getArity()) + ", found " + std::to_string(position));
}

int Row::positionOf(std::string_view name) const {
  std::string known;
  for (size_t i = 0; i < values_.size(); ++i) {
    if ((*fields_)[i].name == name) return static_cast<int>(i);
    known += (known.empty() ? "" : ", ") + (*fields_)[i].name;
  }
  throw ValidationException("the row has no field named '" + std::string(name) + "'; its fields are: " + known +
                            "; rows made with Row::of have positions only");
}

int Row::addOrFind(std::string_view name) {
  auto fields = fields_ ? *fields_ : std::vector<Field>();
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name == name) return static_cast<int>(i);
  }
  fields.push_back({std::string(name), DataType::null()});
  fields_ = std::make_shared<const std::vector<Field>>(std::move(fields));
  values_.emplace_back();
  return getArity() - 1;
}

void Row::set(int position, Value value, const DataType& type) {
  check(position);
  const auto at = static_cast<size_t>(position);
  values_[at] = std::move(value);
  if ((*fields_)[at].type == type || (type.isNull() && !(*fields_)[at].type.isNull())) return;
  auto fields = *fields_;
  fields[at].type = type;
  fields_ = std::make_shared<const std::vector<Field>>(std::move(fields));
}

void Row::setText(int position, std::string_view text) { set(position, Value::string(std::string(text)), DataType::string(false)); }

void Row::setRow(int position, const Row& row) {
  auto fields = row.fields_ ? *row.fields_ : std::vector<Field>();
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name.empty()) fields[i].name = "f" + std::to_string(i);
  }
  set(position, Value::row(row.values_, row.kind_), DataType::row(std::move(fields), false));
}

std::string Row::toString() const {
  std::vector<DataType> types;
  for (size_t i = 0; i < values_.size(); ++i) types.push_back((*fields_)[i].type);
  return rowForm(kind_, values_, types);
}

Row FieldTraits<Row>::fromValue(const Value& value, const DataType& type) {
  const auto* row = std::get_if<RowValue>(&value.content());
  if (row == nullptr) refuseValue(type, "a row");
  return Row(row->kind, std::make_shared<const std::vector<Field>>(type.fields()), *row->fields);
}

void FieldTraits<Row>::write(const Row& row, std::string& out) {
  out += static_cast<char>(row.getKind());
  writeNumber(out, static_cast<uint32_t>(row.getArity()));
  for (int i = 0; i < row.getArity(); ++i) {
    writeText(out, (*row.fields())[static_cast<size_t>(i)].name);
    writeType(row.getFieldType(i), out);
    writeValue(row.getField(i), row.getFieldType(i), out);
  }
}

void FieldTraits<Row>::read(ByteReader& in, Row& row) {
  const auto kind = static_cast<RowKind>(in.take(1)[0]);
  const auto arity = in.number<uint32_t>();
  std::vector<Field> fields;
  std::vector<Value> values;
  for (uint32_t i = 0; i < arity; ++i) {
    std::string name(in.text());
    fields.push_back({std::move(name), readType(in)});
    values.push_back(readValue(in, fields.back().type));
  }
  row = Row(kind, std::make_shared<const std::vector<Field>>(std::move(fields)), std::move(values));
}

}  // namespace thalweg::api
