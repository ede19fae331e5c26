// Reads MATCH_RECOGNIZE (..) and its row patterns.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/ast_query.h"
#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class MatchParser {
 public:
  explicit MatchParser(TokenCursor& cursor) : cursor_(cursor) {}

  /// All from MATCH_RECOGNIZE to its `)`, over `input`.
  Result<std::shared_ptr<MatchRecognize>> parse(TableRefPtr input);

 private:
  Status parseMeasures(MatchRecognize& match);
  Status parseRowsPerMatch(MatchRecognize& match);
  Status parseAfterMatch(MatchRecognize& match);
  Status parsePatternClause(MatchRecognize& match);
  Status parseWithin(MatchRecognize& match);
  Status parseSubsets(MatchRecognize& match);
  Status parseDefinitions(MatchRecognize& match);

  Result<Pattern> parseAlternatives();
  Result<Pattern> parseSequence();
  Result<Pattern> parseQuantifiedPattern();
  Result<Pattern> parsePrimaryPattern();
  Result<bool> parseQuantifier(Pattern& pattern);
  Result<bool> parseBraceQuantifier(Pattern& pattern);
  bool atPrimaryPattern() const;

  TokenCursor& cursor_;
};

}  // namespace thalweg::sql
