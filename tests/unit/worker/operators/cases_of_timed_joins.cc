#include "tests/unit/worker/operators/every_operator_cases.h"

namespace thalweg::worker {
namespace {

const Types kLeft = {kTime, kInt, kText};
const Types kRight = {kTime, kInt, kText};
const Types kBoth = {kTime, kInt, kText, kTime, kInt, kText};

Case intervalJoin(JoinType type, Messages answers) {
  IntervalJoinSpec spec;
  spec.join.type = type;
  spec.join.left_keys = {1};
  spec.join.right_keys = {1};
  spec.left_time = 0;
  spec.right_time = 0;
  spec.lower_ms = -2;
  spec.upper_ms = 5;
  Case c{"interval join " + std::to_string(static_cast<int>(type)), spec, {kLeft, kRight}, kBoth,
         {{0, {"+I[10, 1, a]", "+I[11, null, n]", "+I[12, 2, b]"}},
          {1, {"+I[6, 1, x]", "+I[13, 1, y]", "+I[12, 1, z]", "+I[9, null, m]"}},
          {0, {"watermark 12"}},
          {1, {"watermark 12", "+I[13, 2, w]"}},
          {0, {"+I[17, 1, c]", "watermark 40"}},
          {1, {"watermark 30"}}},
         std::move(answers)};
  c.ordered = false;
  return c;
}

Case windowJoin(JoinType type, Messages answers) {
  WindowJoinSpec spec;
  spec.join.type = type;
  spec.join.left_keys = {1};
  spec.join.right_keys = {1};
  spec.left_window_end = 0;
  spec.right_window_end = 0;
  const bool semi = type == JoinType::SEMI || type == JoinType::ANTI;
  Case c{"window join " + std::to_string(static_cast<int>(type)), spec, {kLeft, kRight}, semi ? kLeft : kBoth,
         {{0, {"+I[10, 1, a]", "+I[20, 1, b]", "+I[10, null, n]"}},
          {1, {"+I[10, 1, x]", "+I[10, 2, y]", "+I[10, null, m]"}},
          {0, {"watermark 9"}},
          {1, {"watermark 15", "+I[20, 1, z]", "+I[20, 1, w]"}},
          {0, {"watermark 30"}}},
         std::move(answers)};
  c.ordered = false;
  return c;
}

Case temporalJoin(JoinType type, Messages answers) {
  TemporalJoinSpec spec;
  spec.join.type = type;
  spec.join.left_keys = {1};
  spec.join.right_keys = {1};
  spec.left_time = 0;
  spec.right_time = 0;
  Case c{"temporal join " + std::to_string(static_cast<int>(type)), spec, {kLeft, kRight}, kBoth,
         {{1, {"+I[1, 1, v1]", "+U[5, 1, v2]", "+I[3, 2, w1]"}},
          {0, {"+I[4, 1, a]", "+I[6, 1, b]", "+I[2, 2, c]", "+I[6, null, n]"}},
          {1, {"-D[7, 1, v2]", "watermark 6"}},
          {0, {"watermark 6", "+I[8, 1, d]", "+I[8, 2, e]", "watermark 9"}},
          {1, {"watermark 9"}}},
         std::move(answers)};
  c.ordered = false;
  return c;
}

}  // namespace

std::vector<Case> timedJoinCases() {
  return {
      intervalJoin(JoinType::INNER,
                   {"+I[10, 1, a, 12, 1, z]", "+I[10, 1, a, 6, 1, x]", "watermark 7", "+I[12, 2, b, 13, 2, w]", "+I[17, 1, c, 12, 1, z]",
                    "+I[17, 1, c, 13, 1, y]", "watermark 25"}),
      windowJoin(JoinType::INNER, {"+I[10, 1, a, 10, 1, x]", "watermark 15", "+I[20, 1, b, 20, 1, w]", "+I[20, 1, b, 20, 1, z]"}),
      windowJoin(JoinType::FULL,
                 {"+I[10, 1, a, 10, 1, x]", "+I[10, null, n, null, null, null]", "+I[null, null, null, 10, 2, y]",
                  "+I[null, null, null, 10, null, m]", "watermark 15", "+I[20, 1, b, 20, 1, w]", "+I[20, 1, b, 20, 1, z]"}),
      windowJoin(JoinType::SEMI, {"+I[10, 1, a]", "watermark 15", "+I[20, 1, b]"}),
      windowJoin(JoinType::ANTI, {"+I[10, null, n]", "watermark 15"}),
      temporalJoin(JoinType::INNER,
                   {"+I[4, 1, a, 1, 1, v1]", "+I[6, 1, b, 5, 1, v2]", "watermark 6", "+I[8, 2, e, 3, 2, w1]", "watermark 9"}),
      temporalJoin(JoinType::LEFT,
                   {"+I[2, 2, c, null, null, null]", "+I[4, 1, a, 1, 1, v1]", "+I[6, 1, b, 5, 1, v2]", "+I[6, null, n, null, null, null]",
                    "watermark 6", "+I[8, 1, d, null, null, null]", "+I[8, 2, e, 3, 2, w1]", "watermark 9"}),
  };
}

}  // namespace thalweg::worker
