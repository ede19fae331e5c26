#include "common/sql/script.h"

#include "common/sql/parse/keywords.h"
#include "common/sql/parse/lexer.h"

namespace thalweg::sql {
namespace {

bool isWord(const Token& token, std::string_view word) {
  return token.kind == TokenKind::WORD && equalsWord(token.text, word);
}

/// Watches the tokens of one statement and knows whether a `;` ends it: not within a statement set.
class StatementWatch {
 public:
  /// Whether this token, a `;`, ends the statement.
  bool ends(const Token& token) {
    const bool semicolon = token.isSymbol(";");
    const bool ended = semicolon && !in_set_ && !startsSet();
    if (semicolon && startsSet()) in_set_ = true;
    if (isWord(token, "BEGIN") && isWord(before_last_, "STATEMENT") && isWord(last_, "SET")) in_set_ = true;
    // an END of the set stands behind a `;` or BEGIN, that of a CASE never does
    if (in_set_ && isWord(token, "END") && (last_.isSymbol(";") || isWord(last_, "BEGIN"))) in_set_ = false;
    before_last_ = last_;
    last_ = token;
    ++count_;
    if (count_ == 1) first_ = token;
    return ended;
  }
  bool empty() const { return count_ == 0; }

 private:
  /// Whether all tokens so far are BEGIN STATEMENT SET.
  bool startsSet() const {
    return count_ == 3 && isWord(first_, "BEGIN") && isWord(before_last_, "STATEMENT") && isWord(last_, "SET");
  }

  Token first_, before_last_, last_;
  int count_ = 0;
  bool in_set_ = false;
};

ScriptStatement cut(std::string_view text, const Token& first, const Token& last) {
  ScriptStatement statement;
  const std::size_t end = last.offset + last.text.size();
  statement.text = text.substr(first.offset, end - first.offset);
  statement.position = {first.position.line, first.position.column, last.position.end_line, last.position.end_column};
  return statement;
}

}  // namespace

std::vector<ScriptStatement> splitScript(std::string_view text) {
  std::vector<ScriptStatement> statements;
  Lexer lexer(text);
  StatementWatch watch;
  Token first, last;
  bool broken = false;  // the text of this statement does not split into tokens
  while (true) {
    auto next = lexer.next();
    if (!next) {
      // the statement goes on behind a bad character; a quote without end leaves the lexer at the end
      const Token fault = lexer.skipped();
      if (watch.empty() && !broken) first = fault;
      last = fault;
      broken = true;
      continue;
    }
    const Token& token = *next;
    if (token.kind == TokenKind::END) break;
    const bool was_empty = watch.empty() && !broken;
    if (watch.ends(token)) {
      if (!was_empty) statements.push_back(cut(text, first, last));
      watch = StatementWatch();
      broken = false;
      continue;
    }
    if (was_empty) first = token;
    last = token;
  }
  if (!watch.empty() || broken) statements.push_back(cut(text, first, last));
  return statements;
}

bool isStatementComplete(std::string_view text) {
  Lexer lexer(text);
  StatementWatch watch;
  while (true) {
    auto next = lexer.next();
    if (!next) {
      if (lexer.atEnd()) return false;  // a quote or comment without end
      continue;
    }
    if (next->kind == TokenKind::END) return watch.empty();
    if (watch.ends(*next)) watch = StatementWatch();
  }
}

}  // namespace thalweg::sql
