#include "tests/unit/worker/operators/every_operator_cases.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

Messages answersOf(const Case& c) {
  OperatorCase operator_case(c.spec, c.inputs, c.output);
  for (const auto& [input, messages] : c.feed) operator_case.give(messages, input);
  operator_case.harness.ordered = c.ordered;
  operator_case.harness.batch_mode = c.batch_mode;
  operator_case.harness.restores = !c.batch_mode;   // batch jobs take no snapshots
  REQUIRE(operator_case.harness.configuration.set("pipeline.auto-watermark-interval", "0 ms").isOk());
  return operator_case.answers();
}

}  // namespace thalweg::worker
