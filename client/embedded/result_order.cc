#include "client/embedded/result_order.h"

namespace thalweg::client {
namespace {

/// Per column of a Calc's input, where it is found behind the Calc; -1: not at all.
std::vector<int> placesBehind(const CalcSpec& calc, size_t input_columns) {
  std::vector<int> places(input_columns, -1);
  for (size_t i = 0; i < calc.projections.size(); ++i) {
    const BoundExpr& projection = *calc.projections[i];
    if (projection.isColumn() && places[static_cast<size_t>(projection.index)] < 0) places[static_cast<size_t>(projection.index)] = static_cast<int>(i);
  }
  return places;
}

}  // namespace

std::vector<SortKey> resultOrderOf(const PlanNode& sink) {
  if (sink.inputs.size() != 1) return {};
  const PlanNode* node = sink.inputs[0].node.get();
  std::vector<int> place(node->schema.size());
  for (size_t i = 0; i < place.size(); ++i) place[i] = static_cast<int>(i);
  while (const auto* calc = std::get_if<CalcSpec>(&node->spec)) {
    const PlanNode* below = node->inputs[0].node.get();
    std::vector<int> places = placesBehind(*calc, below->schema.size());
    for (int& at : places) at = at < 0 ? -1 : place[static_cast<size_t>(at)];
    place = std::move(places);
    node = below;
  }
  const auto* rank = std::get_if<RankSpec>(&node->spec);
  if (rank == nullptr) return {};
  std::vector<SortKey> order;
  for (const int key : rank->partition_keys) {
    if (place[static_cast<size_t>(key)] >= 0) order.push_back({place[static_cast<size_t>(key)]});
  }
  if (rank->output_rank && place.back() >= 0) {
    order.push_back({place.back()});
    return order;
  }
  for (SortKey key : rank->order_by) {
    key.column = place[static_cast<size_t>(key.column)];
    if (key.column < 0) return {};
    order.push_back(key);
  }
  return order;
}

}  // namespace thalweg::client
