// The order of inner joins in batch mode.
//
// A tree of inner joins is taken apart into its relations and conditions and put together again as a chain: the largest
// relation first, which is never built but streams through, then whichever connected one leaves the fewest rows, the smaller
// to build if that is the same. Relations without a condition to what is there already come last, so that all pairs are made
// only where the query asks for them. Where sizes are unknown or small the order stays as it was written, unless it would
// make pairs that a condition further on throws away again.
// Conditions stand at the first join that has all they read. A projection on top restores the order of columns.

#include <algorithm>
#include <set>

#include "common/planner/expression_rewrite.h"
#include "common/planner/logical_rewrite.h"
#include "common/planner/optimizer.h"
#include "common/planner/row_estimates.h"

namespace thalweg {
namespace {

constexpr double kLargeRows = 1e5;       // below this no order is worth another

/// A relation of the tree.
struct Leaf {
  LogicalNodePtr node;
  int first = 0;                         // of its columns in the tree's output
  RowEstimate rows;
  int end() const { return first + static_cast<int>(node->schema.size()); }
};

struct Condition {
  BoundExprPtr expr;                     // over the tree's output
  std::set<size_t> leaves;               // that it reads
  bool is_key = false;                   // an equality between some of them
};

bool isEquality(const BoundExpr& expr) {
  return expr.kind == BoundKind::CALL && expr.args.size() == 2 && (expr.function->name == "=" || expr.function->name == "IS NOT DISTINCT FROM") &&
         !columnsOf(*expr.args[0]).empty() && !columnsOf(*expr.args[1]).empty();
}

class JoinTree {
 public:
  JoinTree(const LogicalNodePtr& root, RowEstimates& estimates) : root_(root), estimates_(estimates) {}

  /// Adds what a part of the tree is made of; `leaf` says what is no further part.
  template <typename IsLeaf>
  void take(const LogicalNodePtr& node, int first, const IsLeaf& isLeaf) {
    if (node != root_ && isLeaf(node)) {
      leaves_.push_back({node, first, {}});
      return;
    }
    const auto& join = node->as<LogicalJoin>();
    take(node->inputs[0], first, isLeaf);
    take(node->inputs[1], first + static_cast<int>(node->inputs[0]->schema.size()), isLeaf);
    if (!join.condition) return;
    std::vector<int> shift(node->schema.size());
    for (size_t i = 0; i < shift.size(); ++i) shift[i] = first + static_cast<int>(i);
    for (const auto& part : splitConjunction(join.condition)) conditions_.push_back({remapColumns(part, shift), {}, false});
  }

  std::vector<Leaf>& leaves() { return leaves_; }

  LogicalNodePtr ordered() {
    for (Leaf& leaf : leaves_) leaf.rows = estimates_.of(leaf.node);
    for (Condition& condition : conditions_) {
      if (!isDeterministic(*condition.expr)) return nullptr;
      for (const int column : columnsOf(*condition.expr)) condition.leaves.insert(leafOf(column));
      condition.is_key = condition.leaves.size() > 1 && isEquality(*condition.expr);
    }
    std::vector<size_t> written;
    for (size_t i = 0; i < leaves_.size(); ++i) written.push_back(i);
    const bool known = std::all_of(leaves_.begin(), leaves_.end(), [](const Leaf& leaf) { return leaf.rows.known; });
    const bool large = std::any_of(leaves_.begin(), leaves_.end(), [](const Leaf& leaf) { return leaf.rows.before >= kLargeRows; });
    const std::vector<size_t> order = known && large ? byCost() : connected(written);
    return order == written ? nullptr : rebuild(order);
  }

 private:
  size_t leafOf(int column) const {
    size_t leaf = 0;
    while (column >= leaves_[leaf].end()) ++leaf;
    return leaf;
  }

  bool connects(const std::set<size_t>& present, size_t leaf) const {
    return std::any_of(conditions_.begin(), conditions_.end(), [&](const Condition& condition) {
      if (!condition.is_key || !condition.leaves.contains(leaf)) return false;
      return std::all_of(condition.leaves.begin(), condition.leaves.end(), [&](size_t each) { return each == leaf || present.contains(each); });
    });
  }

  /// As given, but what is connected to nothing before it waits until something is.
  std::vector<size_t> connected(const std::vector<size_t>& given) const {
    std::vector<size_t> left = given;
    std::vector<size_t> order;
    std::set<size_t> present;
    while (!left.empty()) {
      auto next = std::find_if(left.begin(), left.end(), [&](size_t leaf) { return present.empty() || connects(present, leaf); });
      if (next == left.end()) next = left.begin();
      order.push_back(*next);
      present.insert(*next);
      left.erase(next);
    }
    return order;
  }

