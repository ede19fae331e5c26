// One function per kind of operator says what it keeps; what all have in common is at the end. The words follow the
// operators in worker/operators: a change of what one keeps is a change here.
#include "common/planner/state_explain.h"

#include <unordered_set>

namespace thalweg {
namespace {

/// What an operator keeps.
struct KeptState {
  std::string what;
  std::string bound;
  bool grows = false;                      ///< without bound
};

std::string names(const Schema& schema, const std::vector<int>& columns) {
  std::string text;
  for (const int column : columns) text += (text.empty() ? "" : ", ") + schema.column(static_cast<size_t>(column)).name;
  return text;
}

std::string per(const char* what, const Schema& schema, const std::vector<int>& columns) {
  return columns.empty() ? std::string() : std::string(" per ") + what + " (" + names(schema, columns) + ")";
}

std::string durationText(int64_t ms) {
  if (ms % 86'400'000 == 0) return std::to_string(ms / 86'400'000) + " d";
  if (ms % 3'600'000 == 0) return std::to_string(ms / 3'600'000) + " h";
  if (ms % 60'000 == 0) return std::to_string(ms / 60'000) + " min";
  if (ms % 1000 == 0) return std::to_string(ms / 1000) + " s";
  return std::to_string(ms) + " ms";
}

std::string counted(size_t count, const char* one, const char* many) { return std::to_string(count) + " " + (count == 1 ? one : many); }

/// State that only a time to live bounds.
KeptState kept(std::string what, const std::string& grows_with, int64_t ttl_ms) {
  if (ttl_ms > 0) return {std::move(what), "time to live: " + durationText(ttl_ms) + " after the last change", false};
  return {std::move(what), "GROWS WITHOUT BOUND with " + grows_with + "; 'table.exec.state.ttl' would bound it", true};
}

class StateDescriber {
 public:
  explicit StateDescriber(const PlanNode& node) : node_(node) {}

  std::vector<KeptState> operator()(const GroupAggregateSpec& spec) const {
    std::string what = counted(spec.calls.size(), "aggregate", "aggregates") + per("group", input(), spec.keys);
    for (const AggregateCallSpec& call : spec.calls) {
      if (call.distinct) what += ", and the distinct values of " + call.name;
    }
    if (spec.keys.empty()) return {{what, "one group"}};
    return {kept(what, "the number of groups", spec.state_ttl_ms)};
  }
  std::vector<KeptState> operator()(const WindowAggregateSpec& spec) const {
    return {{counted(spec.calls.size(), "aggregate", "aggregates") + " per open window" + (spec.keys.empty() ? "" : " and (" + names(input(), spec.keys) + ")"),
             "windows: freed when they close"}};
  }
  std::vector<KeptState> operator()(const WindowTableFunctionSpec& spec) const {
    if (spec.window.kind != WindowKind::SESSION) return {};
    return {{"the rows of each open session" + per("partition", input(), spec.window.partition_keys), "windows: freed when they close"}};
  }
  std::vector<KeptState> operator()(const JoinSpec& spec) const {
    std::vector<KeptState> both = {joinSide("left", input(0), spec.left_keys, spec.left_unique_key, spec.left_ttl_ms)};
    both.push_back(joinSide("right", input(1), spec.right_keys, spec.right_unique_key, spec.right_ttl_ms));
    return both;
  }
  std::vector<KeptState> operator()(const IntervalJoinSpec& spec) const {
    const std::string bound = "time: rows go once the watermark has left their interval (" + durationText(spec.lower_ms) + " to " + durationText(spec.upper_ms) + ")";
    return {{"the left rows" + per("key", input(0), spec.join.left_keys), bound}, {"the right rows" + per("key", input(1), spec.join.right_keys), bound}};
  }
  std::vector<KeptState> operator()(const TemporalJoinSpec& spec) const {
    return {{"the left rows that the watermark has not passed", "time: the disorder of the left input"},
            kept("the versions of the right side" + per("key", input(1), spec.join.right_keys) + ": the one in force and later ones",
                 "the number of keys of the right side", 0)};
  }
  std::vector<KeptState> operator()(const WindowJoinSpec&) const { return {{"the rows of both sides in open windows", "windows: freed when they close"}}; }
  std::vector<KeptState> operator()(const RankSpec& spec) const {
    const bool all = spec.input_retracts && !spec.monotonic;
    const std::string which = all ? "all rows" : spec.end_column >= 0 ? "the first rows" : "the first " + counted(static_cast<size_t>(spec.end), "row", "rows");
    const std::string what = which + per("partition", input(), spec.partition_keys);
    if (!all && spec.partition_keys.empty() && spec.end_column < 0) return {{what, "one partition"}};
    return {kept(what, all ? "the number of rows" : "the number of partitions", spec.state_ttl_ms)};
  }
  std::vector<KeptState> operator()(const DeduplicateSpec& spec) const {
    return {kept(std::string(spec.keep_last ? "the last row" : "the first row") + per("key", input(), spec.keys), "the number of keys", spec.state_ttl_ms)};
  }
  std::vector<KeptState> operator()(const WindowRankSpec& spec) const {
    return {{"the first " + counted(static_cast<size_t>(spec.rank.end), "row", "rows") + " of each open window" + per("partition", input(), spec.rank.partition_keys),
             "windows: freed when they close"}};
  }
  std::vector<KeptState> operator()(const TemporalSortSpec&) const {
    return {{"the rows that the watermark has not passed", "time: the disorder of the input"}};
  }
  std::vector<KeptState> operator()(const LimitSpec& spec) const {
    if (spec.input_retracts) return {kept("all rows", "the number of rows", 0)};
    return {{"how many rows have passed", "one number"}};
  }
  std::vector<KeptState> operator()(const OverAggregateSpec& spec) const {
    const std::string frame = !spec.preceding ? "the running aggregates" : spec.rows_frame ? "the rows of the frame" : "the rows of the last " + durationText(*spec.preceding);
    const std::string what = frame + per("partition", input(), spec.partition_keys) + ", and rows that the watermark has not passed";
    if (spec.partition_keys.empty()) return {{what, "one partition"}};
    return {kept(what, "the number of partitions", 0)};
  }
  std::vector<KeptState> operator()(const ChangelogNormalizeSpec& spec) const {
    return {kept("the last row" + per("key", input(), spec.keys), "the number of keys", spec.state_ttl_ms)};
  }
  std::vector<KeptState> operator()(const SinkSpec& spec) const {
    if (!spec.materialize) return {};
    return {kept("the rows" + per("primary key", input(), spec.primary_key), "the number of keys", 0)};
  }
  std::vector<KeptState> operator()(const MatchSpec& spec) const {
    const std::string what = "partial matches" + per("partition", input(), spec.partition_keys) + ", and rows that the watermark has not passed";
    if (spec.within_ms > 0) return {{what, "time: matches are given up after " + durationText(spec.within_ms) + " (WITHIN)"}};
    return {{what, "GROWS WITHOUT BOUND while a match stays open; WITHIN would bound it", true}};
  }
  template <typename Other>
  std::vector<KeptState> operator()(const Other&) const { return {}; }

