// Filter push-down and the reshaping of join conditions.
//
// One recursive walk from the root carries the conjuncts that may still move down. At each node they are split into
// those that can pass and those that stay. A node with several consumers is a barrier: conditions of one consumer
// must not reach the others. Conditions that are not deterministic stay where they were written.
// Into a SCAN goes what the paths of files decide (path_conditions.h); the rest stays above it, and above its watermark.

#include <unordered_map>

#include "common/planner/expression_rewrite.h"
#include "common/planner/logical_rewrite.h"
#include "common/planner/optimizer.h"
#include "common/planner/path_conditions.h"

namespace thalweg {
namespace {

using Conjuncts = std::vector<BoundExprPtr>;

LogicalNodePtr filtered(LogicalNodePtr node, Conjuncts conjuncts) {
  if (conjuncts.empty()) return node;
  return std::make_shared<LogicalFilter>(std::move(node), BoundExpr::conjunction(std::move(conjuncts)));
}

/// The conjuncts of a condition, with what all alternatives of an OR have in common as conjuncts of their own.
Conjuncts conjunctsOf(const BoundExprPtr& condition) {
  Conjuncts all;
  for (const auto& part : splitConjunction(condition)) {
    for (auto& factor : splitConjunction(pullCommonFactors(part))) all.push_back(std::move(factor));
  }
  return all;
}

int width(const LogicalNodePtr& node) { return static_cast<int>(node->schema.size()); }

bool within(const BoundExpr& expr, int begin, int end) {
  for (const int column : columnsOf(expr)) {
    if (column < begin || column >= end) return false;
  }
  return true;
}

std::vector<int> shiftMapping(int size, int shift) {
  std::vector<int> mapping(static_cast<size_t>(size), -1);
  for (int i = 0; i < size; ++i) {
    if (i + shift >= 0) mapping[static_cast<size_t>(i)] = i + shift;
  }
  return mapping;
}

class FilterPusher {
 public:
  FilterPusher(const LogicalNodePtr& root, bool batch_mode) : batch_mode_(batch_mode), consumers_(root) {}

  LogicalNodePtr push(const LogicalNodePtr& node, Conjuncts conjuncts) {
    if (consumers_.isShared(node)) {
      auto found = shared_.find(node.get());
      if (found == shared_.end()) found = shared_.emplace(node.get(), pushInto(node, {})).first;
      return filtered(found->second, std::move(conjuncts));
    }
    return pushInto(node, std::move(conjuncts));
  }

 private:
  LogicalNodePtr pushInto(const LogicalNodePtr& node, Conjuncts conjuncts) {
    switch (node->kind) {
      case LogicalKind::FILTER: return throughFilter(node, std::move(conjuncts));
      case LogicalKind::PROJECT: return throughProject(node, std::move(conjuncts));
      case LogicalKind::JOIN: return throughJoin(node, std::move(conjuncts));
      case LogicalKind::SET_OP: return throughUnion(node, std::move(conjuncts));
      case LogicalKind::AGGREGATE: return throughAggregate(node, std::move(conjuncts));
      case LogicalKind::SCAN: {
        auto scan = takePathConditions(node, conjuncts, batch_mode_);
        return filtered(std::move(scan), std::move(conjuncts));
      }
      default: return stop(node, std::move(conjuncts));
    }
  }

  LogicalNodePtr stop(const LogicalNodePtr& node, Conjuncts conjuncts) {
    std::vector<LogicalNodePtr> inputs;
    for (const auto& input : node->inputs) inputs.push_back(push(input, {}));
    return filtered(withInputs(node, std::move(inputs)), std::move(conjuncts));
  }

  LogicalNodePtr throughFilter(const LogicalNodePtr& node, Conjuncts conjuncts) {
    Conjuncts stay;
    Conjuncts all = conjunctsOf(node->as<LogicalFilter>().condition);
    for (auto& part : conjuncts) all.push_back(std::move(part));
    Conjuncts move;
    for (auto& part : all) (isDeterministic(*part) ? move : stay).push_back(std::move(part));
    return filtered(push(node->inputs[0], std::move(move)), std::move(stay));
  }

  LogicalNodePtr throughProject(const LogicalNodePtr& node, Conjuncts conjuncts) {
    const auto& project = node->as<LogicalProject>();
    Conjuncts move;
    Conjuncts stay;
    for (auto& part : conjuncts) {
      bool movable = true;
      for (const int column : columnsOf(*part)) {
        movable = movable && isDeterministic(*project.expressions[static_cast<size_t>(column)]);
      }
      if (movable) move.push_back(substituteColumns(part, project.expressions));
      else stay.push_back(std::move(part));
    }
    return filtered(withInputs(node, {push(node->inputs[0], std::move(move))}), std::move(stay));
  }

  LogicalNodePtr throughUnion(const LogicalNodePtr& node, Conjuncts conjuncts) {
    const auto& set = node->as<LogicalSetOp>();
    if (set.op != SetOpKind::UNION || !set.all) return stop(node, std::move(conjuncts));
    std::vector<LogicalNodePtr> inputs;
    for (const auto& input : node->inputs) inputs.push_back(push(input, conjuncts));
    return withInputs(node, std::move(inputs));
  }

