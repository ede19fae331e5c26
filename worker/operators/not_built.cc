// Operators that plans may ask for and that this engine does not have yet: each answers by name.

#include "worker/operators/operator_registry.h"
#include "worker/operators/session_aggregate.h"

namespace thalweg::worker {
namespace {

Result<std::unique_ptr<Operator>> notBuilt(const char* what) { return Status::notSupported(std::string(what) + " is not supported yet"); }

}  // namespace

Result<std::unique_ptr<Operator>> makeSessionAggregate(const WindowAggregateSpec&, const PlanNode&) { return notBuilt("aggregation over SESSION windows"); }
Result<std::unique_ptr<Operator>> makeUnnest(const UnnestSpec&, const PlanNode&) { return notBuilt("UNNEST"); }
Result<std::unique_ptr<Operator>> makeIntervalJoin(const IntervalJoinSpec&, const PlanNode&) { return notBuilt("an interval join"); }
Result<std::unique_ptr<Operator>> makeTemporalJoin(const TemporalJoinSpec&, const PlanNode&) { return notBuilt("a temporal join"); }
Result<std::unique_ptr<Operator>> makeWindowJoin(const WindowJoinSpec&, const PlanNode&) { return notBuilt("a window join"); }
Result<std::unique_ptr<Operator>> makeRank(const RankSpec&, const PlanNode&) { return notBuilt("Top-N"); }
Result<std::unique_ptr<Operator>> makeDeduplicate(const DeduplicateSpec&, const PlanNode&) { return notBuilt("deduplication"); }
Result<std::unique_ptr<Operator>> makeWindowRank(const WindowRankSpec&, const PlanNode&) { return notBuilt("Top-N within windows"); }
Result<std::unique_ptr<Operator>> makeOverAggregate(const OverAggregateSpec&, const PlanNode&) { return notBuilt("OVER aggregation"); }
Result<std::unique_ptr<Operator>> makeChangelogNormalize(const ChangelogNormalizeSpec&, const PlanNode&) { return notBuilt("changelog normalisation"); }

}  // namespace thalweg::worker
