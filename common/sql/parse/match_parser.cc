#include "common/sql/parse/match_parser.h"

#include <limits>

#include "common/sql/parse/expression_parser.h"
#include "common/sql/parse/window_parser.h"

namespace thalweg::sql {

Result<std::shared_ptr<MatchRecognize>> MatchParser::parse(TableRefPtr input) {
  auto match = std::make_shared<MatchRecognize>();
  match->input = std::move(input);
  cursor_.skip();
  RETURN_IF_ERROR(cursor_.expectSymbol("("));
  if (cursor_.acceptWords({"PARTITION", "BY"})) {
    ASSIGN_OR_RETURN(match->partition_by, ExpressionParser(cursor_).parseList());
  }
  ASSIGN_OR_RETURN(match->order_by, WindowParser(cursor_).parseOptionalOrderBy());
  if (cursor_.accept("MEASURES")) RETURN_IF_ERROR(parseMeasures(*match));
  RETURN_IF_ERROR(parseRowsPerMatch(*match));
  if (cursor_.accept("AFTER")) RETURN_IF_ERROR(parseAfterMatch(*match));
  if (!cursor_.at("PATTERN")) {
    return cursor_.unexpectedWord(
        "PATTERN in MATCH_RECOGNIZE (behind PARTITION BY, ORDER BY, MEASURES, ONE ROW PER MATCH "
        "and AFTER MATCH, in this order)",
        {"PARTITION", "ORDER", "MEASURES", "ONE", "AFTER", "PATTERN"});
  }
  RETURN_IF_ERROR(parsePatternClause(*match));
  if (cursor_.accept("WITHIN")) RETURN_IF_ERROR(parseWithin(*match));
  if (cursor_.accept("SUBSET")) RETURN_IF_ERROR(parseSubsets(*match));
  RETURN_IF_ERROR(cursor_.expect("DEFINE"));
  RETURN_IF_ERROR(parseDefinitions(*match));
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return match;
}

Status MatchParser::parseMeasures(MatchRecognize& match) {
  do {
    const std::size_t start = cursor_.mark();
    SelectItem measure;
    ASSIGN_OR_RETURN(measure.expr, ExpressionParser(cursor_).parse());
    RETURN_IF_ERROR(cursor_.expect("AS"));
    ASSIGN_OR_RETURN(measure.alias, cursor_.expectIdentifier("a measure's name behind AS"));
    measure.position = cursor_.since(start);
    match.measures.push_back(std::move(measure));
  } while (cursor_.acceptSymbol(","));
  return Status::ok();
}

Status MatchParser::parseRowsPerMatch(MatchRecognize& match) {
  if (cursor_.accept("ONE")) {
    match.rows_per_match = RowsPerMatch::ONE_ROW;
    return cursor_.expectWords({"ROW", "PER", "MATCH"});
  }
  if (cursor_.accept("ALL")) {
    match.rows_per_match = RowsPerMatch::ALL_ROWS;
    return cursor_.expectWords({"ROWS", "PER", "MATCH"});
  }
  return Status::ok();
}

Status MatchParser::parseAfterMatch(MatchRecognize& match) {
  RETURN_IF_ERROR(cursor_.expectWords({"MATCH", "SKIP"}));
  if (cursor_.accept("PAST")) {
    match.after_match = AfterMatch::PAST_LAST_ROW;
    return cursor_.expectWords({"LAST", "ROW"});
  }
  RETURN_IF_ERROR(cursor_.expect("TO"));
  if (cursor_.acceptWords({"NEXT", "ROW"})) {
    match.after_match = AfterMatch::TO_NEXT_ROW;
    return Status::ok();
  }
  // FIRST and LAST may be variables, too: SKIP TO first
  const bool first = cursor_.at("FIRST") && cursor_.atIdentifier(1);
  match.after_match = first ? AfterMatch::TO_FIRST : AfterMatch::TO_LAST;
  if (first || (cursor_.at("LAST") && cursor_.atIdentifier(1))) cursor_.skip();
  ASSIGN_OR_RETURN(match.after_match_variable, cursor_.expectIdentifier("a pattern variable"));
  return Status::ok();
}

Status MatchParser::parsePatternClause(MatchRecognize& match) {
  cursor_.skip();
  RETURN_IF_ERROR(cursor_.expectSymbol("("));
  match.starts_at_first = cursor_.acceptSymbol("^");
  ASSIGN_OR_RETURN(match.pattern, parseAlternatives());
  match.ends_at_last = cursor_.accept("$");
  return cursor_.expectSymbol(")");
}

Status MatchParser::parseWithin(MatchRecognize& match) {
  if (!cursor_.at("INTERVAL")) return cursor_.unexpected("INTERVAL behind WITHIN");
  ASSIGN_OR_RETURN(match.within, ExpressionParser(cursor_).parse());
  return Status::ok();
}

Status MatchParser::parseSubsets(MatchRecognize& match) {
  do {
    PatternSubset subset;
    ASSIGN_OR_RETURN(subset.name, cursor_.expectIdentifier("the name of a subset"));
    RETURN_IF_ERROR(cursor_.expectSymbol("="));
    ASSIGN_OR_RETURN(subset.variables, cursor_.expectIdentifierList("a pattern variable"));
    match.subsets.push_back(std::move(subset));
  } while (cursor_.acceptSymbol(","));
  return Status::ok();
}

Status MatchParser::parseDefinitions(MatchRecognize& match) {
  do {
    PatternDefinition definition;
    ASSIGN_OR_RETURN(definition.variable, cursor_.expectIdentifier("a pattern variable"));
    RETURN_IF_ERROR(cursor_.expect("AS"));
    ASSIGN_OR_RETURN(definition.condition, ExpressionParser(cursor_).parse());
    match.definitions.push_back(std::move(definition));
  } while (cursor_.acceptSymbol(","));
  return Status::ok();
}

// --- row patterns ------------------------------------------------------------------------------------

Result<Pattern> MatchParser::parseAlternatives() {
  NestingGuard guard(cursor_);
  RETURN_IF_ERROR(guard.status());
  const std::size_t start = cursor_.mark();
  Pattern alternatives;
  alternatives.kind = PatternKind::ALTERNATE;
  do {
    ASSIGN_OR_RETURN(Pattern sequence, parseSequence());
    alternatives.items.push_back(std::move(sequence));
  } while (cursor_.acceptSymbol("|"));
  if (alternatives.items.size() == 1) {
    Pattern only = std::move(alternatives.items[0]);
    return only;
  }
  alternatives.position = cursor_.since(start);
  return alternatives;
}

bool MatchParser::atPrimaryPattern() const {
  if (cursor_.at("$")) return false;
  return cursor_.atIdentifier() || cursor_.at("PERMUTE") || cursor_.atSymbol("(") || cursor_.atSymbol("{");
}

Result<Pattern> MatchParser::parseSequence() {
  const std::size_t start = cursor_.mark();
  Pattern sequence;
  sequence.kind = PatternKind::CONCAT;
  do {
    ASSIGN_OR_RETURN(Pattern item, parseQuantifiedPattern());
    sequence.items.push_back(std::move(item));
  } while (atPrimaryPattern());
  if (sequence.items.size() == 1) {
    Pattern only = std::move(sequence.items[0]);
    return only;
  }
  sequence.position = cursor_.since(start);
  return sequence;
}

Result<Pattern> MatchParser::parseQuantifiedPattern() {
  const std::size_t start = cursor_.mark();
  ASSIGN_OR_RETURN(Pattern primary, parsePrimaryPattern());
  Pattern quantified;
  quantified.kind = PatternKind::QUANTIFIED;
  ASSIGN_OR_RETURN(const bool found, parseQuantifier(quantified));
  if (!found) return primary;
  quantified.reluctant = cursor_.acceptSymbol("?");
  quantified.items.push_back(std::move(primary));
  quantified.position = cursor_.since(start);
  return quantified;
}

Result<bool> MatchParser::parseQuantifier(Pattern& pattern) {
  if (cursor_.acceptSymbol("*")) {
    pattern.min = 0;
    pattern.max.reset();
  } else if (cursor_.acceptSymbol("+")) {
    pattern.min = 1;
    pattern.max.reset();
  } else if (cursor_.acceptSymbol("?")) {
    pattern.min = 0;
    pattern.max = 1;
  } else if (cursor_.atSymbol("{") && !cursor_.atSymbol("-", 1)) {
    return parseBraceQuantifier(pattern);
  } else {
    return false;
  }
  return true;
}

/// `{n}`, `{n,}`, `{n,m}`. `{,m}` is known, but refused as in Flink.
Result<bool> MatchParser::parseBraceQuantifier(Pattern& pattern) {
  constexpr int kMax = std::numeric_limits<int>::max();
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  if (cursor_.acceptSymbol(",")) {
    ASSIGN_OR_RETURN(const int max, cursor_.expectInteger("a number of rows", kMax));
    return Status::plan("a quantifier needs a lower bound: {0," + std::to_string(max) + "}", cursor_.since(start));
  }
  ASSIGN_OR_RETURN(pattern.min, cursor_.expectInteger("a number of rows", kMax));
  pattern.max = pattern.min;
  if (cursor_.acceptSymbol(",")) {
    pattern.max.reset();
    if (!cursor_.atSymbol("}")) {
      ASSIGN_OR_RETURN(pattern.max, cursor_.expectInteger("a number of rows", kMax));
    }
  }
  RETURN_IF_ERROR(cursor_.expectSymbol("}"));
  return true;
}

Result<Pattern> MatchParser::parsePrimaryPattern() {
  const std::size_t start = cursor_.mark();
  Pattern pattern;
  if (cursor_.accept("PERMUTE")) {
    pattern.kind = PatternKind::PERMUTE;
    RETURN_IF_ERROR(cursor_.expectSymbol("("));
    do {
      ASSIGN_OR_RETURN(Pattern item, parseAlternatives());
      pattern.items.push_back(std::move(item));
    } while (cursor_.acceptSymbol(","));
    RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  } else if (cursor_.acceptSymbol("(")) {
    pattern.kind = PatternKind::GROUP;
    ASSIGN_OR_RETURN(Pattern inner, parseAlternatives());
    pattern.items.push_back(std::move(inner));
    RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  } else if (cursor_.acceptSymbol("{")) {
    pattern.kind = PatternKind::EXCLUDE;
    RETURN_IF_ERROR(cursor_.expectSymbol("-"));
    ASSIGN_OR_RETURN(Pattern inner, parseAlternatives());
    pattern.items.push_back(std::move(inner));
    RETURN_IF_ERROR(cursor_.expectSymbol("-"));
    RETURN_IF_ERROR(cursor_.expectSymbol("}"));
  } else {
    ASSIGN_OR_RETURN(pattern.name, cursor_.expectIdentifier("a pattern variable"));
  }
  pattern.position = cursor_.since(start);
  return pattern;
}

}  // namespace thalweg::sql
