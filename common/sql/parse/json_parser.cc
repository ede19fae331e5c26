#include "common/sql/parse/json_parser.h"

#include "common/sql/parse/call_parser.h"
#include "common/sql/parse/expression_parser.h"
#include "common/sql/parse/keywords.h"
#include "common/sql/parse/type_parser.h"
#include "common/sql/parse/window_parser.h"

namespace thalweg::sql {

Result<ExprPtr> CallParser::parseJson(CallPtr call, std::size_t start) {
  RETURN_IF_ERROR(JsonParser(cursor_).parseInto(*call));
  return close(std::move(call), start);
}

Status JsonParser::parseInto(FunctionCall& call) {
  auto clauses = std::make_shared<JsonClauses>();
  const std::string name = upperAscii(call.name.last());
  Status status;
  if (name == "JSON_OBJECT" || name == "JSON_OBJECTAGG") {
    clauses->nulls = JsonNulls::NULL_ON_NULL;
    if (!acceptNulls(*clauses) && !cursor_.atSymbol(")")) status = parsePairs(call, name == "JSON_OBJECTAGG");
    acceptNulls(*clauses);
  } else if (name == "JSON_ARRAY" || name == "JSON_ARRAYAGG") {
    clauses->nulls = JsonNulls::ABSENT_ON_NULL;
    if (!acceptNulls(*clauses) && !cursor_.atSymbol(")")) status = parseElements(call);
    RETURN_IF_ERROR(status);
    ASSIGN_OR_RETURN(call.order_by, WindowParser(cursor_).parseOptionalOrderBy());
    acceptNulls(*clauses);
  } else {
    status = parsePathCall(call, *clauses);
  }
  call.json = std::move(clauses);
  return status;
}

Status JsonParser::addExpression(FunctionCall& call) {
  ASSIGN_OR_RETURN(ExprPtr expr, ExpressionParser(cursor_).parse());
  call.args.push_back(std::move(expr));
  return Status::ok();
}

bool JsonParser::acceptNulls(JsonClauses& clauses) {
  if (cursor_.acceptWords({"NULL", "ON", "NULL"})) {
    clauses.nulls = JsonNulls::NULL_ON_NULL;
    return true;
  }
  if (cursor_.acceptWords({"ABSENT", "ON", "NULL"})) {
    clauses.nulls = JsonNulls::ABSENT_ON_NULL;
    return true;
  }
  return false;
}

Status JsonParser::parsePathCall(FunctionCall& call, JsonClauses& clauses) {
  RETURN_IF_ERROR(addExpression(call));
  RETURN_IF_ERROR(cursor_.expectSymbol(","));
  RETURN_IF_ERROR(addExpression(call));
  if (equalsWord(call.name.last(), "JSON_VALUE")) return parseValue(clauses);
  if (equalsWord(call.name.last(), "JSON_QUERY")) return parseQuery(clauses);
  return parseExists(clauses);
}

Status JsonParser::parseValue(JsonClauses& clauses) {
  if (cursor_.accept("RETURNING")) {
    ASSIGN_OR_RETURN(clauses.returning, TypeParser(cursor_).parse());
  }
  return parseReactions(clauses);
}

Status JsonParser::parseQuery(JsonClauses& clauses) {
  clauses.wrapper = JsonWrapper::WITHOUT;
  clauses.on_empty.behavior = JsonBehavior::NULL_VALUE;
  clauses.on_error.behavior = JsonBehavior::NULL_VALUE;
  if (cursor_.accept("RETURNING")) {
    ASSIGN_OR_RETURN(clauses.returning, TypeParser(cursor_).parse());
  }
  RETURN_IF_ERROR(parseWrapper(clauses));
  return parseReactions(clauses);
}

Status JsonParser::parseExists(JsonClauses& clauses) {
  if (!atReaction()) return Status::ok();
  ASSIGN_OR_RETURN(clauses.on_error, parseReaction());
  return cursor_.expectWords({"ON", "ERROR"});
}

Status JsonParser::parseWrapper(JsonClauses& clauses) {
  if (cursor_.accept("WITHOUT")) {
    clauses.wrapper = JsonWrapper::WITHOUT;
  } else if (cursor_.accept("WITH")) {
    const bool conditional = cursor_.accept("CONDITIONAL");
    if (!conditional) cursor_.accept("UNCONDITIONAL");
    clauses.wrapper = conditional ? JsonWrapper::CONDITIONAL : JsonWrapper::UNCONDITIONAL;
  } else {
    return Status::ok();
  }
  cursor_.accept("ARRAY");
  return cursor_.expect("WRAPPER");
}

bool JsonParser::atReaction() const {
  return cursor_.atAny({"NULL", "ERROR", "DEFAULT", "EMPTY", "TRUE", "FALSE", "UNKNOWN"});
}

Status JsonParser::parseReactions(JsonClauses& clauses) {
  while (atReaction()) {
    ASSIGN_OR_RETURN(JsonReaction reaction, parseReaction());
    RETURN_IF_ERROR(cursor_.expect("ON"));
    if (cursor_.accept("EMPTY")) {
      clauses.on_empty = std::move(reaction);
    } else if (cursor_.accept("ERROR")) {
      clauses.on_error = std::move(reaction);
    } else {
      return cursor_.unexpectedWord("EMPTY or ERROR behind ON", {"EMPTY", "ERROR"});
    }
  }
  return Status::ok();
}

Result<JsonReaction> JsonParser::parseReaction() {
  JsonReaction reaction;
  if (cursor_.accept("NULL")) {
    reaction.behavior = JsonBehavior::NULL_VALUE;
  } else if (cursor_.accept("ERROR")) {
    reaction.behavior = JsonBehavior::ERROR;
  } else if (cursor_.accept("TRUE")) {
    reaction.behavior = JsonBehavior::TRUE;
  } else if (cursor_.accept("FALSE")) {
    reaction.behavior = JsonBehavior::FALSE;
  } else if (cursor_.accept("UNKNOWN")) {
    reaction.behavior = JsonBehavior::UNKNOWN;
  } else if (cursor_.accept("EMPTY")) {
    reaction.behavior = JsonBehavior::EMPTY;
    if (cursor_.accept("ARRAY")) reaction.behavior = JsonBehavior::EMPTY_ARRAY;
    if (cursor_.accept("OBJECT")) reaction.behavior = JsonBehavior::EMPTY_OBJECT;
  } else {
    RETURN_IF_ERROR(cursor_.expect("DEFAULT"));
    reaction.behavior = JsonBehavior::DEFAULT;
    ASSIGN_OR_RETURN(reaction.default_value, ExpressionParser(cursor_).parse());
  }
  return reaction;
}

Status JsonParser::parsePairs(FunctionCall& call, bool only_one) {
  do {
    RETURN_IF_ERROR(parsePair(call));
  } while (!only_one && cursor_.acceptSymbol(","));
  return Status::ok();
}

/// `[KEY] key VALUE value`, `key : value`.
Status JsonParser::parsePair(FunctionCall& call) {
  const bool is_column = cursor_.at("VALUE", 1) || cursor_.atSymbol(":", 1) || cursor_.atSymbol(".", 1);
  if (cursor_.at("KEY") && !is_column) cursor_.skip();
  RETURN_IF_ERROR(addExpression(call));
  if (!cursor_.accept("VALUE") && !cursor_.acceptSymbol(":")) return cursor_.unexpected("VALUE behind the key");
  return addExpression(call);
}

Status JsonParser::parseElements(FunctionCall& call) {
  do {
    RETURN_IF_ERROR(addExpression(call));
  } while (cursor_.acceptSymbol(","));
  return Status::ok();
}

}  // namespace thalweg::sql
