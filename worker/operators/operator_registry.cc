#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

}  // namespace

std::vector<DataType> inputTypes(const PlanNode& node, size_t index) {
  std::vector<DataType> types;
  for (const Column& column : node.inputs[index].node->schema.columns()) types.push_back(column.type);
  return types;
}

Result<std::unique_ptr<Operator>> makeOperator(const PlanNode& node) {
  using Made = Result<std::unique_ptr<Operator>>;
  const auto connector = [](const char* what) -> Made { return Status::internal(std::string(what) + " is not made by the operator registry"); };
  return std::visit(
      Overloaded{
          [&](const SourceSpec&) -> Made { return connector("a source"); },
          [&](const ValuesSpec&) -> Made { return connector("VALUES"); },
          [&](const SinkSpec&) -> Made { return connector("a sink"); },
          [&](const CollectSpec&) -> Made { return connector("a collect sink"); },
          [&](const CalcSpec& spec) -> Made { return makeCalc(spec); },
          [&](const WatermarkAssignerSpec& spec) -> Made { return makeWatermarkAssigner(spec); },
          [&](const UnionSpec&) -> Made { return makeUnion(); },
          [&](const DropUpdateBeforeSpec&) -> Made { return makeDropUpdateBefore(); },
          [&](const ExpandSpec& spec) -> Made { return makeExpand(spec, node); },
          [&](const UnnestSpec& spec) -> Made { return makeUnnest(spec, node); },
          [&](const GroupAggregateSpec& spec) -> Made { return makeGroupAggregate(spec, node); },
          [&](const WindowTableFunctionSpec& spec) -> Made { return makeWindowTableFunction(spec, node); },
          [&](const WindowAggregateSpec& spec) -> Made { return makeWindowAggregate(spec, node); },
          [&](const JoinSpec& spec) -> Made { return makeJoin(spec, node); },
          [&](const IntervalJoinSpec& spec) -> Made { return makeIntervalJoin(spec, node); },
          [&](const TemporalJoinSpec& spec) -> Made { return makeTemporalJoin(spec, node); },
          [&](const WindowJoinSpec& spec) -> Made { return makeWindowJoin(spec, node); },
          [&](const RankSpec& spec) -> Made { return makeRank(spec, node); },
          [&](const DeduplicateSpec& spec) -> Made { return makeDeduplicate(spec, node); },
          [&](const WindowRankSpec& spec) -> Made { return makeWindowRank(spec, node); },
          [&](const SortSpec& spec) -> Made { return makeSort(spec, node); },
          [&](const TemporalSortSpec& spec) -> Made { return makeTemporalSort(spec, node); },
          [&](const LimitSpec& spec) -> Made { return makeLimit(spec, node); },
          [&](const OverAggregateSpec& spec) -> Made { return makeOverAggregate(spec, node); },
          [&](const MatchSpec& spec) -> Made { return makeMatch(spec, node); },
          [&](const ChangelogTextSpec& spec) -> Made { return makeChangelogText(spec, node); },
          [&](const ChangelogNormalizeSpec& spec) -> Made { return makeChangelogNormalize(spec, node); },
      },
      node.spec);
}

}  // namespace thalweg::worker
