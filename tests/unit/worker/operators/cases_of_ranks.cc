#include "tests/unit/worker/operators/every_operator_cases.h"

namespace thalweg::worker {
namespace {

Case rank() {
  RankSpec spec;
  spec.partition_keys = {1};
  spec.order_by = {by(2, SortDirection::DESCENDING)};
  spec.end = 1;
  spec.input_retracts = true;
  return {"rank", spec, {kTimed}, kTimed, {{0, {"+I[1, a, 5]", "+I[2, a, 7]", "watermark 5", "-D[2, a, 7]", "+I[3, b, 1]"}}},
          {"+I[1, a, 5]", "-D[1, a, 5]", "+I[2, a, 7]", "watermark 5", "-D[2, a, 7]", "+I[1, a, 5]", "+I[3, b, 1]"}};
}

Case deduplicate() {
  DeduplicateSpec spec;
  spec.keys = {1};
  spec.keep_last = true;
  spec.time_column = 0;
  return {"deduplicate", spec, {kTimed}, kTimed, {{0, {"+I[3, a, 1]", "+I[1, a, 2]", "watermark 0", "+I[4, a, 3]", "+I[1, b, 4]"}}},
          {"+I[3, a, 1]", "watermark 0", "-U[3, a, 1]", "+U[4, a, 3]", "+I[1, b, 4]"}};
}

Case windowRank() {
  WindowRankSpec spec;
  spec.rank.partition_keys = {1};
  spec.rank.order_by = {by(2, SortDirection::DESCENDING)};
  spec.rank.end = 2;
  spec.rank.output_rank = true;
  spec.window_end_column = 0;
  Case c{"window rank", spec, {kTimed}, {kTime, kText, kInt, kLong},
         {{0, {"+I[10, a, 1]", "+I[10, a, 3]", "watermark 3", "+I[20, a, 5]", "+I[10, a, 2]", "+I[10, b, 9]", "watermark 9",
               "+I[10, a, 99]", "watermark 30"}}},
         {"watermark 3", "+I[10, a, 2, 2]", "+I[10, a, 3, 1]", "+I[10, b, 9, 1]", "watermark 9", "+I[20, a, 5, 1]", "watermark 30"}};
  c.ordered = false;
  return c;
}

Case sortAtEnd() {
  SortSpec spec;
  spec.keys = {by(2, SortDirection::DESCENDING)};
  spec.offset = 1;
  spec.limit = 2;
  Case c{"sort at the end", spec, {kTimed}, kTimed, {{0, {"+I[1, a, 5]", "+I[2, b, 7]", "+I[3, c, 6]", "+I[4, d, null]"}}},
         {"+I[3, c, 6]", "+I[1, a, 5]"}};
  c.batch_mode = true;
  return c;
}

Case temporalSort() {
  TemporalSortSpec spec;
  spec.keys = {by(0), by(2)};
  return {"sort by time", spec, {kTimed}, kTimed,
          {{0, {"+I[3, a, 2]", "+I[1, b, 9]", "+I[3, c, 1]", "watermark 2", "+I[3, d, 0]", "watermark 3", "+I[2, late, 0]", "+I[5, e, 0]"}}},
          {"+I[1, b, 9]", "watermark 2", "+I[3, d, 0]", "+I[3, c, 1]", "+I[3, a, 2]", "watermark 3", "+I[5, e, 0]"}};
}

Case limit() {
  LimitSpec spec;
  spec.offset = 1;
  spec.limit = 2;
  return {"limit", spec, {{kInt}}, {kInt}, {{0, {"+I[1]", "+I[2]", "watermark 5", "+I[3]", "+I[4]"}}}, {"+I[2]", "watermark 5", "+I[3]"}};
}

}  // namespace

std::vector<Case> rankCases() { return {rank(), deduplicate(), windowRank(), sortAtEnd(), temporalSort(), limit()}; }

}  // namespace thalweg::worker
