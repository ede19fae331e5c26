// Every operator in every hard case of the harness: a row a case (cases_of_*.cc). A new operator gets a case there; the
// last test notices when one has none.
#include <set>

#include "tests/unit/worker/operators/every_operator_cases.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {
namespace {

Messages answersOf(const Case& c) {
  OperatorCase operator_case(c.spec, c.inputs, c.output);
  for (const auto& [input, messages] : c.feed) operator_case.give(messages, input);
  operator_case.harness.ordered = c.ordered;
  operator_case.harness.batch_mode = c.batch_mode;
  operator_case.harness.restores = !c.batch_mode;   // batch jobs take no snapshots
  REQUIRE(operator_case.harness.configuration.set("pipeline.auto-watermark-interval", "0 ms").isOk());
  return operator_case.answers();
}

std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (auto* const make : {rowCases, aggregateCases, windowCases, rankCases, timedJoinCases}) {
    for (Case& c : make()) cases.push_back(std::move(c));
  }
  return cases;
}

TEST_CASE("an operator answers alike in every hard case") {
  for (const Case& c : allCases()) {
    DYNAMIC_SECTION(c.name) { CHECK(answersOf(c) == c.answers); }
  }
}

TEST_CASE("every operator has a case") {
  std::set<size_t> covered = {OperatorSpec(JoinSpec{}).index(), OperatorSpec(MatchSpec{}).index()};   // MATCH: match_test.cc
  for (const Case& c : allCases()) covered.insert(c.spec.index());
  // what connectors and the embedded engine make
  for (const OperatorSpec& spec : {OperatorSpec(SourceSpec{}), OperatorSpec(ValuesSpec{}), OperatorSpec(SinkSpec{}), OperatorSpec(CollectSpec{})}) {
    covered.insert(spec.index());
  }
  for (size_t kind = 0; kind < std::variant_size_v<OperatorSpec>; ++kind) {
    INFO("kind " << kind << " of OperatorSpec");
    CHECK(covered.contains(kind));
  }
}

}  // namespace
}  // namespace thalweg::worker
