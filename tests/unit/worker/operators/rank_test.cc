#include "tests/unit/worker/operators/operator_case.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {
namespace {

const Types kScore = {kInt, kText, kInt};   // id, team, points

SortKey descending(int column) { return {column, SortDirection::DESCENDING, NullOrder::LAST}; }

RankSpec topTwo() {
  RankSpec spec;
  spec.partition_keys = {1};
  spec.order_by = {descending(2)};
  spec.end = 2;
  return spec;
}

const Messages kScores = {"+I[1, a, 10]", "+I[2, a, 30]", "+I[3, b, 5]",  "+I[4, a, 20]",   "+I[5, a, 30]", "+I[6, b, 5]",
                          "+I[7, a, null]", "+I[8, a, 40]", "+I[9, b, 1]", "+I[10, null, 7]", "+I[11, null, 8]"};

TEST_CASE("Top-N of inserts without places: the row that falls out goes before the new one comes") {
  OperatorCase rank(topTwo(), {kScore});
  rank.give(kScores);
  CHECK(rank.answers() == Messages{"+I[1, a, 10]", "+I[2, a, 30]", "+I[3, b, 5]", "-D[1, a, 10]", "+I[4, a, 20]", "-D[4, a, 20]",
                                   "+I[5, a, 30]", "+I[6, b, 5]", "-D[5, a, 30]", "+I[8, a, 40]", "+I[10, null, 7]", "+I[11, null, 8]"});
}

TEST_CASE("Top-N of inserts with the rank: every rank whose row changed answers") {
  RankSpec spec = topTwo();
  spec.output_rank = true;
  OperatorCase rank(spec, {kScore});
  rank.give(kScores);
  CHECK(rank.answers() == Messages{"+I[1, a, 10, 1]", "-U[1, a, 10, 1]", "+U[2, a, 30, 1]", "+I[1, a, 10, 2]", "+I[3, b, 5, 1]",
                                   "-U[1, a, 10, 2]", "+U[4, a, 20, 2]", "-U[4, a, 20, 2]", "+U[5, a, 30, 2]", "+I[6, b, 5, 2]",
                                   "-U[2, a, 30, 1]", "+U[8, a, 40, 1]", "-U[5, a, 30, 2]", "+U[2, a, 30, 2]", "+I[10, null, 7, 1]",
                                   "-U[10, null, 7, 1]", "+U[11, null, 8, 1]", "+I[10, null, 7, 2]"});
}

TEST_CASE("an offset shifts rows through the window of ranks") {
  RankSpec spec = topTwo();
  spec.start = 2;
  OperatorCase rank(spec, {kScore});
  rank.give(kScores);
  CHECK(rank.answers() == Messages{"+I[1, a, 10]", "-U[1, a, 10]", "+U[4, a, 20]", "-U[4, a, 20]", "+U[5, a, 30]", "+I[6, b, 5]",
                                   "-U[5, a, 30]", "+U[2, a, 30]", "+I[10, null, 7]"});
}

TEST_CASE("Top-1 of inserts keeps the incumbent on ties and may leave -U out") {
  RankSpec spec = topTwo();
  spec.end = 1;
  spec.order_by = {descending(2), descending(0)};
  spec.emit_update_before = false;
  OperatorCase rank(spec, {kScore});
  rank.give(kScores);
  CHECK(rank.answers() == Messages{"+I[1, a, 10]", "+U[2, a, 30]", "+I[3, b, 5]", "+U[5, a, 30]", "+U[6, b, 5]", "+U[8, a, 40]",
                                   "+I[10, null, 7]", "+U[11, null, 8]"});
}

TEST_CASE("N from a column is that of the partition's first row") {
  RankSpec spec = topTwo();
  spec.end_column = 3;
  OperatorCase rank(spec, {{kInt, kText, kInt, kInt}});
  rank.give({"+I[1, a, 10, 1]", "+I[2, a, 30, 5]", "+I[3, b, 5, 2]", "+I[4, b, 4, 1]", "+I[5, b, 9, 1]"});
  CHECK(rank.answers() == Messages{"+I[1, a, 10, 1]", "-D[1, a, 10, 1]", "+I[2, a, 30, 5]", "+I[3, b, 5, 2]", "+I[4, b, 4, 1]",
                                   "-D[4, b, 4, 1]", "+I[5, b, 9, 1]"});
}

TEST_CASE("LIMIT 0 answers nothing") {
  RankSpec spec = topTwo();
  spec.end = 0;
  OperatorCase rank(spec, {kScore});
  rank.give(kScores);
  CHECK(rank.answers().empty());
}

const Messages kJobs = {"+I[1, x, 5]", "+I[2, x, 8]", "+I[3, x, 7]", "+I[4, y, 1]", "-D[2, x, 8]", "-U[1, x, 5]", "+U[1, x, 9]",
                        "+I[5, x, 9]", "-U[4, y, 1]", "+U[4, x, 1]", "-U[3, x, 7]", "+U[3, x, 7]", "-D[1, x, 9]"};

TEST_CASE("Top-N of a changelog lets rows move up again") {
  RankSpec spec = topTwo();
  spec.input_retracts = true;
  OperatorCase rank(spec, {kScore});
  rank.give(kJobs);
  CHECK(rank.answers() == Messages{"+I[1, x, 5]", "+I[2, x, 8]", "-D[1, x, 5]", "+I[3, x, 7]", "+I[4, y, 1]", "-D[2, x, 8]",
                                   "+I[1, x, 5]", "-D[1, x, 5]", "+I[1, x, 9]", "-D[3, x, 7]", "+I[5, x, 9]", "-D[4, y, 1]",
                                   "-D[1, x, 9]", "+I[3, x, 7]"});
}

TEST_CASE("Top-N of a changelog with the rank") {
  RankSpec spec = topTwo();
  spec.input_retracts = true;
  spec.output_rank = true;
  OperatorCase rank(spec, {kScore});
  rank.give(kJobs);
  CHECK(rank.answers() == Messages{"+I[1, x, 5, 1]", "-U[1, x, 5, 1]", "+U[2, x, 8, 1]", "+I[1, x, 5, 2]", "-U[1, x, 5, 2]",
                                   "+U[3, x, 7, 2]", "+I[4, y, 1, 1]", "-U[2, x, 8, 1]", "+U[3, x, 7, 1]", "-U[3, x, 7, 2]",
                                   "+U[1, x, 5, 2]", "-D[1, x, 5, 2]", "-U[3, x, 7, 1]", "+U[1, x, 9, 1]", "+I[3, x, 7, 2]",
                                   "-U[3, x, 7, 2]", "+U[5, x, 9, 2]", "-D[4, y, 1, 1]", "-U[1, x, 9, 1]", "+U[5, x, 9, 1]",
                                   "-U[5, x, 9, 2]", "+U[3, x, 7, 2]"});
}

TEST_CASE("retractions of rows that are not there are ignored") {
  RankSpec spec = topTwo();
  spec.input_retracts = true;
  OperatorCase rank(spec, {kScore});
  rank.give({"-D[1, x, 5]", "+I[2, x, 5]", "-D[2, x, 6]", "-D[2, x, 5]", "-D[2, x, 5]"});
  CHECK(rank.answers() == Messages{"+I[2, x, 5]", "-D[2, x, 5]"});
}

const Types kCounted = {kText, kLong};   // item, count
const Messages kCounts = {"+I[tea, 1]",    "+I[coffee, 1]", "-U[tea, 1]", "+U[tea, 2]", "+I[juice, 1]", "-U[coffee, 1]",
                          "+U[coffee, 2]", "+I[water, 1]",  "-U[coffee, 2]", "+U[coffee, 3]", "-U[tea, 2]", "+U[tea, 3]"};

RankSpec monotonicTop(int64_t end) {
  RankSpec spec;
  spec.order_by = {descending(1)};
  spec.end = end;
  spec.input_retracts = true;
  spec.monotonic = true;
  spec.upsert_key = {0};
  return spec;
}

TEST_CASE("Top-N over counts that only grow") {
  OperatorCase rank(monotonicTop(2), {kCounted});
  rank.give(kCounts);
  CHECK(rank.answers() == Messages{"+I[tea, 1]", "+I[coffee, 1]", "-U[tea, 1]", "+U[tea, 2]", "-U[coffee, 1]", "+U[coffee, 2]",
                                   "-U[coffee, 2]", "+U[coffee, 3]", "-U[tea, 2]", "+U[tea, 3]"});
}

TEST_CASE("when a row overtakes another both old rows go first") {
  RankSpec spec = monotonicTop(3);
  spec.output_rank = true;
  OperatorCase rank(spec, {kCounted});
  rank.give(kCounts);
  CHECK(rank.answers() == Messages{"+I[tea, 1, 1]", "+I[coffee, 1, 2]", "-U[tea, 1, 1]", "+U[tea, 2, 1]", "+I[juice, 1, 3]",
                                   "-U[coffee, 1, 2]", "+U[coffee, 2, 2]", "-U[tea, 2, 1]", "-U[coffee, 2, 2]", "+U[coffee, 3, 1]",
                                   "+U[tea, 2, 2]", "-U[tea, 2, 2]", "+U[tea, 3, 2]"});
}

TEST_CASE("Top-1 over counts that only grow") {
  OperatorCase rank(monotonicTop(1), {kCounted});
  rank.give(kCounts);
  CHECK(rank.answers() == Messages{"+I[tea, 1]", "-U[tea, 1]", "+U[tea, 2]", "-U[tea, 2]", "+U[coffee, 3]"});
}

TEST_CASE("batch ranks: ROW_NUMBER breaks ties by arrival, RANK and DENSE_RANK share them") {
  RankSpec spec = topTwo();
  spec.final_only = true;
  spec.output_rank = true;
  const Messages exam = {"+I[1, m, 90]", "+I[2, m, 80]", "+I[3, m, 90]", "+I[4, b, 70]", "+I[5, m, 95]", "+I[6, b, 70]", "+I[7, b, null]"};
  const auto ranked = [&](RankKind kind) {
    spec.kind = kind;
    OperatorCase rank(spec, {kScore});
    rank.harness.batch_mode = true;
    rank.harness.restores = false;
    rank.give(exam);
    return rank.answers();
  };
  CHECK(ranked(RankKind::ROW_NUMBER) == Messages{"+I[4, b, 70, 1]", "+I[6, b, 70, 2]", "+I[5, m, 95, 1]", "+I[1, m, 90, 2]"});
  CHECK(ranked(RankKind::RANK) == Messages{"+I[4, b, 70, 1]", "+I[6, b, 70, 1]", "+I[5, m, 95, 1]", "+I[1, m, 90, 2]", "+I[3, m, 90, 2]"});
  CHECK(ranked(RankKind::DENSE_RANK) == Messages{"+I[4, b, 70, 1]", "+I[6, b, 70, 1]", "+I[7, b, null, 2]", "+I[5, m, 95, 1]",
                                                 "+I[1, m, 90, 2]", "+I[3, m, 90, 2]"});
}

}  // namespace
}  // namespace thalweg::worker