  LogicalNodePtr throughAggregate(const LogicalNodePtr& node, Conjuncts conjuncts) {
    const auto& aggregate = node->as<LogicalAggregate>();
    if (!aggregate.grouping_sets.empty() || aggregate.group_window || aggregate.keys.empty()) {
      return stop(node, std::move(conjuncts));
    }
    std::vector<int> mapping(node->schema.size(), -1);
    for (size_t i = 0; i < aggregate.keys.size(); ++i) mapping[i] = aggregate.keys[i];
    Conjuncts move;
    Conjuncts stay;
    for (auto& part : conjuncts) {
      if (!columnsOf(*part).empty() && within(*part, 0, static_cast<int>(aggregate.keys.size()))) {
        move.push_back(remapColumns(part, mapping));
      } else {
        stay.push_back(std::move(part));
      }
    }
    return filtered(withInputs(node, {push(node->inputs[0], std::move(move))}), std::move(stay));
  }

  LogicalNodePtr throughJoin(const LogicalNodePtr& node, Conjuncts conjuncts) {
    auto join = std::make_shared<LogicalJoin>(node->as<LogicalJoin>());
    const int split = width(node->inputs[0]);
    const int end = split + width(node->inputs[1]);
    const bool temporal = node->inputs[1]->kind == LogicalKind::TEMPORAL;
    if (!temporal) narrowOuterJoin(*join, conjuncts, split, end);

    Conjuncts left;
    Conjuncts right;
    Conjuncts on;
    Conjuncts above;
    const bool inner = join->type == JoinType::INNER;
    const bool left_kept = inner || join->type == JoinType::LEFT || join->type == JoinType::SEMI || join->type == JoinType::ANTI;
    const bool right_kept = inner || join->type == JoinType::RIGHT;
    for (auto& part : conjuncts) {
      if (!columnsOf(*part).empty() && left_kept && within(*part, 0, split)) left.push_back(std::move(part));
      else if (!columnsOf(*part).empty() && right_kept && !temporal && within(*part, split, end)) right.push_back(std::move(part));
      else if (inner && !temporal) on.push_back(std::move(part));
      else above.push_back(std::move(part));
    }
    if (join->condition && !join->null_aware_anti) {
      for (auto& part : conjunctsOf(join->condition)) placeJoinConjunct(*join, part, split, end, temporal, left, right, on);
      join->condition = nullptr;
    }
    if (inner && !temporal) addImplied(on, split, end, left, right);
    if (!on.empty()) join->condition = BoundExpr::conjunction(std::move(on));
    const auto to_right = shiftMapping(end, -split);
    for (auto& part : right) part = remapColumns(part, to_right);
    auto rebuilt = withInputs(join, {push(node->inputs[0], std::move(left)), push(node->inputs[1], std::move(right))});
    return filtered(std::move(rebuilt), std::move(above));
  }

  /// A conjunct of ON: to the one side it reads where the join type allows, else it stays a join condition.
  static void placeJoinConjunct(const LogicalJoin& join, const BoundExprPtr& part, int split, int end, bool temporal,
                                Conjuncts& left, Conjuncts& right, Conjuncts& on) {
    const bool movable = isDeterministic(*part) && !columnsOf(*part).empty() && !temporal;
    const bool to_left = join.type == JoinType::INNER || join.type == JoinType::RIGHT || join.type == JoinType::SEMI;
    const bool to_right = join.type != JoinType::RIGHT && join.type != JoinType::FULL;
    if (movable && to_left && within(*part, 0, split)) left.push_back(part);
    else if (movable && to_right && within(*part, split, end)) right.push_back(part);
    else on.push_back(part);
  }

  /// What an OR over both sides implies for one of them is asked there too; the OR itself stays.
  static void addImplied(const Conjuncts& on, int split, int end, Conjuncts& left, Conjuncts& right) {
    for (const auto& part : on) {
      if (auto implied = impliedWithin(*part, 0, split)) left.push_back(std::move(implied));
      if (auto implied = impliedWithin(*part, split, end)) right.push_back(std::move(implied));
    }
  }

  static void narrowOuterJoin(LogicalJoin& join, const Conjuncts& conjuncts, int split, int end) {
    bool rejects_left = false;
    bool rejects_right = false;
    for (const auto& part : conjuncts) {
      rejects_left = rejects_left || rejectsNulls(*part, 0, split);
      rejects_right = rejects_right || rejectsNulls(*part, split, end);
    }
    if (join.type == JoinType::LEFT && rejects_right) join.type = JoinType::INNER;
    else if (join.type == JoinType::RIGHT && rejects_left) join.type = JoinType::INNER;
    else if (join.type == JoinType::FULL && rejects_left && rejects_right) join.type = JoinType::INNER;
    else if (join.type == JoinType::FULL && rejects_left) join.type = JoinType::LEFT;
    else if (join.type == JoinType::FULL && rejects_right) join.type = JoinType::RIGHT;
  }

  bool batch_mode_;
  ConsumerCounts consumers_;
  std::unordered_map<const LogicalNode*, LogicalNodePtr> shared_;
};

}  // namespace

Result<LogicalNodePtr> pushFiltersDown(const LogicalNodePtr& root, const PlannerSettings& settings) {
  return FilterPusher(root, settings.batch_mode).push(root, {});
}

}  // namespace thalweg
