#include "common/expr/bound_expr.h"

#include "common/functions/function_registry.h"

#include <catch2/catch.hpp>

namespace thalweg {
namespace {

const DataType kInt = DataType::integer();
const DataType kBool = DataType::boolean();

BoundExprPtr call(std::string_view name, std::vector<BoundExprPtr> args, DataType type) {
  return BoundExpr::call(FunctionRegistry::instance().scalar(name), std::move(args), std::move(type));
}
BoundExprPtr number(int64_t value) { return BoundExpr::literal(Value::integer(value), DataType::integer(false)); }
BoundExprPtr less(int index, int64_t value) {
  return call("<", {BoundExpr::column(index, kInt), number(value)}, kBool);
}

TEST_CASE("expressions print with operators, names and quoted text") {
  const BoundExprPtr sum = call("+", {BoundExpr::column(0, kInt), number(1)}, kInt);
  CHECK(exprText(*sum) == "($0 + 1)");
  const Schema schema({{"price", kInt}, {"name", DataType::string()}});
  CHECK(exprText(*call("ABS", {sum}, kInt), &schema) == "ABS((price + 1))");
  CHECK(exprText(*call("NEGATE", {sum}, kInt)) == "-($0 + 1)");
  CHECK(exprText(*call("IS NULL", {sum}, kBool)) == "(($0 + 1) IS NULL)");
  CHECK(exprText(*BoundExpr::literal(Value::string("it's"), DataType::string())) == "'it''s'");
  CHECK(exprText(*BoundExpr::literal(Value::integer(0), DataType::date())) == "DATE '1970-01-01'");
  CHECK(exprText(*BoundExpr::cast(sum, DataType::bigint())) == "CAST(($0 + 1) AS BIGINT)");
  CHECK(exprText(*BoundExpr::caseWhen({less(0, 1), number(1), number(2)}, kInt)) == "CASE(($0 < 1), 1, 2)");
}

TEST_CASE("conjunctions are flat, of one operand that operand, of none TRUE") {
  const BoundExprPtr nested = BoundExpr::conjunction({less(0, 1), BoundExpr::conjunction({less(1, 2), less(2, 3)})});
  CHECK(nested->args.size() == 3);
  CHECK(splitConjunction(nested).size() == 3);
  const BoundExprPtr one = less(0, 1);
  CHECK(BoundExpr::conjunction({one}) == one);
  CHECK(BoundExpr::conjunction({})->value == Value::boolean(true));
  CHECK(BoundExpr::disjunction({})->value == Value::boolean(false));
}

TEST_CASE("equality looks at structure, not at identity") {
  CHECK(exprEqual(*less(0, 1), *less(0, 1)));
  CHECK_FALSE(exprEqual(*less(0, 1), *less(0, 2)));
  CHECK_FALSE(exprEqual(*less(0, 1), *less(1, 1)));
}

TEST_CASE("analysis knows columns, chance and failure") {
  std::vector<bool> used;
  collectColumns(*BoundExpr::conjunction({less(3, 1), less(1, 2)}), used);
  CHECK(used == std::vector<bool>{false, true, false, true});
  const BoundExprPtr random = call("RAND", {}, DataType::float64(false));
  CHECK_FALSE(isDeterministic(*random));
  CHECK_FALSE(isRepeatable(*random));
  const BoundExprPtr today = call("CURRENT_DATE", {}, DataType::date(false));
  CHECK_FALSE(isDeterministic(*today));
  CHECK(isRepeatable(*today));
  CHECK(canFail(*call("/", {number(1), BoundExpr::column(0, kInt)}, kInt)));
  CHECK_FALSE(canFail(*less(0, 1)));
  const BoundExprPtr text = BoundExpr::column(0, DataType::string());
  CHECK(canFail(*BoundExpr::cast(text, kInt)));
  CHECK_FALSE(canFail(*BoundExpr::cast(text, kInt, true)));
}

TEST_CASE("columns can be replaced and moved") {
  const BoundExprPtr moved = remapColumns(less(0, 1), {5});
  CHECK(exprText(*moved) == "($5 < 1)");
  CHECK(exprText(*substituteColumns(less(0, 1), {number(7)})) == "(7 < 1)");
  const BoundExprPtr constant = number(1);
  CHECK(remapColumns(constant, {}) == constant);
}

}  // namespace
}  // namespace thalweg
