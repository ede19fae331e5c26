#include "client/api/table/expression_tree.h"

#include "client/api/thalweg/exception.h"
#include "common/sql/parser.h"
#include "common/sql/unparser.h"
#include "common/types/dates/datetime_text.h"
#include "common/types/decimal_text.h"
#include "common/types/java_text.h"

namespace thalweg::api {
namespace {

sql::ExprPtr textLiteral(sql::LiteralKind kind, std::string text) {
  auto literal = std::make_shared<sql::Literal>();
  literal->literal = kind;
  literal->text = std::move(text);
  return literal;
}

template <typename Constructor>
sql::ExprPtr collectionNode(sql::CollectionKind kind, std::vector<sql::ExprPtr> elements) {
  auto node = std::make_shared<Constructor>();
  node->collection = kind;
  node->elements = std::move(elements);
  return node;
}

std::string hexText(const std::string& bytes) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  for (const char c : bytes) {
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

std::string doubleLiteral(double value) {
  std::string text = doubleText(value);
  return text.find('E') == std::string::npos ? text + "E0" : text;
}

sql::ExprPtr plainLiteral(const Value& value, const DataType& type) {
  switch (type.kind()) {
    case TypeKind::BOOLEAN: return textLiteral(sql::LiteralKind::BOOLEAN, value.asBool() ? "TRUE" : "FALSE");
    case TypeKind::TINYINT: case TypeKind::SMALLINT: case TypeKind::INTEGER: case TypeKind::BIGINT: return integerNode(value.asInt());
    case TypeKind::FLOAT: case TypeKind::DOUBLE: return textLiteral(sql::LiteralKind::APPROXIMATE, doubleLiteral(value.asDouble()));
    case TypeKind::DECIMAL: return textLiteral(sql::LiteralKind::DECIMAL, decimalText(value.asDecimal(), type.scale()));
    case TypeKind::CHAR: case TypeKind::VARCHAR: return stringNode(value.asString());
    case TypeKind::BINARY: case TypeKind::VARBINARY: return textLiteral(sql::LiteralKind::BINARY, hexText(value.asString()));
    case TypeKind::DATE: return textLiteral(sql::LiteralKind::DATE, dateTimeText(writeDate, static_cast<int32_t>(value.asInt())));
    case TypeKind::TIME: return textLiteral(sql::LiteralKind::TIME, dateTimeText(writeTime, static_cast<int32_t>(value.asInt()), 3));
    case TypeKind::TIMESTAMP: return textLiteral(sql::LiteralKind::TIMESTAMP, dateTimeText(writeTimestamp, value.asTimestamp(), 0));
    case TypeKind::TIMESTAMP_LTZ: return callNode("TO_TIMESTAMP_LTZ", {integerNode(value.asTimestamp().millis), integerNode(3)});
    case TypeKind::INTERVAL_DAY_TIME: return intervalNode(value.asInt(), sql::TimeUnit::MILLISECOND);
    case TypeKind::INTERVAL_YEAR_MONTH: return intervalNode(value.asInt(), sql::TimeUnit::MONTH);
    case TypeKind::ARRAY: {
      std::vector<sql::ExprPtr> elements;
      for (const Value& element : value.asList()) elements.push_back(literalNode(element, type.child(0)));
      return collectionNode<sql::CollectionConstructor>(sql::CollectionKind::ARRAY, std::move(elements));
    }
    case TypeKind::MAP: {
      std::vector<sql::ExprPtr> elements;
      for (const auto& [key, mapped] : value.asMap()) {
        elements.push_back(literalNode(key, type.child(0)));
        elements.push_back(literalNode(mapped, type.child(1)));
      }
      return collectionNode<sql::CollectionConstructor>(sql::CollectionKind::MAP, std::move(elements));
    }
    case TypeKind::ROW: {
      auto row = std::make_shared<sql::RowConstructor>();
      row->explicit_row = true;
      for (size_t i = 0; i < type.childCount(); ++i) row->fields.push_back(literalNode(value.asRow()[i], type.child(i)));
      return row;
    }
    default: throw ValidationException("a constant of type " + type.toString() + " cannot be written into an expression");
  }
}

/// Whether a literal of SQL has that type by itself.
bool typesItself(const Value& value, const DataType& type) {
  switch (type.kind()) {
    case TypeKind::TINYINT: case TypeKind::SMALLINT: case TypeKind::FLOAT: return false;
    case TypeKind::BIGINT: return value.asInt() > INT32_MAX || value.asInt() < INT32_MIN;
    default: return true;
  }
}

}  // namespace

sql::ExprPtr columnNode(std::vector<std::string> path) {
  auto node = std::make_shared<sql::ColumnRef>();
  node->name = qualifiedName(std::move(path));
  return node;
}

sql::ExprPtr callNode(std::string_view function, std::vector<sql::ExprPtr> args) {
  auto node = std::make_shared<sql::FunctionCall>();
  node->name = qualifiedName({std::string(function)});
  node->args = std::move(args);
  return node;
}

sql::ExprPtr operatorNode(std::string_view op, std::vector<sql::ExprPtr> operands) {
  auto node = std::make_shared<sql::OperatorCall>();
  node->op = op;
  node->operands = std::move(operands);
  return node;
}

sql::ExprPtr integerNode(int64_t value) { return textLiteral(sql::LiteralKind::INTEGER, std::to_string(value)); }
sql::ExprPtr stringNode(std::string text) { return textLiteral(sql::LiteralKind::STRING, std::move(text)); }

sql::ExprPtr intervalNode(int64_t amount, sql::TimeUnit unit) {
  auto node = std::make_shared<sql::IntervalLiteral>();
  node->negative = amount < 0;
  std::string digits = std::to_string(amount < 0 ? -amount : amount);
  if (unit == sql::TimeUnit::MILLISECOND) {
    // Seconds with three digits behind the point.
    digits.insert(0, digits.size() < 4 ? 4 - digits.size() : 0, '0');
    digits.insert(digits.size() - 3, ".");
    unit = sql::TimeUnit::SECOND;
    node->qualifier.fractional_precision = 3;
  } else if (unit == sql::TimeUnit::WEEK) {
    digits = std::to_string((amount < 0 ? -amount : amount) * 7);
    unit = sql::TimeUnit::DAY;
  } else if (unit == sql::TimeUnit::QUARTER) {
    digits = std::to_string((amount < 0 ? -amount : amount) * 3);
    unit = sql::TimeUnit::MONTH;
  }
  node->qualifier.start = node->qualifier.end = unit;
  node->qualifier.precision = static_cast<int>(std::min(digits.find('.'), digits.size()));
  node->text = std::move(digits);
  return node;
}

sql::ExprPtr castNode(sql::ExprPtr operand, const DataType& type, bool is_try) {
  auto node = std::make_shared<sql::Cast>();
  node->operand = std::move(operand);
  // A CAST's target says nothing of NULL.
  node->type = valueOrThrow(sql::parseType(type.asNullable().toString()));
  node->is_try = is_try;
  return node;
}

sql::ExprPtr literalNode(const Value& value, const DataType& type) {
  if (value.isNull()) {
    sql::ExprPtr null = textLiteral(sql::LiteralKind::NULL_VALUE, "NULL");
    return type.isNull() ? null : castNode(std::move(null), type, false);
  }
  sql::ExprPtr literal = plainLiteral(value, type);
  return typesItself(value, type) ? literal : castNode(std::move(literal), type, false);
}

const sql::FunctionCall* asCall(const sql::Expr& expr, std::string_view name) {
  const auto* call = sql::tryAs<sql::FunctionCall>(expr);
  return call && call->name.isSimple() && call->name.last() == name ? call : nullptr;
}

std::string columnNameOf(const sql::Expr& expr) {
  const auto* ref = sql::tryAs<sql::ColumnRef>(expr);
  return ref && ref->name.isSimple() ? ref->name.last() : std::string();
}

}  // namespace thalweg::api
