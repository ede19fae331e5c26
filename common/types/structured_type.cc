#include "common/types/structured_type.h"

#include "common/base/check.h"

namespace thalweg {
namespace {

constexpr std::string_view kMark = "\x1e""class ";   // no comment of a field begins with a control character

}  // namespace

DataType structuredType(std::string_view class_name, std::vector<Field> fields, bool nullable) {
  CHECK(!fields.empty());
  fields[0].description = std::string(kMark) + std::string(class_name);
  return DataType::row(std::move(fields), nullable);
}

std::optional<std::string> structuredName(const DataType& type) {
  if (type.kind() != TypeKind::ROW || type.fields().empty()) return std::nullopt;
  const std::string& description = type.fields()[0].description;
  if (!description.starts_with(kMark)) return std::nullopt;
  return description.substr(kMark.size());
}

std::string structuredTypeText(const DataType& type) {
  const auto name = structuredName(type);
  if (!name) return type.toString();
  std::string text = "*" + *name + "<";
  for (size_t i = 0; i < type.childCount(); ++i) {
    text += (i ? ",`" : "`") + type.fieldName(i) + "` " + structuredTypeText(type.child(i));
  }
  return text + ">*" + (type.nullable() ? "" : " NOT NULL");
}

}  // namespace thalweg
