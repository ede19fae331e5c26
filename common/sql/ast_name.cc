#include "common/sql/ast_name.h"

#include <array>

namespace thalweg::sql {

std::vector<std::string> QualifiedName::texts() const {
  std::vector<std::string> out;
  out.reserve(parts.size());
  for (const Identifier& part : parts) out.push_back(part.text);
  return out;
}

std::string QualifiedName::toString() const {
  std::string out;
  for (const Identifier& part : parts) {
    if (!out.empty()) out += '.';
    out += part.text;
  }
  return out;
}

std::string_view timeUnitName(TimeUnit unit) {
  static constexpr std::array<std::string_view, 19> kNames = {
      "YEAR",       "QUARTER", "MONTH", "WEEK",   "DAY",     "HOUR",  "MINUTE", "SECOND",  "MILLISECOND", "MICROSECOND",
      "NANOSECOND", "DOW",     "DOY",   "ISODOW", "ISOYEAR", "EPOCH", "DECADE", "CENTURY", "MILLENNIUM"};
  return kNames.at(static_cast<std::size_t>(unit));
}

std::string_view typeNameText(TypeName name) {
  static constexpr std::array<std::string_view, 29> kNames = {
      "CHAR",      "VARCHAR",       "STRING",   "BOOLEAN", "BINARY",    "VARBINARY", "BYTES", "DECIMAL",
      "TINYINT",   "SMALLINT",      "INT",      "BIGINT",  "FLOAT",     "DOUBLE",    "DATE",  "TIME",
      "TIMESTAMP", "TIMESTAMP_LTZ", "INTERVAL", "ARRAY",   "MULTISET",  "MAP",       "ROW",   "STRUCTURED",
      "RAW",       "VARIANT",       "BITMAP",   "NULL",    "DESCRIPTOR"};
  return name == TypeName::NAMED ? std::string_view{} : kNames.at(static_cast<std::size_t>(name));
}

}  // namespace thalweg::sql
