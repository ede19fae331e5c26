// Operators that plans may ask for and that this engine does not have yet: each answers by name.

#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

Result<std::unique_ptr<Operator>> notBuilt(const char* what) { return Status::notSupported(std::string(what) + " is not supported yet"); }

}  // namespace

Result<std::unique_ptr<Operator>> makeUnnest(const UnnestSpec&, const PlanNode&) { return notBuilt("UNNEST"); }
Result<std::unique_ptr<Operator>> makeIntervalJoin(const IntervalJoinSpec&, const PlanNode&) { return notBuilt("an interval join"); }
Result<std::unique_ptr<Operator>> makeTemporalJoin(const TemporalJoinSpec&, const PlanNode&) { return notBuilt("a temporal join"); }
Result<std::unique_ptr<Operator>> makeWindowJoin(const WindowJoinSpec&, const PlanNode&) { return notBuilt("a window join"); }
Result<std::unique_ptr<Operator>> makeOverAggregate(const OverAggregateSpec&, const PlanNode&) { return notBuilt("OVER aggregation"); }
Result<std::unique_ptr<Operator>> makeChangelogNormalize(const ChangelogNormalizeSpec&, const PlanNode&) { return notBuilt("changelog normalisation"); }

}  // namespace thalweg::worker
