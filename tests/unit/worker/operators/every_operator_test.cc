// Every operator in every hard case of the harness: a row a case (cases_of_*.cc). A new operator gets a case there; the
// last test notices when one has none.
#include <set>

#include "tests/unit/worker/operators/every_operator_cases.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {
namespace {

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