  std::vector<size_t> byCost() const {
    size_t largest = 0;
    for (size_t i = 1; i < leaves_.size(); ++i) {
      if (leaves_[i].rows.rows > leaves_[largest].rows.rows) largest = i;
    }
    std::vector<size_t> order = {largest};
    std::set<size_t> present = {largest};
    RowEstimate rows = leaves_[largest].rows;
    while (order.size() < leaves_.size()) {
      size_t best = leaves_.size();
      RowEstimate best_rows;
      bool best_connects = false;
      for (size_t i = 0; i < leaves_.size(); ++i) {
        if (present.contains(i)) continue;
        const bool has_keys = connects(present, i);
        const RowEstimate joined = RowEstimates::joined(rows, leaves_[i].rows, has_keys);
        const bool better = best == leaves_.size() || (has_keys != best_connects ? has_keys : joined.rows != best_rows.rows ? joined.rows < best_rows.rows : leaves_[i].rows.rows < leaves_[best].rows.rows);
        if (!better) continue;
        best = i;
        best_rows = joined;
        best_connects = has_keys;
      }
      order.push_back(best);
      present.insert(best);
      rows = best_rows;
    }
    return order;
  }

  LogicalNodePtr rebuild(const std::vector<size_t>& order) const {
    std::vector<int> places(root_->schema.size(), -1);       // of the tree's columns
    std::vector<bool> used(conditions_.size(), false);
    std::set<size_t> present;
    std::vector<Column> columns;
    LogicalNodePtr chain;
    for (const size_t number : order) {
      const Leaf& leaf = leaves_[number];
      for (int column = leaf.first; column < leaf.end(); ++column) {
        places[static_cast<size_t>(column)] = static_cast<int>(columns.size());
        columns.push_back(root_->schema.column(static_cast<size_t>(column)));
      }
      present.insert(number);
      if (!chain) {
        chain = leaf.node;
        continue;
      }
      std::vector<BoundExprPtr> here;
      for (size_t i = 0; i < conditions_.size(); ++i) {
        if (used[i] || !std::includes(present.begin(), present.end(), conditions_[i].leaves.begin(), conditions_[i].leaves.end())) continue;
        used[i] = true;
        here.push_back(remapColumns(conditions_[i].expr, places));
      }
      BoundExprPtr condition = here.empty() ? nullptr : BoundExpr::conjunction(std::move(here));
      chain = std::make_shared<LogicalJoin>(chain, leaf.node, JoinType::INNER, std::move(condition), Schema(columns));
    }
    std::vector<BoundExprPtr> back;
    for (size_t i = 0; i < places.size(); ++i) back.push_back(BoundExpr::column(places[i], root_->schema.type(i)));
    return std::make_shared<LogicalProject>(std::move(chain), std::move(back), root_->schema);
  }

  LogicalNodePtr root_;
  RowEstimates& estimates_;
  std::vector<Leaf> leaves_;
  std::vector<Condition> conditions_;
};

class JoinOrderer {
 public:
  JoinOrderer(const LogicalNodePtr& root, const PlannerSettings& settings) : estimates_(settings), consumers_(root) {}

  LogicalNodePtr rewrite(const LogicalNodePtr& node) {
    const auto found = done_.find(node.get());
    if (found != done_.end()) return found->second;
    return done_[node.get()] = isInner(node) ? order(node) : withRewrittenInputs(node);
  }

 private:
  static bool isInner(const LogicalNodePtr& node) {
    if (node->kind != LogicalKind::JOIN || node->inputs[1]->kind == LogicalKind::TEMPORAL) return false;
    const auto& join = node->as<LogicalJoin>();
    return join.type == JoinType::INNER && !join.state_ttl_ms[0] && !join.state_ttl_ms[1];
  }

  LogicalNodePtr withRewrittenInputs(const LogicalNodePtr& node) {
    std::vector<LogicalNodePtr> inputs;
    for (const auto& input : node->inputs) inputs.push_back(rewrite(input));
    return withInputs(node, std::move(inputs));
  }

  LogicalNodePtr order(const LogicalNodePtr& root) {
    JoinTree tree(root, estimates_);
    tree.take(root, 0, [this](const LogicalNodePtr& node) { return !isInner(node) || consumers_.isShared(node); });
    for (Leaf& leaf : tree.leaves()) leaf.node = rewrite(leaf.node);
    const LogicalNodePtr ordered = tree.ordered();
    return ordered ? ordered : withRewrittenInputs(root);
  }

  RowEstimates estimates_;
  ConsumerCounts consumers_;
  std::unordered_map<const LogicalNode*, LogicalNodePtr> done_;
};

}  // namespace

Result<LogicalNodePtr> orderJoins(const LogicalNodePtr& root, const PlannerSettings& settings) {
  return settings.batch_mode ? JoinOrderer(root, settings).rewrite(root) : root;
}

}  // namespace thalweg
