#include "tests/unit/common/sql/round_trip.h"

#include "common/sql/error_text.h"
#include "common/sql/parser.h"
#include "common/sql/unparse/writer.h"
#include "common/sql/unparser.h"

namespace thalweg::sql {

std::string nesting(const Statement& statement) {
  Writer writer(Parentheses::ALL);
  writer.statement(statement);
  return writer.take();
}

std::string nesting(const Expr& expr) {
  Writer writer(Parentheses::ALL);
  writer.expr(expr);
  return writer.take();
}

std::string nestingOf(std::string_view expression) {
  auto expr = parseExpression(expression);
  return expr ? nesting(**expr) : expr.status().message();
}

std::string roundTripFault(std::string_view text) {
  auto first = parseStatement(text);
  if (!first) return renderError(text, first.status());
  const std::string written = unparse(**first);
  auto second = parseStatement(written);
  if (!second) return "written as\n" + written + "\n" + renderError(written, second.status());
  if (nesting(**first) != nesting(**second)) return nesting(**first) + "\nbecame\n" + nesting(**second);
  if (unparse(**second) != written) return written + "\nis written the second time as\n" + unparse(**second);
  return {};
}

}  // namespace thalweg::sql
