#include "common/types/data_type.h"

#include "common/base/check.h"

namespace thalweg {

namespace {

constexpr int kInt64DecimalDigits = 18;

std::string quoteIdentifier(std::string_view name) {
  std::string quoted = "`";
  for (char c : name) {
    if (c == '`') quoted += '`';
    quoted += c;
  }
  quoted += '`';
  return quoted;
}

std::string quoteText(std::string_view text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += c;
  }
  quoted += '\'';
  return quoted;
}

std::string withArgument(std::string_view root, int argument) {
  std::string text(root);
  text += '(';
  text += std::to_string(argument);
  text += ')';
  return text;
}

}  // namespace

DataType DataType::array(DataType element, bool nullable) {
  DataType type(TypeKind::ARRAY, nullable);
  type.children_ = std::make_shared<const std::vector<Field>>(std::vector<Field>{{"", std::move(element)}});
  return type;
}

DataType DataType::map(DataType key, DataType value, bool nullable) {
  DataType type(TypeKind::MAP, nullable);
  type.children_ =
      std::make_shared<const std::vector<Field>>(std::vector<Field>{{"", std::move(key)}, {"", std::move(value)}});
  return type;
}

DataType DataType::multiset(DataType element, bool nullable) {
  DataType type(TypeKind::MULTISET, nullable);
  type.children_ = std::make_shared<const std::vector<Field>>(std::vector<Field>{{"", std::move(element)}});
  return type;
}

DataType DataType::row(std::vector<Field> fields, bool nullable) {
  DataType type(TypeKind::ROW, nullable);
  type.children_ = std::make_shared<const std::vector<Field>>(std::move(fields));
  return type;
}

DataType DataType::structured(std::string class_name, std::vector<Field> fields, bool nullable) {
  DataType type = row(std::move(fields), nullable);
  type.class_name_ = std::make_shared<const std::string>(std::move(class_name));
  return type;
}

const std::string& DataType::className() const {
  static const std::string kNone;
  return class_name_ ? *class_name_ : kNone;
}

size_t DataType::childCount() const { return children_ ? children_->size() : 0; }

const DataType& DataType::child(size_t i) const {
  CHECK_MSG(i < childCount(), toString());
  return (*children_)[i].type;
}

const std::vector<Field>& DataType::fields() const {
  static const std::vector<Field> kNone;
  return kind_ == TypeKind::ROW && children_ ? *children_ : kNone;
}

const std::string& DataType::fieldName(size_t i) const {
  CHECK_MSG(i < childCount(), toString());
  return (*children_)[i].name;
}

