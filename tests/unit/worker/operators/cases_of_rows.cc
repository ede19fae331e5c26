#include "tests/unit/worker/operators/every_operator_cases.h"

namespace thalweg::worker {
namespace {

Case calc() {
  CalcSpec spec{BoundExpr::column(0, DataType::boolean()), {BoundExpr::column(1, kInt)}};
  return {"calc", spec, {{DataType::boolean(), kInt}}, {kInt},
          {{0, {"+I[true, 1]", "-U[false, 2]", "watermark 5", "+U[true, 3]", "+I[null, 4]", "-D[true, 5]"}}},
          {"+I[1]", "watermark 5", "+U[3]", "-D[5]"}};
}

Case watermarkAssigner() {
  WatermarkAssignerSpec spec;
  spec.watermark.rowtime_column = 0;
  spec.watermark.expression = BoundExpr::column(0, kTime);
  return {"watermark assigner", spec, {{kTime, kInt}}, {kTime, kInt},
          {{0, {"+I[3, 1]", "+I[1, 2]", "+I[7, 3]", "+I[7, 4]"}}},
          {"+I[3, 1]", "watermark 3", "+I[1, 2]", "+I[7, 3]", "watermark 7", "+I[7, 4]"}};
}

Case unionAll() {
  return {"union", UnionSpec{}, {{kInt}, {kInt}}, {kInt},
          {{0, {"+I[1]", "watermark 5"}}, {1, {"-D[2]", "watermark 3"}}, {0, {"+I[3]"}}},
          {"+I[1]", "-D[2]", "watermark 3", "+I[3]"}};
}

Case dropUpdateBefore() {
  return {"drop update before", DropUpdateBeforeSpec{}, {{kInt}}, {kInt},
          {{0, {"+I[1]", "-U[1]", "+U[2]", "watermark 5", "-U[2]", "-D[2]"}}},
          {"+I[1]", "+U[2]", "watermark 5", "-D[2]"}};
}

Case expand() {
  ExpandSpec spec{{{0}, {1}}, {0, 1}, {1, 2}};
  return {"expand", spec, {{kInt, kText}}, {kInt, kText, kLong}, {{0, {"+I[1, a]", "watermark 5", "-D[2, b]"}}},
          {"+I[1, null, 1]", "+I[null, a, 2]", "watermark 5", "-D[2, null, 1]", "-D[null, b, 2]"}};
}

Case unnest() {
  const DataType list = DataType::array(kInt);
  UnnestSpec spec;
  spec.collection = BoundExpr::column(1, list);
  spec.outer = true;
  return {"unnest", spec, {{kInt, list}}, {kInt, list, kInt},
          {{0, {"+I[1, [7, 8]]", "+I[2, null]", "watermark 5", "-D[1, [7, 8]]"}}},
          {"+I[1, [7, 8], 7]", "+I[1, [7, 8], 8]", "+I[2, null, null]", "watermark 5", "-D[1, [7, 8], 7]", "-D[1, [7, 8], 8]"}};
}

Case changelogNormalize() {
  ChangelogNormalizeSpec spec;
  spec.keys = {0};
  return {"changelog normalize", spec, {{kInt, kText}}, {kInt, kText},
          {{0, {"+I[1, a]", "+U[1, b]", "watermark 5", "+I[2, c]", "-D[1, b]", "-D[3, x]", "+U[2, c]", "+U[1, d]"}}},
          {"+I[1, a]", "-U[1, a]", "+U[1, b]", "watermark 5", "+I[2, c]", "-D[1, b]", "+I[1, d]"}};
}

Case toText() {
  ChangelogTextSpec spec;
  spec.kinds = {{"new", RowKind::INSERT}, {"gone", RowKind::DELETE}, {"now", RowKind::UPDATE_AFTER}};
  return {"changes to text", spec, {{kInt}}, {kText, kInt}, {{0, {"+I[1]", "-U[1]", "watermark 5", "+U[2]", "-D[2]"}}},
          {"+I[new, 1]", "watermark 5", "+I[now, 2]", "+I[gone, 2]"}};
}

Case fromText() {
  ChangelogTextSpec spec = std::get<ChangelogTextSpec>(toText().spec);
  spec.to_text = false;
  spec.text_column = 0;
  return {"text to changes", spec, {{kText, kInt}}, {kInt}, {{0, {"+I[new, 1]", "watermark 5", "+I[now, 2]", "+I[gone, 2]"}}},
          {"+I[1]", "watermark 5", "+U[2]", "-D[2]"}};
}

}  // namespace

std::vector<Case> rowCases() {
  return {calc(), watermarkAssigner(), unionAll(), dropUpdateBefore(), expand(), unnest(), changelogNormalize(), toText(), fromText()};
}

}  // namespace thalweg::worker
