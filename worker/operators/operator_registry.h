// Makes the operator of a plan node: one explicit switch over operator specs (operator_registry.cc), one factory each.
//
// Sources and sinks are connectors' (worker/connectors); everything else is here. Errors: NOT_SUPPORTED naming the
// operator where the engine has none for the spec. Threads: any; the operator made belongs to its caller.
#pragma once

#include <memory>

#include "common/plan/plan_node.h"
#include "common/runtime_api/operator.h"

namespace thalweg::worker {

/// The types of input `index` of `node`.
std::vector<DataType> inputTypes(const PlanNode& node, size_t index = 0);

/// A fresh instance for one attempt of one subtask. Not for SourceSpec, ValuesSpec, SinkSpec and CollectSpec.
Result<std::unique_ptr<Operator>> makeOperator(const PlanNode& node);

// One factory per operator kind, in the file named after it.
Result<std::unique_ptr<Operator>> makeCalc(const CalcSpec& spec);
Result<std::unique_ptr<Operator>> makeWatermarkAssigner(const WatermarkAssignerSpec& spec);
Result<std::unique_ptr<Operator>> makeUnion();
Result<std::unique_ptr<Operator>> makeDropUpdateBefore();
Result<std::unique_ptr<Operator>> makeChangelogText(const ChangelogTextSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeExpand(const ExpandSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeUnnest(const UnnestSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeGroupAggregate(const GroupAggregateSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeWindowTableFunction(const WindowTableFunctionSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeWindowAggregate(const WindowAggregateSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeJoin(const JoinSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeIntervalJoin(const IntervalJoinSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeTemporalJoin(const TemporalJoinSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeWindowJoin(const WindowJoinSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeRank(const RankSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeDeduplicate(const DeduplicateSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeWindowRank(const WindowRankSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeSort(const SortSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeTemporalSort(const TemporalSortSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeLimit(const LimitSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeOverAggregate(const OverAggregateSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeMatch(const MatchSpec& spec, const PlanNode& node);
Result<std::unique_ptr<Operator>> makeChangelogNormalize(const ChangelogNormalizeSpec& spec, const PlanNode& node);

}  // namespace thalweg::worker
