#include "common/sql/parse/type_parser.h"

#include <limits>
#include <utility>

namespace thalweg::sql {
namespace {

constexpr int kLengthMax = std::numeric_limits<int>::max();
constexpr int kNestingWrapMax = 100;

struct PlainType {
  std::string_view word;
  TypeName name;
};
/// Types of one word that takes nothing in parentheses.
constexpr PlainType kPlainTypes[] = {
    {"BOOLEAN", TypeName::BOOLEAN}, {"TINYINT", TypeName::TINYINT}, {"SMALLINT", TypeName::SMALLINT},
    {"INT", TypeName::INT},         {"INTEGER", TypeName::INT},     {"BIGINT", TypeName::BIGINT},
    {"FLOAT", TypeName::FLOAT},     {"REAL", TypeName::FLOAT},      {"STRING", TypeName::STRING},
    {"BYTES", TypeName::BYTES},     {"DATE", TypeName::DATE},       {"VARIANT", TypeName::VARIANT},
    {"BITMAP", TypeName::BITMAP},
};

struct UnitWord {
  std::string_view singular, plural;
  TimeUnit unit;
};
constexpr UnitWord kIntervalUnits[] = {
    {"YEAR", "YEARS", TimeUnit::YEAR},       {"QUARTER", "QUARTERS", TimeUnit::QUARTER},
    {"MONTH", "MONTHS", TimeUnit::MONTH},    {"WEEK", "WEEKS", TimeUnit::WEEK},
    {"DAY", "DAYS", TimeUnit::DAY},          {"HOUR", "HOURS", TimeUnit::HOUR},
    {"MINUTE", "MINUTES", TimeUnit::MINUTE}, {"SECOND", "SECONDS", TimeUnit::SECOND},
};

/// Whether `start TO end` is an interval: YEAR TO MONTH, and from DAY on any finer unit.
bool isRange(TimeUnit start, TimeUnit end) {
  if (start == TimeUnit::YEAR) return end == TimeUnit::MONTH;
  return start >= TimeUnit::DAY && end > start && end <= TimeUnit::SECOND;
}

}  // namespace

Result<TypeSpec> TypeParser::parseNullable() {
  ASSIGN_OR_RETURN(TypeSpec type, parse());
  if (cursor_.acceptWords({"NOT", "NULL"})) {
    type.nullable = false;
  } else if (cursor_.accept("NULL")) {
    type.nullable = true;
  }
  return type;
}

Result<TypeSpec> TypeParser::parse() {
  NestingGuard guard(cursor_);
  RETURN_IF_ERROR(guard.status());
  const std::size_t start = cursor_.mark();
  ASSIGN_OR_RETURN(TypeSpec type, parseBase());
  type.position = cursor_.since(start);
  int wrapped = 0;
  while (cursor_.atAny({"ARRAY", "MULTISET"})) {
    if (++wrapped > kNestingWrapMax) return cursor_.unexpected("at most 100 times ARRAY or MULTISET");
    TypeSpec outer;
    outer.name = cursor_.at("ARRAY") ? TypeName::ARRAY : TypeName::MULTISET;
    cursor_.skip();
    outer.children.push_back(std::move(type));
    outer.position = cursor_.since(start);
    type = std::move(outer);
  }
  return type;
}

Result<TypeSpec> TypeParser::parseBase() {
  TypeSpec type;
  ASSIGN_OR_RETURN(const bool scalar, parseScalar(type));
  if (scalar) return type;
  ASSIGN_OR_RETURN(const bool constructed, parseConstructed(type));
  if (constructed) return type;
  if (!cursor_.atIdentifier()) return cursor_.unexpected("a type");
  ASSIGN_OR_RETURN(QualifiedName name, cursor_.expectQualifiedName("a type"));
  type.name = TypeName::NAMED;
  type.user_name = std::move(name);
  return type;
}

Result<bool> TypeParser::parseScalar(TypeSpec& type) {
  for (const PlainType& plain : kPlainTypes) {
    if (!cursor_.accept(plain.word)) continue;
    type.name = plain.name;
    return true;
  }
  Status status;
  if (cursor_.accept("CHAR") || cursor_.accept("CHARACTER")) {
    status = parseCharacter(type, TypeName::CHAR, TypeName::VARCHAR);
  } else if (cursor_.accept("BINARY")) {
    status = parseCharacter(type, TypeName::BINARY, TypeName::VARBINARY);
  } else if (cursor_.accept("VARCHAR")) {
    type.name = TypeName::VARCHAR;
    status = parsePrecision(type);
  } else if (cursor_.accept("VARBINARY")) {
    type.name = TypeName::VARBINARY;
    status = parsePrecision(type);
  } else if (cursor_.accept("DECIMAL") || cursor_.accept("DEC") || cursor_.accept("NUMERIC")) {
    status = parseDecimal(type);
  } else if (cursor_.accept("DOUBLE")) {
    cursor_.accept("PRECISION");
    type.name = TypeName::DOUBLE;
  } else if (cursor_.accept("TIME")) {
    status = parseTime(type);
  } else if (cursor_.accept("TIMESTAMP")) {
    status = parseTimestamp(type);
  } else if (cursor_.accept("TIMESTAMP_LTZ")) {
    type.name = TypeName::TIMESTAMP_LTZ;
    status = parsePrecision(type);
  } else if (cursor_.accept("INTERVAL")) {
    type.name = TypeName::INTERVAL;
    ASSIGN_OR_RETURN(type.interval, parseIntervalQualifier());
  } else {
    return false;
  }
  RETURN_IF_ERROR(status);
  return true;
}

Result<bool> TypeParser::parseConstructed(TypeSpec& type) {
  Status status;
  if (cursor_.at("ARRAY") && cursor_.atSymbol("<", 1)) {
    cursor_.skip();
    type.name = TypeName::ARRAY;
    status = parseChildren(type, 1);
  } else if (cursor_.at("MULTISET") && cursor_.atSymbol("<", 1)) {
    cursor_.skip();
    type.name = TypeName::MULTISET;
    status = parseChildren(type, 1);
  } else if (cursor_.at("MAP") && cursor_.atSymbol("<", 1)) {
    cursor_.skip();
    type.name = TypeName::MAP;
    status = parseChildren(type, 2);
  } else if (cursor_.accept("ROW")) {
    status = parseRow(type);
  } else if (cursor_.accept("STRUCTURED")) {
    status = parseStructured(type);
  } else if (cursor_.accept("RAW")) {
    status = parseRaw(type);
  } else if (cursor_.at("NULL") || (cursor_.at("DESCRIPTOR") && !cursor_.atSymbol(".", 1))) {
    type.name = cursor_.at("NULL") ? TypeName::NULL_TYPE : TypeName::DESCRIPTOR;
    cursor_.skip();
  } else {
    return false;
  }
  RETURN_IF_ERROR(status);
  return true;
}

Status TypeParser::parseCharacter(TypeSpec& type, TypeName fixed, TypeName varying) {
  type.name = cursor_.accept("VARYING") ? varying : fixed;
  return parsePrecision(type);
}

Status TypeParser::parsePrecision(TypeSpec& type) {
  if (!cursor_.acceptSymbol("(")) return Status::ok();
  ASSIGN_OR_RETURN(type.precision, cursor_.expectInteger("a length or precision", kLengthMax));
  return cursor_.expectSymbol(")");
}

Status TypeParser::parseDecimal(TypeSpec& type) {
  type.name = TypeName::DECIMAL;
  if (!cursor_.acceptSymbol("(")) return Status::ok();
  ASSIGN_OR_RETURN(type.precision, cursor_.expectInteger("a precision", kLengthMax));
  if (cursor_.acceptSymbol(",")) {
    ASSIGN_OR_RETURN(type.scale, cursor_.expectInteger("a scale", kLengthMax));
  }
  return cursor_.expectSymbol(")");
}

Status TypeParser::parseTime(TypeSpec& type) {
  type.name = TypeName::TIME;
  RETURN_IF_ERROR(parsePrecision(type));
  if (cursor_.accept("WITHOUT")) return cursor_.expectWords({"TIME", "ZONE"});
  return Status::ok();
}

Status TypeParser::parseTimestamp(TypeSpec& type) {
  type.name = TypeName::TIMESTAMP;
  RETURN_IF_ERROR(parsePrecision(type));
  if (cursor_.accept("WITHOUT")) return cursor_.expectWords({"TIME", "ZONE"});
  if (!cursor_.at("WITH")) return Status::ok();
  if (cursor_.atAny({"TIME"}, 1)) {
    return Status::parse(
        "TIMESTAMP WITH TIME ZONE is not supported; use TIMESTAMP WITH LOCAL TIME ZONE or TIMESTAMP_LTZ",
        cursor_.peek(1).position);
  }
  if (!cursor_.at("LOCAL", 1)) return Status::ok();
  cursor_.skip(2);
  type.name = TypeName::TIMESTAMP_LTZ;
  return cursor_.expectWords({"TIME", "ZONE"});
}

Status TypeParser::parseChildren(TypeSpec& type, std::size_t count) {
  RETURN_IF_ERROR(cursor_.expectSymbol("<"));
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) RETURN_IF_ERROR(cursor_.expectSymbol(","));
    ASSIGN_OR_RETURN(TypeSpec child, parseNullable());
    type.children.push_back(std::move(child));
  }
  return cursor_.expectSymbol(">");
}

