#include "tests/unit/worker/operators/every_operator_cases.h"

namespace thalweg::worker {
namespace {

WindowSpec windowOf(WindowKind kind, int64_t size_ms, int64_t slide_ms = 0) {
  WindowSpec window;
  window.kind = kind;
  window.size_ms = size_ms;
  window.slide_ms = slide_ms;
  window.time_column = 0;
  return window;
}

Case windowFunction(const std::string& name, WindowSpec window, Messages answers) {
  WindowTableFunctionSpec spec;
  spec.window = std::move(window);
  Case c{"window function " + name, spec, {kTimed}, {kTime, kText, kInt, kTime, kTime, kTime},
         {{0, {"+I[3, a, 1]", "watermark 2", "+I[12, b, 2]", "watermark 40"}}}, std::move(answers)};
  c.ordered = false;
  return c;
}

const Messages kWindowRows = {"+I[3, a, 1]", "+I[12, a, 2]", "+I[4, b, 5]", "watermark 3", "+I[8, a, 3]", "watermark 10",
                              "+I[2, a, 100]", "+I[13, b, 1]", "+I[11, null, 7]", "watermark 40"};

Case windowAggregate(const std::string& name, WindowSpec window, Messages answers) {
  WindowAggregateSpec spec;
  spec.window = std::move(window);
  spec.keys = {1};
  spec.calls = {callOf("SUM", kTimed, {2})};
  spec.properties = {WindowAggregateSpec::Property::WINDOW_START, WindowAggregateSpec::Property::WINDOW_END};
  spec.property_types = {kTime, kTime};
  Case c{"window aggregate " + name, spec, {kTimed}, {kText, kInt, kTime, kTime}, {{0, kWindowRows}}, std::move(answers)};
  c.ordered = false;
  return c;
}

}  // namespace

std::vector<Case> windowCases() {
  return {
      windowFunction("TUMBLE", windowOf(WindowKind::TUMBLE, 10),
                     {"+I[3, a, 1, 0, 10, 9]", "watermark 2", "+I[12, b, 2, 10, 20, 19]", "watermark 40"}),
      windowFunction("HOP", windowOf(WindowKind::HOP, 10, 5),
                     {"+I[3, a, 1, -5, 5, 4]", "+I[3, a, 1, 0, 10, 9]", "watermark 2", "+I[12, b, 2, 10, 20, 19]",
                      "+I[12, b, 2, 5, 15, 14]", "watermark 40"}),
      windowFunction("CUMULATE", windowOf(WindowKind::CUMULATE, 10, 5),
                     {"+I[3, a, 1, 0, 10, 9]", "+I[3, a, 1, 0, 5, 4]", "watermark 2", "+I[12, b, 2, 10, 15, 14]",
                      "+I[12, b, 2, 10, 20, 19]", "watermark 40"}),
      windowAggregate("TUMBLE", windowOf(WindowKind::TUMBLE, 10),
                      {"watermark 3", "+I[a, 4, 0, 10]", "+I[b, 5, 0, 10]", "watermark 10", "+I[a, 2, 10, 20]", "+I[b, 1, 10, 20]",
                       "+I[null, 7, 10, 20]", "watermark 40"}),
      windowAggregate("HOP", windowOf(WindowKind::HOP, 10, 5),
                      {"watermark 3", "+I[a, 1, -5, 5]", "+I[a, 4, 0, 10]", "+I[b, 5, -5, 5]", "+I[b, 5, 0, 10]", "watermark 10",
                       "+I[a, 2, 10, 20]", "+I[a, 5, 5, 15]", "+I[b, 1, 10, 20]", "+I[b, 1, 5, 15]", "+I[null, 7, 10, 20]",
                       "+I[null, 7, 5, 15]", "watermark 40"}),
      windowAggregate("CUMULATE", windowOf(WindowKind::CUMULATE, 10, 5),
                      {"watermark 3", "+I[a, 1, 0, 5]", "+I[a, 4, 0, 10]", "+I[b, 5, 0, 10]", "+I[b, 5, 0, 5]", "watermark 10",
                       "+I[a, 2, 10, 15]", "+I[a, 2, 10, 20]", "+I[b, 1, 10, 15]", "+I[b, 1, 10, 20]", "+I[null, 7, 10, 15]",
                       "+I[null, 7, 10, 20]", "watermark 40"}),
      windowAggregate("SESSION", windowOf(WindowKind::SESSION, 5),
                      {"watermark 3", "+I[b, 5, 4, 9]", "watermark 10", "+I[a, 106, 2, 17]", "+I[b, 1, 13, 18]", "+I[null, 7, 11, 16]",
                       "watermark 40"}),
  };
}

}  // namespace thalweg::worker
