#include "tests/unit/worker/operators/operator_case.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {
namespace {

const Types kTick = {kText, kTime, kInt};   // symbol, time, price

MatchValue last(int variable, int column, int64_t offset = 0) {
  MatchValue value;
  value.variable = variable;
  value.column = column;
  value.offset = offset;
  value.type = kTick[static_cast<size_t>(column)];
  return value;
}

MatchValue first(int variable, int column) {
  MatchValue value = last(variable, column);
  value.kind = MatchValue::Kind::FIRST;
  return value;
}

BoundExprPtr compare(const char* op, const BoundExprPtr& left, const BoundExprPtr& right) { return callExpr(op, {left, right}); }
BoundExprPtr value(int index) { return BoundExpr::column(index, kInt); }
BoundExprPtr number(int64_t n) { return BoundExpr::literal(Value::integer(n), DataType::integer(false)); }

/// A, then rising B, then C below 5; measures: A's price, B's count of rows as its last price, C's price.
MatchSpec risingThenLow() {
  MatchSpec spec;
  spec.partition_keys = {0};
  spec.time_column = 1;
  MatchVariable a;
  a.name = "A";
  MatchVariable b;
  b.name = "B";
  b.max.reset();
  b.values = {last(1, 2), last(1, 2, 1), last(0, 2)};
  b.condition = BoundExpr::disjunction({compare(">", value(0), value(1)),
                                        BoundExpr::conjunction({callExpr("IS NULL", {value(1)}, DataType::boolean(false)),
                                                                compare(">", value(0), value(2))})});
  MatchVariable c;
  c.name = "C";
  c.values = {last(2, 2)};
  c.condition = compare("<", value(0), number(5));
  spec.pattern = {a, b, c};
  spec.measure_values = {last(0, 2), first(1, 2), last(1, 2), last(2, 2)};
  for (int i = 0; i < 4; ++i) spec.measures.push_back(value(i));
  return spec;
}

const Types kFound = {kText, kInt, kInt, kInt, kInt};
const Messages kTicks = {"+I[x, 10, 6]", "+I[y, 11, 1]", "+I[x, 30, 9]", "+I[x, 20, 7]", "watermark 25",  "+I[x, 24, 8]",
                         "+I[x, 40, 2]", "+I[y, 41, 2]", "watermark 45", "+I[x, 50, 6]",  "+I[x, 60, 7]",  "+I[x, 70, 1]",
                         "+I[y, 71, 0]", "watermark 80"};

TEST_CASE("rows run through the pattern in order of time, late ones are dropped") {
  OperatorCase match(risingThenLow(), {kTick}, kFound);
  match.give(kTicks);
  CHECK(match.answers() == Messages{"watermark 25", "+I[x, 6, 7, 9, 2]", "+I[x, 7, 9, 9, 2]", "watermark 45", "+I[x, 2, 6, 7, 1]",
                                    "+I[x, 6, 7, 7, 1]", "+I[y, 1, 2, 2, 0]", "watermark 80"});
}

TEST_CASE("SKIP PAST LAST ROW leaves out starts inside of the match") {
  MatchSpec spec = risingThenLow();
  spec.skip = MatchSkip::PAST_LAST_ROW;
  OperatorCase match(spec, {kTick}, kFound);
  match.give(kTicks);
  CHECK(match.answers() ==
        Messages{"watermark 25", "+I[x, 6, 7, 9, 2]", "watermark 45", "+I[x, 6, 7, 7, 1]", "+I[y, 1, 2, 2, 0]", "watermark 80"});
}

TEST_CASE("SKIP TO LAST goes on at that variable's row, and refuses the match's own first row") {
  MatchSpec spec = risingThenLow();
  spec.skip = MatchSkip::TO_LAST;
  spec.skip_variable = 2;
  OperatorCase match(spec, {kTick}, kFound);
  match.give(kTicks);
  CHECK(match.answers() == Messages{"watermark 25", "+I[x, 6, 7, 9, 2]", "watermark 45", "+I[x, 2, 6, 7, 1]", "+I[y, 1, 2, 2, 0]",
                                    "watermark 80"});
  spec.skip_variable = 0;
  OperatorCase loop(spec, {kTick}, kFound);
  loop.give(kTicks);
  CHECK(loop.answers().at(0).find("skip to the first row of the match") != std::string::npos);
}

TEST_CASE("WITHIN gives up starts by rows and by the watermark") {
  MatchSpec spec = risingThenLow();
  spec.within_ms = 25;
  OperatorCase match(spec, {kTick}, kFound);
  match.give(kTicks);
  CHECK(match.answers() == Messages{"watermark 25", "+I[x, 7, 9, 9, 2]", "watermark 45", "+I[x, 6, 7, 7, 1]", "watermark 80"});
}

TEST_CASE("what a greedy variable would take, those behind it cannot") {
  MatchSpec spec = risingThenLow();
  spec.pattern[2].condition = compare(">", value(0), number(5));
  spec.skip = MatchSkip::PAST_LAST_ROW;
  OperatorCase match(spec, {kTick}, kFound);
  match.give({"+I[x, 10, 1]", "+I[x, 20, 2]", "+I[x, 30, 7]", "+I[x, 40, 6]", "watermark 40"});
  CHECK(match.answers() == Messages{"+I[x, 1, 2, 7, 6]", "watermark 40"});
  spec.pattern[1].condition = nullptr;
  spec.pattern[1].values.clear();
  OperatorCase all(spec, {kTick}, kFound);
  all.give({"+I[x, 10, 1]", "+I[x, 20, 2]", "+I[x, 30, 7]", "+I[x, 40, 6]", "watermark 40"});
  CHECK(all.answers() == Messages{"watermark 40"});
}

TEST_CASE("a last optional variable takes no row") {
  MatchSpec spec = risingThenLow();
  spec.pattern[2].min = 0;
  spec.pattern[1].max = 1;
  OperatorCase match(spec, {kTick}, kFound);
  match.give({"+I[x, 10, 6]", "+I[x, 20, 7]", "+I[y, 20, 1]", "+I[x, 30, 8]", "+I[y, 30, 3]", "watermark 40"});
  CHECK(match.answers() == Messages{"+I[x, 6, 7, 7, null]", "+I[x, 7, 8, 8, null]", "+I[y, 1, 3, 3, null]", "watermark 40"});
}

TEST_CASE("aggregates fold the rows of one variable, and of none") {
  MatchSpec spec = risingThenLow();
  MatchValue sum;
  sum.kind = MatchValue::Kind::AGGREGATE;
  sum.variable = 1;
  sum.call = callOf("SUM", kTick, {2});
  sum.type = sum.call.result_type;
  spec.measure_values[1] = sum;
  spec.pattern[1].min = 0;
  spec.skip = MatchSkip::PAST_LAST_ROW;
  OperatorCase match(spec, {kTick}, kFound);
  match.give({"+I[x, 10, 6]", "+I[x, 20, 7]", "+I[x, 30, 9]", "+I[x, 40, 1]", "+I[x, 50, 8]", "+I[x, 60, 2]", "watermark 70"});
  CHECK(match.answers() == Messages{"+I[x, 6, 16, 9, 1]", "+I[x, 8, null, null, 2]", "watermark 70"});
}

TEST_CASE("by processing time rows run as they come") {
  MatchSpec spec = risingThenLow();
  spec.processing_time = true;
  OperatorCase match(spec, {kTick}, kFound);
  match.give({"+I[x, 0, 6]", "+I[x, 0, 7]", "+I[y, 0, 1]", "+I[x, 0, 1]", "+I[y, 0, 4]", "+I[y, 0, 2]"});
  match.harness.ordered = false;
  CHECK(match.answers().size() == 2);
}

}  // namespace
}  // namespace thalweg::worker