Status TypeParser::parseRow(TypeSpec& type) {
  type.name = TypeName::ROW;
  if (cursor_.acceptSymbol("<>")) return Status::ok();
  const bool angle = cursor_.atSymbol("<");
  const std::string_view close = angle ? ">" : ")";
  RETURN_IF_ERROR(cursor_.expectSymbol(angle ? "<" : "("));
  if (cursor_.acceptSymbol(close)) return Status::ok();
  return parseFields(type, close);
}

Status TypeParser::parseStructured(TypeSpec& type) {
  type.name = TypeName::STRUCTURED;
  RETURN_IF_ERROR(cursor_.expectSymbol("<"));
  ASSIGN_OR_RETURN(type.class_name, cursor_.expectString("the class name of the structured type in quotes"));
  if (cursor_.acceptSymbol(">")) return Status::ok();
  RETURN_IF_ERROR(cursor_.expectSymbol(","));
  return parseFields(type, ">");
}

Status TypeParser::parseFields(TypeSpec& type, std::string_view close) {
  do {
    TypeField field;
    ASSIGN_OR_RETURN(field.name, cursor_.expectIdentifier("a field name"));
    ASSIGN_OR_RETURN(field.type, parseNullable());
    if (cursor_.peek().kind == TokenKind::STRING || cursor_.peek().kind == TokenKind::UNICODE_STRING) {
      ASSIGN_OR_RETURN(field.comment, cursor_.expectString("a comment"));
    }
    type.fields.push_back(std::move(field));
  } while (cursor_.acceptSymbol(","));
  return cursor_.expectSymbol(close);
}

