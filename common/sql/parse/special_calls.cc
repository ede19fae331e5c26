// Calls with a syntax of their own, as members of CallParser. Each is entered behind `(`.
#include <array>

#include "common/sql/parse/call_parser.h"
#include "common/sql/parse/expression_parser.h"
#include "common/sql/parse/keywords.h"
#include "common/sql/parse/literal_text.h"
#include "common/sql/parse/node.h"

namespace thalweg::sql {
namespace {

struct UnitName {
  std::string_view word;
  TimeUnit unit;
};
constexpr UnitName kUnits[] = {
    {"YEAR", TimeUnit::YEAR},
    {"QUARTER", TimeUnit::QUARTER},
    {"MONTH", TimeUnit::MONTH},
    {"WEEK", TimeUnit::WEEK},
    {"DAY", TimeUnit::DAY},
    {"HOUR", TimeUnit::HOUR},
    {"MINUTE", TimeUnit::MINUTE},
    {"SECOND", TimeUnit::SECOND},
    {"MILLISECOND", TimeUnit::MILLISECOND},
    {"MICROSECOND", TimeUnit::MICROSECOND},
    {"NANOSECOND", TimeUnit::NANOSECOND},
    {"DOW", TimeUnit::DOW},
    {"DAYOFWEEK", TimeUnit::DOW},
    {"DOY", TimeUnit::DOY},
    {"DAYOFYEAR", TimeUnit::DOY},
    {"ISODOW", TimeUnit::ISODOW},
    {"ISOYEAR", TimeUnit::ISOYEAR},
    {"EPOCH", TimeUnit::EPOCH},
    {"DECADE", TimeUnit::DECADE},
    {"CENTURY", TimeUnit::CENTURY},
    {"MILLENNIUM", TimeUnit::MILLENNIUM},
    {"FRAC_SECOND", TimeUnit::MICROSECOND},
    {"SQL_TSI_FRAC_SECOND", TimeUnit::NANOSECOND},
    {"SQL_TSI_YEAR", TimeUnit::YEAR},
    {"SQL_TSI_QUARTER", TimeUnit::QUARTER},
    {"SQL_TSI_MONTH", TimeUnit::MONTH},
    {"SQL_TSI_WEEK", TimeUnit::WEEK},
    {"SQL_TSI_DAY", TimeUnit::DAY},
    {"SQL_TSI_HOUR", TimeUnit::HOUR},
    {"SQL_TSI_MINUTE", TimeUnit::MINUTE},
    {"SQL_TSI_SECOND", TimeUnit::SECOND},
    {"SQL_TSI_MICROSECOND", TimeUnit::MICROSECOND},
};

}  // namespace

CallParser::Special CallParser::specialSyntax() const {
  struct Entry {
    std::string_view word;
    Special parse;
  };
  static constexpr Entry kEntries[] = {
      {"EXTRACT", &CallParser::parseExtract},
      {"FLOOR", &CallParser::parseRounding},
      {"CEIL", &CallParser::parseRounding},
      {"CEILING", &CallParser::parseRounding},
      {"TRIM", &CallParser::parseTrim},
      {"SUBSTRING", &CallParser::parseSubstring},
      {"OVERLAY", &CallParser::parseOverlay},
      {"POSITION", &CallParser::parsePosition},
      {"TIMESTAMPADD", &CallParser::parseTimestampArithmetic},
      {"TIMESTAMPDIFF", &CallParser::parseTimestampArithmetic},
      {"CONVERT", &CallParser::parseConvert},
      {"TRANSLATE", &CallParser::parseConvert},
      {"DESCRIPTOR", &CallParser::parseDescriptor},
      {"JSON_VALUE", &CallParser::parseJson},
      {"JSON_QUERY", &CallParser::parseJson},
      {"JSON_EXISTS", &CallParser::parseJson},
      {"JSON_OBJECT", &CallParser::parseJson},
      {"JSON_ARRAY", &CallParser::parseJson},
      {"JSON_OBJECTAGG", &CallParser::parseJson},
      {"JSON_ARRAYAGG", &CallParser::parseJson},
  };
  for (const Entry& entry : kEntries) {
    if (cursor_.at(entry.word)) return entry.parse;
  }
  return nullptr;
}

Status CallParser::addExpression(FunctionCall& call) {
  ASSIGN_OR_RETURN(ExprPtr expr, ExpressionParser(cursor_).parse());
  call.args.push_back(std::move(expr));
  return Status::ok();
}

Result<ExprPtr> CallParser::symbol(std::size_t start, std::string text) {
  auto node = std::make_shared<Symbol>();
  node->text = std::move(text);
  return sealExpr(cursor_, start, node);
}

Result<ExprPtr> CallParser::parseUnit() {
  const std::size_t start = cursor_.mark();
  const Token& token = cursor_.peek();
  if (token.kind != TokenKind::WORD && token.kind != TokenKind::QUOTED_IDENTIFIER) {
    return cursor_.unexpected("a unit of time such as DAY");
  }
  ASSIGN_OR_RETURN(const std::string word, decodeIdentifier(token));
  auto node = std::make_shared<Symbol>();
  node->text = upperAscii(word);
  for (const UnitName& unit : kUnits) {
    if (unit.word != node->text) continue;
    node->unit = unit.unit;
    node->text = timeUnitName(unit.unit);
    break;
  }
  cursor_.skip();
  if (node->unit == TimeUnit::WEEK && cursor_.acceptSymbol("(")) {  // WEEK(MONDAY): weeks that begin on a Monday
    node->text += "(" + upperAscii(cursor_.peek().text) + ")";
    node->unit.reset();
    cursor_.skip();
    RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  }
  return sealExpr(cursor_, start, node);
}

Result<ExprPtr> CallParser::parseExtract(CallPtr call, std::size_t start) {
  ASSIGN_OR_RETURN(ExprPtr unit, parseUnit());
  call->args.push_back(std::move(unit));
  RETURN_IF_ERROR(cursor_.expect("FROM"));
  RETURN_IF_ERROR(addExpression(*call));
  return close(std::move(call), start);
}

Result<ExprPtr> CallParser::parseRounding(CallPtr call, std::size_t start) {
  if (equalsWord(call->name.last(), "CEILING")) call->name.parts[0].text = "CEIL";
  RETURN_IF_ERROR(addExpression(*call));
  if (cursor_.accept("TO")) {
    ASSIGN_OR_RETURN(ExprPtr unit, parseUnit());
    call->args.push_back(std::move(unit));
  }
  return close(std::move(call), start);
}

Result<ExprPtr> CallParser::parseTrim(CallPtr call, std::size_t start) {
  const std::size_t side_start = cursor_.mark();
  std::string side = "BOTH";
  const bool written = cursor_.atAny({"BOTH", "LEADING", "TRAILING"});
  if (written) {
    side = upperAscii(cursor_.peek().text);
    cursor_.skip();
  }
  ExprPtr first;
  if (!written || !cursor_.at("FROM")) {
    ASSIGN_OR_RETURN(first, ExpressionParser(cursor_).parse());
  }
  ExprPtr text = first;
  if (cursor_.accept("FROM")) {
    ASSIGN_OR_RETURN(text, ExpressionParser(cursor_).parse());
  } else {
    first = nullptr;
  }
  if (first == nullptr) {
    auto blank = std::make_shared<Literal>();
    blank->literal = LiteralKind::STRING;
    blank->text = " ";
    ASSIGN_OR_RETURN(first, sealExpr(cursor_, side_start, blank));
  }
  ASSIGN_OR_RETURN(ExprPtr side_symbol, symbol(side_start, std::move(side)));
  call->args = {std::move(side_symbol), std::move(first), std::move(text)};
  return close(std::move(call), start);
}

Result<ExprPtr> CallParser::parseSubstring(CallPtr call, std::size_t start) {
  RETURN_IF_ERROR(addExpression(*call));
  if (!cursor_.accept("FROM")) RETURN_IF_ERROR(cursor_.expectSymbol(","));
  RETURN_IF_ERROR(addExpression(*call));
  if (cursor_.accept("FOR") || cursor_.acceptSymbol(",")) RETURN_IF_ERROR(addExpression(*call));
  return close(std::move(call), start);
}

Result<ExprPtr> CallParser::parseOverlay(CallPtr call, std::size_t start) {
  RETURN_IF_ERROR(addExpression(*call));
  RETURN_IF_ERROR(cursor_.expect("PLACING"));
  RETURN_IF_ERROR(addExpression(*call));
  RETURN_IF_ERROR(cursor_.expect("FROM"));
  RETURN_IF_ERROR(addExpression(*call));
  if (cursor_.accept("FOR")) RETURN_IF_ERROR(addExpression(*call));
  return close(std::move(call), start);
}

Result<ExprPtr> CallParser::parsePosition(CallPtr call, std::size_t start) {
  ASSIGN_OR_RETURN(ExprPtr sought, ExpressionParser(cursor_).parseBeforeIn());
  call->args.push_back(std::move(sought));
  RETURN_IF_ERROR(cursor_.expect("IN"));
  RETURN_IF_ERROR(addExpression(*call));
  if (cursor_.accept("FROM")) RETURN_IF_ERROR(addExpression(*call));
  return close(std::move(call), start);
}

Result<ExprPtr> CallParser::parseTimestampArithmetic(CallPtr call, std::size_t start) {
  ASSIGN_OR_RETURN(ExprPtr unit, parseUnit());
  call->args.push_back(std::move(unit));
  RETURN_IF_ERROR(cursor_.expectSymbol(","));
  RETURN_IF_ERROR(addExpression(*call));
  RETURN_IF_ERROR(cursor_.expectSymbol(","));
  RETURN_IF_ERROR(addExpression(*call));
  return close(std::move(call), start);
}

Result<ExprPtr> CallParser::parseConvert(CallPtr call, std::size_t start) {
  RETURN_IF_ERROR(addExpression(*call));
  if (cursor_.accept("USING")) {
    const std::size_t charset_start = cursor_.mark();
    ASSIGN_OR_RETURN(const Identifier charset, cursor_.expectIdentifier("a character set"));
    ASSIGN_OR_RETURN(ExprPtr charset_symbol, symbol(charset_start, upperAscii(charset.text)));
    call->args.push_back(std::move(charset_symbol));
    return close(std::move(call), start);
  }
  while (cursor_.acceptSymbol(",")) RETURN_IF_ERROR(addExpression(*call));
  return close(std::move(call), start);
}

Result<ExprPtr> CallParser::parseDescriptor(CallPtr call, std::size_t start) {
  auto node = std::make_shared<Descriptor>();
  if (!cursor_.atSymbol(")")) {
    do {
      ASSIGN_OR_RETURN(Identifier column, cursor_.expectIdentifier("a column's name in DESCRIPTOR"));
      node->columns.push_back(std::move(column));
    } while (cursor_.acceptSymbol(","));
  }
  call.reset();
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return sealExpr(cursor_, start, node);
}

}  // namespace thalweg::sql
