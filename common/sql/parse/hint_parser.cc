#include "common/sql/parse/hint_parser.h"

namespace thalweg::sql {

Result<std::vector<Hint>> HintParser::parseOptional() {
  std::vector<Hint> hints;
  if (cursor_.peek().kind != TokenKind::HINT_START) return hints;
  cursor_.skip();
  do {
    ASSIGN_OR_RETURN(Hint hint, parseHint());
    hints.push_back(std::move(hint));
  } while (cursor_.acceptSymbol(","));
  if (cursor_.peek().kind != TokenKind::HINT_END) return cursor_.unexpected("',' or */ behind a hint");
  cursor_.skip();
  return hints;
}

Result<Hint> HintParser::parseHint() {
  const std::size_t start = cursor_.mark();
  Hint hint;
  ASSIGN_OR_RETURN(hint.name, cursor_.expectIdentifier("a hint's name"));
  if (cursor_.acceptSymbol("(") && !cursor_.acceptSymbol(")")) {
    do {
      ASSIGN_OR_RETURN(HintArgument argument, parseArgument());
      hint.arguments.push_back(std::move(argument));
    } while (cursor_.acceptSymbol(","));
    RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  }
  hint.position = cursor_.since(start);
  return hint;
}

Result<HintArgument> HintParser::parseArgument() {
  const std::size_t start = cursor_.mark();
  HintArgument argument;
  if (cursor_.peek().kind == TokenKind::INTEGER || cursor_.peek().kind == TokenKind::DECIMAL) {
    argument.value = cursor_.peek().text;
    argument.is_number = true;
    cursor_.skip();
  } else if (cursor_.atIdentifier()) {
    ASSIGN_OR_RETURN(Identifier name, cursor_.expectIdentifier("a hint's argument"));
    argument.value = std::move(name.text);
    argument.is_name = true;
  } else {
    ASSIGN_OR_RETURN(argument.value, cursor_.expectString("a hint's argument"));
  }
  if (cursor_.acceptSymbol("=")) {
    argument.key = std::move(argument.value);
    ASSIGN_OR_RETURN(argument.value, cursor_.expectString("the value of a hint's option in quotes"));
  }
  argument.position = cursor_.since(start);
  return argument;
}

}  // namespace thalweg::sql