Status TypeParser::parseRaw(TypeSpec& type) {
  type.name = TypeName::RAW;
  RETURN_IF_ERROR(cursor_.expectSymbol("("));
  ASSIGN_OR_RETURN(type.class_name, cursor_.expectString("the class name of the raw type in quotes"));
  RETURN_IF_ERROR(cursor_.expectSymbol(","));
  ASSIGN_OR_RETURN(type.serializer, cursor_.expectString("the serializer of the raw type in quotes"));
  return cursor_.expectSymbol(")");
}

std::optional<TimeUnit> TypeParser::acceptIntervalUnit() {
  for (const UnitWord& word : kIntervalUnits) {
    if (cursor_.accept(word.singular) || cursor_.accept(word.plural)) return word.unit;
  }
  return std::nullopt;
}

Result<IntervalQualifier> TypeParser::parseIntervalQualifier() {
  const std::size_t start = cursor_.mark();
  IntervalQualifier qualifier;
  const std::optional<TimeUnit> unit = acceptIntervalUnit();
  if (!unit) return cursor_.unexpected("a unit of time such as DAY or SECOND behind INTERVAL");
  qualifier.start = *unit;
  qualifier.end = *unit;
  if (cursor_.acceptSymbol("(")) {
    ASSIGN_OR_RETURN(qualifier.precision, cursor_.expectInteger("a precision", kLengthMax));
    if (*unit == TimeUnit::SECOND && cursor_.acceptSymbol(",")) {
      ASSIGN_OR_RETURN(qualifier.fractional_precision, cursor_.expectInteger("a precision", kLengthMax));
    }
    RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  }
  const std::size_t to = cursor_.mark();
  if (cursor_.accept("TO")) {
    const std::optional<TimeUnit> end = acceptIntervalUnit();
    if (!end || !isRange(*unit, *end)) {
      return Status::parse("expected YEAR TO MONTH, or DAY, HOUR or MINUTE TO a finer unit, behind INTERVAL",
                           cursor_.since(to));
    }
    qualifier.end = *end;
    if (*end == TimeUnit::SECOND && cursor_.acceptSymbol("(")) {
      ASSIGN_OR_RETURN(qualifier.fractional_precision, cursor_.expectInteger("a precision", kLengthMax));
      RETURN_IF_ERROR(cursor_.expectSymbol(")"));
    }
  }
  qualifier.position = cursor_.since(start);
  return qualifier;
}

}  // namespace thalweg::sql