int DataType::fieldIndex(std::string_view name) const {
  const std::vector<Field>& all = fields();
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

PhysicalType DataType::physicalType() const {
  switch (kind_) {
    case TypeKind::NULL_TYPE:
    case TypeKind::RAW:
    case TypeKind::SYMBOL: return PhysicalType::NONE;
    case TypeKind::BOOLEAN: return PhysicalType::BOOL;
    case TypeKind::TINYINT: return PhysicalType::INT8;
    case TypeKind::SMALLINT: return PhysicalType::INT16;
    case TypeKind::INTEGER:
    case TypeKind::DATE:
    case TypeKind::TIME:
    case TypeKind::INTERVAL_YEAR_MONTH: return PhysicalType::INT32;
    case TypeKind::BIGINT:
    case TypeKind::INTERVAL_DAY_TIME: return PhysicalType::INT64;
    case TypeKind::FLOAT: return PhysicalType::FLOAT32;
    case TypeKind::DOUBLE: return PhysicalType::FLOAT64;
    case TypeKind::DECIMAL: return precision_ <= kInt64DecimalDigits ? PhysicalType::INT64 : PhysicalType::INT128;
    case TypeKind::CHAR:
    case TypeKind::VARCHAR:
    case TypeKind::BINARY:
    case TypeKind::VARBINARY:
    case TypeKind::VARIANT:
    case TypeKind::BITMAP: return PhysicalType::STRING;
    case TypeKind::TIMESTAMP:
    case TypeKind::TIMESTAMP_LTZ: return precision_ <= 6 ? PhysicalType::INT64 : PhysicalType::TIMESTAMP_NANOS;
    case TypeKind::ARRAY: return PhysicalType::LIST;
    case TypeKind::MAP:
    case TypeKind::MULTISET: return PhysicalType::MAP;
    case TypeKind::ROW: return PhysicalType::ROW;
  }
  return PhysicalType::NONE;
}

std::string DataType::toString() const { return text(false); }

std::string DataType::toSerializableString() const { return text(true); }

std::string DataType::text(bool serializable) const {
  std::string out;
  switch (kind_) {
    case TypeKind::NULL_TYPE: return "NULL";
    case TypeKind::CHAR:
    case TypeKind::BINARY: out = withArgument(typeKindName(kind_), precision_); break;
    case TypeKind::VARCHAR:
      out = precision_ == kMaxLength && !serializable ? "STRING" : withArgument("VARCHAR", precision_);
      break;
    case TypeKind::VARBINARY:
      out = precision_ == kMaxLength && !serializable ? "BYTES" : withArgument("VARBINARY", precision_);
      break;
    case TypeKind::DECIMAL:
      out = "DECIMAL(" + std::to_string(precision_) + ", " + std::to_string(scale_) + ")";
      break;
    case TypeKind::TIME:
    case TypeKind::TIMESTAMP: out = withArgument(typeKindName(kind_), precision_); break;
    case TypeKind::TIMESTAMP_LTZ:
      out = serializable ? withArgument("TIMESTAMP", precision_) + " WITH LOCAL TIME ZONE"
                         : withArgument("TIMESTAMP_LTZ", precision_);
      break;
    case TypeKind::INTERVAL_YEAR_MONTH: out = "INTERVAL MONTH"; break;
    case TypeKind::INTERVAL_DAY_TIME: out = "INTERVAL SECOND(3)"; break;
    case TypeKind::ARRAY:
    case TypeKind::MULTISET:
      out = std::string(typeKindName(kind_)) + "<" + child(0).text(serializable) + ">";
      break;
    case TypeKind::MAP: out = "MAP<" + child(0).text(serializable) + ", " + child(1).text(serializable) + ">"; break;
    case TypeKind::ROW: {
      out = isStructured() ? "STRUCTURED<" + quoteText(className()) + ", " : "ROW<";
      for (size_t i = 0; i < childCount(); ++i) {
        const Field& field = (*children_)[i];
        if (i > 0) out += ", ";
        out += quoteIdentifier(field.name) + " " + field.type.text(serializable);
        if (serializable && !field.description.empty() && field.description[0] >= ' ') out += " " + quoteText(field.description);
      }
      out += ">";
      break;
    }
    default: out = typeKindName(kind_); break;
  }
  if (!nullable_) out += " NOT NULL";
  return out;
}

bool DataType::operator==(const DataType& other) const {
  if (kind_ != other.kind_ || nullable_ != other.nullable_ || precision_ != other.precision_ ||
      scale_ != other.scale_ || className() != other.className()) {
    return false;
  }
  if (children_ == other.children_) return true;
  if (childCount() != other.childCount()) return false;
  return childCount() == 0 || *children_ == *other.children_;
}

bool DataType::sameIgnoringNullability(const DataType& other) const {
  if (kind_ != other.kind_ || precision_ != other.precision_ || scale_ != other.scale_ ||
      childCount() != other.childCount() || className() != other.className()) {
    return false;
  }
  if (children_ == other.children_) return true;
  for (size_t i = 0; i < childCount(); ++i) {
    if (!child(i).sameIgnoringNullability(other.child(i))) return false;
  }
  return true;
}

std::string_view typeKindName(TypeKind kind) {
  switch (kind) {
    case TypeKind::NULL_TYPE: return "NULL";
    case TypeKind::BOOLEAN: return "BOOLEAN";
    case TypeKind::TINYINT: return "TINYINT";
    case TypeKind::SMALLINT: return "SMALLINT";
    case TypeKind::INTEGER: return "INT";
    case TypeKind::BIGINT: return "BIGINT";
    case TypeKind::FLOAT: return "FLOAT";
    case TypeKind::DOUBLE: return "DOUBLE";
    case TypeKind::DECIMAL: return "DECIMAL";
    case TypeKind::CHAR: return "CHAR";
    case TypeKind::VARCHAR: return "VARCHAR";
    case TypeKind::BINARY: return "BINARY";
    case TypeKind::VARBINARY: return "VARBINARY";
    case TypeKind::DATE: return "DATE";
    case TypeKind::TIME: return "TIME";
    case TypeKind::TIMESTAMP: return "TIMESTAMP";
    case TypeKind::TIMESTAMP_LTZ: return "TIMESTAMP_LTZ";
    case TypeKind::INTERVAL_YEAR_MONTH: return "INTERVAL MONTH";
    case TypeKind::INTERVAL_DAY_TIME: return "INTERVAL SECOND";
    case TypeKind::ARRAY: return "ARRAY";
    case TypeKind::MAP: return "MAP";
    case TypeKind::MULTISET: return "MULTISET";
    case TypeKind::ROW: return "ROW";
    case TypeKind::VARIANT: return "VARIANT";
    case TypeKind::BITMAP: return "BITMAP";
    case TypeKind::RAW: return "RAW";
    case TypeKind::SYMBOL: return "SYMBOL";
  }
  return "UNKNOWN";
}

}  // namespace thalweg
