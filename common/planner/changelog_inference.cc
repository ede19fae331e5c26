#include "common/planner/changelog_inference.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "common/planner/operator_description.h"
#include "common/planner/operator_identity.h"
#include "common/planner/operator_uids.h"

namespace thalweg {
namespace {

void inputsFirst(const DraftPtr& draft, std::unordered_set<const Draft*>& seen, std::vector<DraftPtr>& order) {
  if (!seen.insert(draft.get()).second) return;
  for (const DraftInput& input : draft->inputs) inputsFirst(input.draft, seen, order);
  order.push_back(draft);
}

std::vector<DraftPtr> orderOf(const std::vector<DraftPtr>& sinks) {
  std::unordered_set<const Draft*> seen;
  std::vector<DraftPtr> order;
  for (const DraftPtr& sink : sinks) inputsFirst(sink, seen, order);
  return order;
}

bool passesOn(const Draft& draft) {
  if (const auto* calc = std::get_if<CalcSpec>(&draft.spec)) return calc->condition == nullptr;
  return std::holds_alternative<UnionSpec>(draft.spec);
}

bool takesUpserts(const Draft& draft) {
  if (const auto* rank = std::get_if<RankSpec>(&draft.spec)) return rank->monotonic;
  const auto* sink = std::get_if<SinkSpec>(&draft.spec);
  return sink != nullptr && !sink->primary_key.empty() && !sink->input_mode.update_before;
}

void leaveOutUpdateBefore(Draft& draft) {
  if (auto* group = std::get_if<GroupAggregateSpec>(&draft.spec)) group->emit_update_before = false;
  else if (auto* rank = std::get_if<RankSpec>(&draft.spec)) rank->emit_update_before = false;
  else if (auto* dedup = std::get_if<DeduplicateSpec>(&draft.spec)) dedup->emit_update_before = false;
  else if (auto* normalize = std::get_if<ChangelogNormalizeSpec>(&draft.spec)) normalize->emit_update_before = false;
  else if (!passesOn(draft)) return;
  draft.mode.update_before = false;
}

}  // namespace

void inferUpdateBefore(const std::vector<DraftPtr>& sinks) {
  auto order = orderOf(sinks);
  std::unordered_map<const Draft*, bool> needed;
  std::unordered_map<const Draft*, bool> computed_on;   // whether an operator with state reads it
  for (auto draft = order.rbegin(); draft != order.rend(); ++draft) {
    const bool pass = passesOn(**draft);
    const bool shows = std::holds_alternative<CollectSpec>((*draft)->spec) || std::holds_alternative<CalcSpec>((*draft)->spec);
    for (const DraftInput& input : (*draft)->inputs) {
      computed_on[input.draft.get()] = computed_on[input.draft.get()] || !shows || computed_on[draft->get()];
      const bool wants = pass ? needed[draft->get()] : !takesUpserts(**draft);
      needed[input.draft.get()] = needed[input.draft.get()] || wants;
    }
  }
  for (const DraftPtr& draft : order) {
    const bool is_sink = std::holds_alternative<SinkSpec>(draft->spec) || std::holds_alternative<CollectSpec>(draft->spec);
    if (draft->updates_unannounced && !computed_on[draft.get()]) needed[draft.get()] = false;
    if (is_sink || needed[draft.get()] || !draft->mode.update_before) continue;
    leaveOutUpdateBefore(*draft);
  }
}

void fuseCalcs(std::vector<DraftPtr>& sinks) {
  for (const DraftPtr& draft : orderOf(sinks)) {
    auto* upper = std::get_if<CalcSpec>(&draft->spec);
    if (upper == nullptr) continue;
    const DraftPtr below = draft->inputs[0].draft;
    auto* lower = std::get_if<CalcSpec>(&below->spec);
    if (lower == nullptr || below->consumers > 1) continue;
    const bool deterministic = std::all_of(lower->projections.begin(), lower->projections.end(), [](const auto& e) { return isDeterministic(*e); });
    if (!deterministic) continue;
    if (upper->condition && lower->condition && canFail(*upper->condition)) continue;
    for (auto& projection : upper->projections) projection = substituteColumns(projection, lower->projections);
    if (upper->condition) upper->condition = substituteColumns(upper->condition, lower->projections);
    if (lower->condition) {
      upper->condition = upper->condition ? BoundExpr::conjunction({lower->condition, upper->condition}) : lower->condition;
    }
    draft->inputs = below->inputs;
  }
}

std::vector<PlanNodePtr> freeze(const std::vector<DraftPtr>& sinks) {
  std::unordered_map<const Draft*, PlanNodePtr> nodes;
  OperatorUids uids;
  int id = 0;
  for (const DraftPtr& draft : orderOf(sinks)) {
    auto node = std::make_shared<PlanNode>();
    node->id = ++id;
    node->description = descriptionOf(*draft);
    node->uid = uids.uidOf(*draft, identityText(*draft));
    node->computed_inputs = uids.computedInputsOf(*draft);
    node->spec = draft->spec;
    for (const DraftInput& input : draft->inputs) node->inputs.push_back({nodes.at(input.draft.get()), input.distribution});
    node->schema = draft->schema;
    node->mode = draft->mode;
    node->upsert_keys = draft->upsert_keys;
    node->parallelism = draft->parallelism;
    nodes.emplace(draft.get(), std::move(node));
  }
  std::vector<PlanNodePtr> roots;
  for (const DraftPtr& sink : sinks) roots.push_back(nodes.at(sink.get()));
  return roots;
}

}  // namespace thalweg
