// PhysicalBuilder: chooses operators and exchanges for optimised logical nodes.
//
// Each logical node becomes one or a few drafts (operators still open to changes by the later steps). A shared
// logical node is built once. Columns nobody reads are left out: `Built::columns` says where a logical column went.
// One file per family: physical_scan.cc, physical_aggregate.cc, physical_join.cc, physical_rank.cc, physical_sink.cc.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "common/planner/planner.h"
#include "common/planner/required_columns.h"

namespace thalweg {

struct Draft;
using DraftPtr = std::shared_ptr<Draft>;

struct DraftInput {
  DraftPtr draft;
  Distribution distribution;
};

/// An operator while the plan is being made.
struct Draft {
  OperatorSpec spec;
  std::vector<DraftInput> inputs;
  Schema schema;
  ChangelogMode mode;
  std::vector<std::vector<int>> upsert_keys;
  int parallelism = 0;
  int consumers = 0;
  /// Flink takes this operator's output for insert-only although it updates: it writes +U without -U to a result.
  bool updates_unannounced = false;
  int id = 0;
};

struct Built {
  DraftPtr draft;
  std::vector<int> columns;   ///< logical column → draft column, -1 if left out
};

/// The columns of a node that are the bounds of a window its rows belong to.
struct WindowColumns {
  int start = -1;
  int end = -1;
  int time = -1;
  WindowSpec window;
};
std::optional<WindowColumns> windowColumnsOf(const LogicalNode& node);

/// How many subtasks a table's `scan.parallelism` or `sink.parallelism` asks for; 0: as the job has.
Result<int> parallelismOption(const std::string& table, const OptionMap& options, const std::string& key);

class PhysicalBuilder {
 public:
  PhysicalBuilder(const PlannerSettings& settings, const RequiredColumns& required, const RequiredColumns& asked)
      : settings_(settings), required_(required), asked_(asked) {}

  Result<DraftPtr> buildSink(const LogicalSink& sink);

 private:
  Status checkConflicts(const LogicalSink& sink, const SinkSpec& spec, const Draft& input, ChangelogMode accepted) const;
  Result<Built> build(const LogicalNodePtr& node);
  Result<Built> buildNew(const LogicalNodePtr& node);

  Result<Built> buildScan(const LogicalScan& scan);
  Result<Built> buildStreamScan(const LogicalScan& scan);
  WatermarkSpec watermarkOf(const ResolvedTable& table, const std::vector<int>& columns) const;
  Result<Built> buildValues(const LogicalValues& values);
  Result<Built> buildProject(const LogicalNode& node, const LogicalProject& project);
  Result<Built> buildFilter(const LogicalNode& node, const LogicalFilter& filter);
  Result<Built> buildUnion(const LogicalSetOp& set);
  Result<Built> buildUnnest(const LogicalUnnest& unnest);
  Result<Built> buildChangelog(const LogicalChangelog& node);
  Result<Built> buildWindowTvf(const LogicalWindowTvf& tvf);

  Result<Built> buildAggregate(const LogicalAggregate& aggregate);
  Result<Built> buildGroupAggregate(const LogicalAggregate& aggregate, Built input, std::vector<int> keys,
                                    const std::vector<bool>& kept_calls);
  /// Per call of a plain GROUP BY, whether its result is computed at all.
  std::vector<bool> keptCalls(const LogicalAggregate& aggregate) const;
  Result<Built> buildWindowAggregate(const LogicalAggregate& aggregate, const WindowColumns& window);
  Result<Built> buildLegacyWindow(const LogicalAggregate& aggregate);
  Result<Built> expandGroupingSets(const LogicalAggregate& aggregate, std::vector<int>& keys);

  Result<Built> buildJoin(const LogicalJoin& join);
  Result<Built> buildLookup(JoinSpec spec, const Built& left, const Built& right, std::vector<int> columns, const Schema& schema);
  void alignKeyNullability(Built& left, Built& right, const std::vector<std::pair<int, int>>& keys);
  int appendColumn(Built& input, const BoundExprPtr& expression);
  Result<Built> buildSort(const LogicalSort& sort);
  Result<Built> buildOver(const LogicalOver& over);
  Result<Built> buildMatch(const LogicalMatch& match);
  /// FILTER over OVER that is a Top-N or a deduplication; none if it is not.
  Result<std::optional<Built>> buildRank(const LogicalFilter& filter);

  /// Leaves only the needed columns of `node` (a Calc) when the draft carries more.
  Built prune(Built input, const NodeUse& use, const Schema& schema);
  DraftPtr makeDraft(OperatorSpec spec, std::vector<DraftInput> inputs, Schema schema, ChangelogMode mode);
  /// A Calc over `input`; expressions are over the draft's columns.
  DraftPtr makeCalc(const DraftPtr& input, BoundExprPtr condition, std::vector<BoundExprPtr> projections, Schema schema);
  AggregateCallSpec remapCall(const AggregateCallSpec& call, const std::vector<int>& columns) const;
  int64_t stateTtlMs() const;
  bool batch() const { return settings_.batch_mode; }

  const PlannerSettings& settings_;
  const RequiredColumns& required_;
  const RequiredColumns& asked_;      ///< what decides which aggregates are left out (whole_below_over)
  std::unordered_map<const LogicalNode*, Built> built_;
};

Distribution hashOn(std::vector<int> keys);
Distribution singleton();
std::vector<int> remapColumnList(const std::vector<int>& columns, const std::vector<int>& mapping);
std::vector<SortKey> remapSortKeys(const std::vector<SortKey>& keys, const std::vector<int>& mapping);
/// Upsert keys of `input` seen through projections that keep the columns; mapping: input column → output (-1 lost).
std::vector<std::vector<int>> remapUpsertKeys(const std::vector<std::vector<int>>& keys, const std::vector<int>& mapping);
std::vector<int> identityColumns(size_t count);

}  // namespace thalweg
