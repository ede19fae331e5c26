#include "tests/unit/worker/operators/every_operator_cases.h"

namespace thalweg::worker {
namespace {

Case groupAggregate() {
  const Types types = {kText, kInt};
  GroupAggregateSpec spec;
  spec.keys = {0};
  spec.calls = {callOf("SUM", types, {1}), callOf("MAX", types, {1}), callOf("COUNT", types)};
  spec.calls.push_back(callOf("COUNT", types, {1}));
  spec.calls.back().distinct = true;
  spec.input_retracts = true;
  return {"group aggregate of changes", spec, {types}, {kText, kInt, kInt, kLong, kLong},
          {{0, {"+I[a, 1]", "+I[b, 2]", "+I[a, 3]", "watermark 5", "-U[a, 3]", "+U[a, 1]", "-D[b, 2]", "+I[null, null]"}}},
          {"+I[a, 1, 1, 1, 1]", "+I[b, 2, 2, 1, 1]", "-U[a, 1, 1, 1, 1]", "+U[a, 4, 3, 2, 2]", "watermark 5", "-U[a, 4, 3, 2, 2]",
           "+U[a, 1, 1, 1, 1]", "-U[a, 1, 1, 1, 1]", "+U[a, 2, 1, 2, 1]", "-D[b, 2, 2, 1, 1]", "+I[null, null, null, 1, 0]"}};
}

Case groupAggregateAtEnd() {
  const Types types = {kText, kInt};
  GroupAggregateSpec spec;
  spec.keys = {0};
  spec.calls = {callOf("SUM", types, {1})};
  spec.final_only = true;
  Case c{"group aggregate at the end", spec, {types}, {kText, kInt}, {{0, {"+I[a, 1]", "+I[b, 2]", "+I[a, 3]", "+I[null, 4]"}}},
         {"+I[a, 4]", "+I[b, 2]", "+I[null, 4]"}};
  c.ordered = false;
  c.batch_mode = true;
  return c;
}

OverAggregateSpec overSpec() {
  OverAggregateSpec spec;
  spec.partition_keys = {1};
  spec.order_by = {by(0)};
  spec.time_column = 0;
  spec.following = 0;
  spec.calls = {callOf("SUM", kTimed, {2})};
  return spec;
}

Case over(const std::string& name, const OverAggregateSpec& spec, Messages answers) {
  return {"over " + name, spec, {kTimed}, {kTime, kText, kInt, kInt},
          {{0, {"+I[3, a, 1]", "+I[1, a, 2]", "+I[4, b, 5]", "watermark 3", "+I[5, a, 4]", "+I[5, a, 8]", "watermark 5", "+I[4, a, 100]",
                "+I[7, a, 16]", "watermark 9"}}},
          std::move(answers)};
}

}  // namespace

std::vector<Case> aggregateCases() {
  OverAggregateSpec rows = overSpec();
  rows.rows_frame = true;
  rows.preceding = 1;
  OverAggregateSpec range = overSpec();
  range.preceding = 2;
  return {
      groupAggregate(), groupAggregateAtEnd(),
      over("ROWS", rows,
           {"+I[1, a, 2, 2]", "+I[3, a, 1, 3]", "watermark 3", "+I[4, b, 5, 5]", "+I[5, a, 4, 5]", "+I[5, a, 8, 12]", "watermark 5",
            "+I[7, a, 16, 24]", "watermark 9"}),
      over("RANGE", range,
           {"+I[1, a, 2, 2]", "+I[3, a, 1, 3]", "watermark 3", "+I[4, b, 5, 5]", "+I[5, a, 4, 13]", "+I[5, a, 8, 13]", "watermark 5",
            "+I[7, a, 16, 28]", "watermark 9"}),
      over("UNBOUNDED", overSpec(),
           {"+I[1, a, 2, 2]", "+I[3, a, 1, 3]", "watermark 3", "+I[4, b, 5, 5]", "+I[5, a, 4, 15]", "+I[5, a, 8, 15]", "watermark 5",
            "+I[7, a, 16, 31]", "watermark 9"}),
  };
}

}  // namespace thalweg::worker