 private:
  const Schema& input(size_t at = 0) const { return node_.inputs[at].node->schema; }

  static KeptState joinSide(const char* side, const Schema& schema, const std::vector<int>& keys, const std::vector<int>& unique, int64_t ttl_ms) {
    std::string what = std::string("the ") + side + " rows" + per("join key", schema, keys);
    if (!unique.empty()) what += ", one for each (" + names(schema, unique) + ")";
    return kept(std::move(what), std::string("the number of ") + side + " rows", ttl_ms);
  }

  const PlanNode& node_;
};

struct Totals {
  size_t operators = 0;
  size_t growing = 0;
};

void describe(const PlanNode& node, std::unordered_set<const PlanNode*>& seen, Totals& totals, std::string& text) {
  if (!seen.insert(&node).second) return;
  for (const PlanInput& input : node.inputs) describe(*input.node, seen, totals, text);
  const std::vector<KeptState> states = std::visit(StateDescriber(node), node.spec);
  if (states.empty()) return;
  ++totals.operators;
  bool grows = false;
  text += node.description + '\n';
  for (const KeptState& state : states) {
    text += "  keeps " + state.what + "\n    bound: " + state.bound + '\n';
    grows = grows || state.grows;
  }
  totals.growing += grows ? 1 : 0;
}

/// How many keep state and grow; `operators` gets what each keeps.
std::string summaryOf(const CompiledPlan& plan, std::string& operators) {
  std::unordered_set<const PlanNode*> seen;
  Totals totals;
  for (const PlanNodePtr& sink : plan.sinks) describe(*sink, seen, totals, operators);
  if (totals.operators == 0) return "No operator keeps state: sources remember their positions, sinks what they have staged.";
  const std::string count = counted(totals.operators, "operator keeps", "operators keep") + " state; ";
  if (totals.growing == 0) return count + "all of it is bounded.";
  return count + std::to_string(totals.growing) + (totals.growing == 1 ? " GROWS" : " GROW") + " WITHOUT BOUND.";
}

}  // namespace

std::string stateText(const CompiledPlan& plan) {
  std::string text = "== State ==\n";
  if (plan.batch_mode) return text + "A batch job keeps nothing from one stage to the next but the rows in between.\n";
  std::string operators;
  const std::string summary = summaryOf(plan, operators);
  return text + operators + (operators.empty() ? "" : "\n") + summary + "\n";
}

std::string stateSummary(const CompiledPlan& plan) {
  if (plan.batch_mode) return {};
  std::string operators;
  const std::string summary = summaryOf(plan, operators);
  return "== State ==\n" + summary + (operators.empty() ? "\n" : " EXPLAIN STATE tells which and why.\n");
}

}  // namespace thalweg
