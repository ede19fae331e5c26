#include "common/sql/parse/table_parser.h"

#include "common/sql/parse/call_parser.h"
#include "common/sql/parse/expression_parser.h"
#include "common/sql/parse/hint_parser.h"
#include "common/sql/parse/match_parser.h"
#include "common/sql/parse/node.h"
#include "common/sql/parse/query_parser.h"

namespace thalweg::sql {
namespace {

Result<TableRefPtr> asTable(Result<std::shared_ptr<const Join>> join) {
  if (!join) return join.status();
  return TableRefPtr(std::move(*join));
}

}  // namespace

Result<TableRefPtr> TableParser::parseFrom() {
  const std::size_t start = cursor_.mark();
  ASSIGN_OR_RETURN(TableRefPtr left, parseJoined());
  while (cursor_.acceptSymbol(",")) {
    auto join = std::make_shared<Join>();
    join->type = JoinType::COMMA;
    join->left = std::move(left);
    ASSIGN_OR_RETURN(join->right, parseJoined());
    ASSIGN_OR_RETURN(left, asTable(seal(cursor_, start, join, join->left, join->right)));
  }
  return left;
}

// --- joins -------------------------------------------------------------------------------------------

bool TableParser::atJoin() const {
  return cursor_.atAny({"JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "NATURAL"});
}

Result<TableRefPtr> TableParser::parseJoined() {
  const std::size_t start = cursor_.mark();
  ASSIGN_OR_RETURN(TableRefPtr left, parseTable());
  while (atJoin()) {
    ASSIGN_OR_RETURN(left, parseJoin(std::move(left), start));
  }
  if (cursor_.atWords({"OUTER", "APPLY"}))
    return Status::parse("APPLY is not supported; write LATERAL", cursor_.peek().position);
  return left;
}

JoinType TableParser::acceptJoinType() {
  struct Word {
    std::string_view word;
    JoinType type;
    bool outer;
  };
  static constexpr Word kWords[] = {{"INNER", JoinType::INNER, false},
                                    {"CROSS", JoinType::CROSS, false},
                                    {"LEFT", JoinType::LEFT, true},
                                    {"RIGHT", JoinType::RIGHT, true},
                                    {"FULL", JoinType::FULL, true}};
  for (const Word& word : kWords) {
    if (!cursor_.accept(word.word)) continue;
    if (word.outer) cursor_.accept("OUTER");
    return word.type;
  }
  return JoinType::INNER;
}

Result<TableRefPtr> TableParser::parseJoin(TableRefPtr left, std::size_t start) {
  auto join = std::make_shared<Join>();
  join->left = std::move(left);
  join->natural = cursor_.accept("NATURAL");
  join->type = acceptJoinType();
  if (cursor_.at("APPLY")) return Status::parse("APPLY is not supported; write LATERAL", cursor_.peek().position);
  RETURN_IF_ERROR(cursor_.expect("JOIN"));
  ASSIGN_OR_RETURN(join->right, parseTable());
  RETURN_IF_ERROR(parseJoinCondition(*join));
  return asTable(seal(cursor_, start, join, join->left, join->right, join->on));
}

Status TableParser::parseJoinCondition(Join& join) {
  if (cursor_.accept("ON")) {
    ASSIGN_OR_RETURN(join.on, ExpressionParser(cursor_).parse());
  } else if (cursor_.accept("USING")) {
    ASSIGN_OR_RETURN(join.using_columns, cursor_.expectIdentifierList("a column name"));
  }
  return Status::ok();
}

// --- single tables -----------------------------------------------------------------------------------

Result<TableRefPtr> TableParser::parseTable() {
  NestingGuard guard(cursor_);
  RETURN_IF_ERROR(guard.status());
  if (cursor_.atSymbol("(")) return parseParenthesised();
  if (cursor_.at("LATERAL")) return parseLateral();
  if (cursor_.at("UNNEST")) return parseUnnest(false);
  if (cursor_.at("TABLE")) return parseWrappedFunction(false);
  if (atFunction()) return parseBareFunction();
  return parseNamed();
}

template <typename Ref, typename... Children>
Result<TableRefPtr> TableParser::finish(std::shared_ptr<Ref> ref, std::size_t start, const Children&... children) {
  RETURN_IF_ERROR(parseAlias(*ref));
  RETURN_IF_ERROR(parseSample(*ref));
  RETURN_IF_ERROR(refusePivot());
  ASSIGN_OR_RETURN(auto sealed, seal(cursor_, start, std::move(ref), children...));
  return finishMatch(std::move(sealed), start);
}

Result<TableRefPtr> TableParser::finishMatch(TableRefPtr input, std::size_t start) {
  if (!cursor_.at("MATCH_RECOGNIZE")) return input;
  ASSIGN_OR_RETURN(std::shared_ptr<MatchRecognize> match, MatchParser(cursor_).parse(std::move(input)));
  RETURN_IF_ERROR(parseAlias(*match));
  ASSIGN_OR_RETURN(auto sealed, seal(cursor_, start, match, match->input, match->partition_by, match->order_by,
                                     match->measures, match->definitions));
  return TableRefPtr(std::move(sealed));
}

Status TableParser::parseAlias(TableRef& ref) {
  if (cursor_.peek().kind == TokenKind::HINT_START) {
    return Status::parse("a hint stands directly behind a table's name, before its alias", cursor_.peek().position);
  }
  if (!cursor_.accept("AS") && !cursor_.atIdentifier()) return Status::ok();
  ASSIGN_OR_RETURN(ref.alias, cursor_.expectIdentifier("a table's alias behind AS"));
  if (!cursor_.atSymbol("(")) return Status::ok();
  ASSIGN_OR_RETURN(ref.column_aliases, cursor_.expectIdentifierList("a column name"));
  return Status::ok();
}

Status TableParser::parseSample(TableRef& ref) {
  if (!cursor_.accept("TABLESAMPLE")) return Status::ok();
  TableSample sample;
  if (cursor_.accept("SUBSTITUTE")) {
    RETURN_IF_ERROR(cursor_.expectSymbol("("));
    ASSIGN_OR_RETURN(sample.substitute, cursor_.expectString("the name of a sample in quotes"));
  } else {
    sample.bernoulli = cursor_.accept("BERNOULLI");
    if (!sample.bernoulli) RETURN_IF_ERROR(cursor_.expect("SYSTEM"));
    RETURN_IF_ERROR(cursor_.expectSymbol("("));
    const Token& token = cursor_.peek();
    if (token.kind != TokenKind::INTEGER && token.kind != TokenKind::DECIMAL) return cursor_.unexpected("a percentage");
    sample.percentage = token.text;
    cursor_.skip();
  }
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  if (cursor_.accept("REPEATABLE")) {
    RETURN_IF_ERROR(cursor_.expectSymbol("("));
    sample.repeatable = std::string(cursor_.peek().text);
    if (cursor_.peek().kind != TokenKind::INTEGER) return cursor_.unexpected("a whole number");
    cursor_.skip();
    RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  }
  ref.sample = std::move(sample);
  return Status::ok();
}

Status TableParser::refusePivot() const {
  if (!cursor_.atAny({"PIVOT", "UNPIVOT"})) return Status::ok();
  return Status::notSupported("PIVOT and UNPIVOT are not supported; write aggregates with FILTER, or UNION ALL",
                              cursor_.peek().position);
}

/// `(query)`, `(a JOIN b)`, and any number of parentheses around them.
Result<TableRefPtr> TableParser::parseParenthesised() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  QueryParser queries(cursor_);
  auto derived = std::make_shared<DerivedTable>();
  if (queries.atQuery()) {
    ASSIGN_OR_RETURN(derived->query, queries.parse());
  } else {
    ASSIGN_OR_RETURN(TableRefPtr inner, parseJoined());
    const DerivedTable* bare = tryAs<DerivedTable>(*inner);
    const bool is_query = bare != nullptr && !bare->alias && !bare->sample && !bare->lateral;
    if (is_query && queries.atContinuation()) {
      ASSIGN_OR_RETURN(derived->query, queries.parseContinuation(bare->query, start + 1));
    } else if (is_query) {
      derived->query = bare->query;
    } else if (inner->kind == TableRefKind::JOIN) {
      RETURN_IF_ERROR(cursor_.expectSymbol(")"));
      return inner;
    } else {
      return Status::parse("expected a query or a join in the parentheses but found a single table", inner->position);
    }
  }
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return finish(derived, start, derived->query);
}

bool TableParser::atFunction() const {
  std::size_t ahead = 0;
  while (cursor_.atIdentifier(ahead) && cursor_.atSymbol(".", ahead + 1)) ahead += 2;
  return cursor_.atIdentifier(ahead) && cursor_.atSymbol("(", ahead + 1);
}

Result<TableRefPtr> TableParser::parseNamed() {
  const std::size_t start = cursor_.mark();
  auto table = std::make_shared<NamedTable>();
  ASSIGN_OR_RETURN(table->name, cursor_.expectQualifiedName("a table"));
  ASSIGN_OR_RETURN(table->hints, HintParser(cursor_).parseOptional());
  if (cursor_.at("FOR")) {
    cursor_.skip();
    RETURN_IF_ERROR(cursor_.expectWords({"SYSTEM_TIME", "AS", "OF"}));
    ASSIGN_OR_RETURN(table->system_time, ExpressionParser(cursor_).parse());
  }
  return finish(table, start, table->system_time);
}

Result<TableRefPtr> TableParser::parseLateral() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  if (cursor_.at("TABLE")) return parseWrappedFunction(true);
  if (cursor_.at("UNNEST")) return parseUnnest(true);
  if (!cursor_.acceptSymbol("(")) {
    return cursor_.unexpectedWord("TABLE(function(..)), UNNEST(..) or a query in parentheses behind LATERAL",
                                  {"TABLE", "UNNEST"});
  }
  auto derived = std::make_shared<DerivedTable>();
  derived->lateral = true;
  ASSIGN_OR_RETURN(derived->query, QueryParser(cursor_).parse());
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return finish(derived, start, derived->query);
}

Result<TableRefPtr> TableParser::parseUnnest(bool lateral) {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto unnest = std::make_shared<Unnest>();
  unnest->lateral = lateral;
  RETURN_IF_ERROR(cursor_.expectSymbol("("));
  CallParser calls(cursor_);
  do {
    ASSIGN_OR_RETURN(ExprPtr argument, calls.parseValueArgument());
    unnest->arguments.push_back(std::move(argument));
  } while (cursor_.acceptSymbol(","));
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  if (cursor_.accept("WITH")) {
    RETURN_IF_ERROR(cursor_.expect("ORDINALITY"));
    unnest->with_ordinality = true;
  }
  return finish(unnest, start, unnest->arguments);
}

Result<TableRefPtr> TableParser::parseWrappedFunction(bool lateral) {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto function = std::make_shared<TableFunctionCall>();
  function->lateral = lateral;
  RETURN_IF_ERROR(cursor_.expectSymbol("("));
  ASSIGN_OR_RETURN(function->call, CallParser(cursor_).parseTableFunction());
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  ASSIGN_OR_RETURN(function->hints, HintParser(cursor_).parseOptional());
  return finish(function, start, function->call);
}

Result<TableRefPtr> TableParser::parseBareFunction() {
  const std::size_t start = cursor_.mark();
  auto function = std::make_shared<TableFunctionCall>();
  function->wrapped = false;
  ASSIGN_OR_RETURN(function->call, CallParser(cursor_).parseTableFunction());
  return finish(function, start, function->call);
}

}  // namespace thalweg::sql
