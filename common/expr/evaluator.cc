// Evaluation walks the graph on demand over frames. The root frame is the batch; a branch of CASE and a later operand
// of AND or OR that can fail are evaluated in a sub-frame: the rows that need them, as dictionaries over the frame
// above. What a frame above has already computed is not computed again.
#include "common/expr/evaluator.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "common/base/failpoint.h"
#include "common/expr/expr_graph.h"
#include "common/expr/kleene.h"
#include "common/functions/conditions/merge_branches.h"
#include "common/functions/strict_nulls.h"

namespace thalweg {

namespace {

/// Fewer than one row in this many left: a sub-frame is cheaper than a whole column.
constexpr size_t kSparseFactor = 4;

BufferPtr indexBuffer(std::span<const RowIndex> rows) {
  return Buffer::copyOf({reinterpret_cast<const uint8_t*>(rows.data()), rows.size_bytes()});
}

/// The rows that one evaluation is about.
class Frame {
 public:
  Frame(const Batch& batch, size_t nodes) : batch_(&batch), rows_(batch.rows()), kept_(nodes) {}
  /// Rows `selected` of `parent`, which outlives this frame.
  Frame(const Frame& parent, std::span<const RowIndex> selected)
      : batch_(parent.batch_),
        parent_(&parent),
        rows_(selected.size()),
        indices_(indexBuffer(selected)),
        kept_(parent.kept_.size()) {}

  /// Rows `selected` of `parent` again, but with columns of their own.
  Frame(const Frame& parent, std::span<const RowIndex> selected, const Batch& columns) : Frame(parent, selected) {
    batch_ = &columns;
    owns_columns_ = true;
  }

  size_t rows() const { return rows_; }
  /// Whether columns are its batch's, not those of the frame above.
  bool ownsColumns() const { return owns_columns_; }
  const Frame* parent() const { return parent_; }
  const VectorPtr& batchColumn(int index) const { return batch_->column(static_cast<size_t>(index)); }
  /// `column` of the parent, as this frame's rows.
  VectorPtr fromParent(VectorPtr column) const {
    // What leaves an operator must not keep much more alive than it has.
    if (owns_columns_ && rows_ * kSparseFactor < parent_->rows_) return gather(*column, {indices_->as<RowIndex>(), rows_});
    return Vector::dictionary(std::move(column), indices_, rows_);
  }

  VectorPtr& kept(ExprNodeId id) { return kept_[id]; }
  /// What this frame or one above has kept of a node, or null.
  VectorPtr known(ExprNodeId id) const {
    if (kept_[id] != nullptr || parent_ == nullptr) return kept_[id];
    VectorPtr above = parent_->known(id);
    return above == nullptr ? nullptr : fromParent(std::move(above));
  }

 private:
  const Batch* batch_;
  const Frame* parent_ = nullptr;
  bool owns_columns_ = false;
  size_t rows_;
  BufferPtr indices_;
  std::vector<VectorPtr> kept_;
};

}  // namespace

struct ExprProgram::Impl {
  ExprGraph graph;

  const ExprNode& node(ExprNodeId id) { return graph.nodes()[id]; }

  Result<VectorPtr> eval(EvalContext& context, ExprNodeId id, Frame& frame) {
    ExprNode& current = graph.nodes()[id];
    if (current.is_shared && !(current.kind == BoundKind::COLUMN && frame.ownsColumns())) {
      if (VectorPtr known = frame.known(id)) return frame.kept(id) = std::move(known);
    }
    Result<VectorPtr> result = compute(context, id, frame);
    if (result.isOk() && current.is_shared) frame.kept(id) = *result;
    return result;
  }

  /// The node over rows `rows` of `frame`.
  Result<VectorPtr> evalOn(EvalContext& context, ExprNodeId id, Frame& frame, std::span<const RowIndex> rows) {
    if (rows.size() == frame.rows()) return eval(context, id, frame);
    Frame part(frame, rows);
    return eval(context, id, part);
  }

  Result<VectorPtr> compute(EvalContext& context, ExprNodeId id, Frame& frame) {
    switch (node(id).kind) {
      case BoundKind::LITERAL: return Vector::constant(node(id).literal, frame.rows());
      case BoundKind::COLUMN: return column(node(id).expr->index, frame);
      case BoundKind::FIELD: return field(context, id, frame);
      case BoundKind::CALL:
      case BoundKind::CAST:
      case BoundKind::TRY_CAST: return call(context, id, frame);
      case BoundKind::CASE: return isLazyCase(id) ? lazyCase(context, id, frame) : wholeCase(context, id, frame);
      case BoundKind::AND:
      case BoundKind::OR: return junction(context, id, frame);
    }
    return Status::internal("an expression of unknown kind");
  }

  static VectorPtr column(int index, const Frame& frame) {
    if (frame.parent() == nullptr || frame.ownsColumns()) return frame.batchColumn(index);
    return frame.fromParent(column(index, *frame.parent()));
  }

  Result<VectorPtr> field(EvalContext& context, ExprNodeId id, Frame& frame) {
    ASSIGN_OR_RETURN(const VectorPtr row, eval(context, node(id).args[0], frame));
    const DataType& type = node(id).expr->type;
    if (row->size() == 0 || row->physicalType() == PhysicalType::NONE) return Vector::nulls(type, row->size());
    const auto index = static_cast<size_t>(node(id).expr->index);
    const Vector& flat = row->isFlat() ? *row : *row->base();
    const VectorPtr& child = flat.child(index);
    CHECK_MSG(child != nullptr, "field was not read: " + exprText(*node(id).expr));
    VectorPtr result = child;
    if (row->isConstant())
      result = Vector::constant(child, row->size());
    else if (!row->isFlat())
      result = Vector::dictionary(child, row->indicesBuffer(), row->size(), row->validityBuffer());
    return mergeArgumentNulls(std::move(result), {&row, 1});
  }

  Result<VectorPtr> call(EvalContext& context, ExprNodeId id, Frame& frame) {
    ExprNode& current = graph.nodes()[id];
    current.arguments.clear();
    bool all_constant = current.is_foldable;
    for (const ExprNodeId arg : current.args) {
      ASSIGN_OR_RETURN(VectorPtr argument, eval(context, arg, frame));
      all_constant = all_constant && argument->isConstant();
      current.arguments.push_back(std::move(argument));
    }
    Result<VectorPtr> result =
        all_constant ? applyOnce(context, current, frame.rows()) : apply(context, current, frame.rows());
    current.arguments.clear();
    return result;
  }

  static Result<VectorPtr> apply(EvalContext& context, ExprNode& current, size_t rows) {
    const DataType& type = current.expr->type;
    if (current.is_strict && anyConstantNull(current.arguments)) return Vector::nulls(type, rows);
    Result<VectorPtr> result = current.kernel->evaluate(context, current.arguments, rows);
    if (!result.isOk()) return result.status().withContext(exprText(*current.expr)).at(current.expr->position);
    DCHECK((*result)->size() == rows);
    return current.is_strict ? mergeArgumentNulls(*std::move(result), current.arguments) : result;
  }

  /// All arguments are constant: one row is computed.
  static Result<VectorPtr> applyOnce(EvalContext& context, ExprNode& current, size_t rows) {
    if (rows == 0) return Vector::nulls(current.expr->type, 0);
    for (VectorPtr& argument : current.arguments) argument = argument->slice(0, 1);
    ASSIGN_OR_RETURN(VectorPtr result, apply(context, current, 1));
    return Vector::constant(std::move(result), rows);
  }

  // ---- AND, OR

  Result<VectorPtr> junction(EvalContext& context, ExprNodeId id, Frame& frame) {
    const bool is_and = node(id).kind == BoundKind::AND;
    const std::vector<ExprNodeId>& args = node(id).args;
    ASSIGN_OR_RETURN(const VectorPtr first, eval(context, args[0], frame));
    std::vector<uint8_t> truth = kleeneOf(*first);
    if (THALWEG_MUTANT("unknown_is_false")) std::replace(truth.begin(), truth.end(), kKleeneUnknown, kKleeneFalse);
    const uint8_t decided = is_and ? kKleeneFalse : kKleeneTrue;
    for (size_t i = 1; i < args.size(); ++i) {
      if (!node(args[i]).can_fail) {
        ASSIGN_OR_RETURN(const VectorPtr operand, eval(context, args[i], frame));
        is_and ? kleeneAnd(truth, kleeneOf(*operand)) : kleeneOr(truth, kleeneOf(*operand));
        continue;
      }
      std::vector<RowIndex> undecided;
      for (size_t row = 0; row < truth.size(); ++row) {
        if (truth[row] != decided) undecided.push_back(static_cast<RowIndex>(row));
      }
      if (undecided.empty()) continue;
      ASSIGN_OR_RETURN(const VectorPtr operand, evalOn(context, args[i], frame, undecided));
      const std::vector<uint8_t> part = kleeneOf(*operand);
      for (size_t k = 0; k < undecided.size(); ++k) {
        uint8_t& row = truth[undecided[k]];
        row = is_and ? std::min(row, part[k]) : std::max(row, part[k]);
      }
    }
    return columnOfKleene(truth, node(id).expr->type);
  }

  // ---- CASE

  /// Whether a part that some row does not need can fail.
  bool isLazyCase(ExprNodeId id) {
    const std::vector<ExprNodeId>& args = node(id).args;
    return std::any_of(args.begin() + 1, args.end(), [&](ExprNodeId arg) { return node(arg).can_fail; });
  }

  static VectorPtr typed(VectorPtr column, const DataType& type) {
    return column->physicalType() == PhysicalType::NONE ? column->withType(type) : column;
  }

  Result<VectorPtr> elseColumn(EvalContext& context, ExprNodeId id, Frame& frame) {
    const std::vector<ExprNodeId>& args = node(id).args;
    if (args.size() % 2 == 0) return Vector::nulls(node(id).expr->type, frame.rows());
    ASSIGN_OR_RETURN(VectorPtr column, eval(context, args.back(), frame));
    return typed(std::move(column), node(id).expr->type);
  }

  /// All conditions and results over all rows.
  Result<VectorPtr> wholeCase(EvalContext& context, ExprNodeId id, Frame& frame) {
    const std::vector<ExprNodeId>& args = node(id).args;
    const DataType& type = node(id).expr->type;
    const size_t branches = args.size() / 2;
    std::vector<uint16_t> choice(frame.rows(), static_cast<uint16_t>(branches));
    std::vector<VectorPtr> results;
    for (size_t i = 0; i < branches; ++i) {
      ASSIGN_OR_RETURN(const VectorPtr condition, eval(context, args[2 * i], frame));
      const std::vector<uint8_t> truth = kleeneOf(*condition);
      for (size_t row = 0; row < choice.size(); ++row) {
        const bool takes = choice[row] == branches && truth[row] == kKleeneTrue;
        choice[row] = takes ? static_cast<uint16_t>(i) : choice[row];
      }
      ASSIGN_OR_RETURN(VectorPtr result, eval(context, args[2 * i + 1], frame));
      results.push_back(typed(std::move(result), type));
    }
    ASSIGN_OR_RETURN(VectorPtr otherwise, elseColumn(context, id, frame));
    results.push_back(std::move(otherwise));
    return mergeBranches(type, results, choice);
  }

  /// Each condition over the rows that are still open, each result over the rows that took its branch.
  Result<VectorPtr> lazyCase(EvalContext& context, ExprNodeId id, Frame& frame) {
    const std::vector<ExprNodeId>& args = node(id).args;
    const DataType& type = node(id).expr->type;
    std::vector<uint16_t> choice(frame.rows());
    std::vector<RowIndex> positions(frame.rows());
    std::vector<VectorPtr> results;
    const auto take = [&](std::span<const RowIndex> rows, VectorPtr result) {
      for (size_t k = 0; k < rows.size(); ++k) {
        choice[rows[k]] = static_cast<uint16_t>(results.size());
        positions[rows[k]] = static_cast<RowIndex>(k);
      }
      results.push_back(typed(std::move(result), type));
    };

    std::vector<RowIndex> open(frame.rows());
    std::iota(open.begin(), open.end(), RowIndex{0});
    for (size_t i = 0; i + 1 < args.size() && !open.empty(); i += 2) {
      ASSIGN_OR_RETURN(const VectorPtr condition, evalOn(context, args[i], frame, open));
      std::vector<RowIndex> taken;
      appendTrueRows(*condition, taken);
      if (taken.empty()) continue;
      std::vector<RowIndex> rest;
      for (size_t k = 0, t = 0; k < open.size(); ++k) {
        if (t < taken.size() && taken[t] == k)
          taken[t++] = open[k];
        else
          rest.push_back(open[k]);
      }
      ASSIGN_OR_RETURN(VectorPtr result, evalOn(context, args[i + 1], frame, taken));
      take(taken, std::move(result));
      open = std::move(rest);
    }
    if (!open.empty()) {
      Frame rest(frame, open);
      ASSIGN_OR_RETURN(VectorPtr otherwise, elseColumn(context, id, rest));
      take(open, std::move(otherwise));
    }
    if (results.empty()) return Vector::nulls(type, 0);
    return mergeBranches(type, results, choice, positions);
  }

  // ---- Filters

  /// Appends the rows of `frame` where the node is TRUE.
  Status selectTrue(EvalContext& context, ExprNodeId id, Frame& frame, std::vector<RowIndex>& rows) {
    if (node(id).kind != BoundKind::AND) {
      ASSIGN_OR_RETURN(const VectorPtr truth, eval(context, id, frame));
      appendTrueRows(*truth, rows);
      return {};
    }
    const std::vector<ExprNodeId>& args = node(id).args;
    std::vector<RowIndex> left;
    RETURN_IF_ERROR(selectTrue(context, args[0], frame, left));
    for (size_t i = 1; i < args.size() && !left.empty(); ++i) RETURN_IF_ERROR(narrow(context, args[i], frame, left));
    rows.insert(rows.end(), left.begin(), left.end());
    return {};
  }

  /// Keeps of `left` (rows of `frame`) those where the node is TRUE.
  Status narrow(EvalContext& context, ExprNodeId id, Frame& frame, std::vector<RowIndex>& left) {
    std::vector<RowIndex> kept;
    const bool is_sparse = left.size() * kSparseFactor < frame.rows();
    if (left.size() < frame.rows() && (node(id).can_fail || is_sparse)) {
      Frame rest(frame, left);
      RETURN_IF_ERROR(selectTrue(context, id, rest, kept));
      for (RowIndex& row : kept) row = left[row];
    } else {
      std::vector<RowIndex> also;
      RETURN_IF_ERROR(selectTrue(context, id, frame, also));
      std::ranges::set_intersection(left, also, std::back_inserter(kept));
    }
    left = std::move(kept);
    return {};
  }
};

ExprProgram::ExprProgram() : impl_(std::make_unique<Impl>()) {}
ExprProgram::~ExprProgram() = default;

Result<std::unique_ptr<ExprProgram>> ExprProgram::compile(std::vector<BoundExprPtr> expressions) {
  std::unique_ptr<ExprProgram> program(new ExprProgram());
  ASSIGN_OR_RETURN(program->impl_->graph, ExprGraph::build(expressions));
  return program;
}

Result<std::vector<VectorPtr>> ExprProgram::evaluate(EvalContext& context, const Batch& batch) {
  Frame frame(batch, impl_->graph.nodes().size());
  std::vector<VectorPtr> results;
  results.reserve(impl_->graph.roots().size());
  for (const ExprNodeId root : impl_->graph.roots()) {
    ASSIGN_OR_RETURN(VectorPtr result, impl_->eval(context, root, frame));
    results.push_back(std::move(result));
  }
  return results;
}

Status ExprProgram::select(EvalContext& context, const Batch& batch, std::vector<RowIndex>& rows) {
  CHECK(impl_->graph.roots().size() == 1);
  Frame frame(batch, impl_->graph.nodes().size());
  return impl_->selectTrue(context, impl_->graph.roots()[0], frame, rows);
}

Result<Batch> ExprProgram::filter(EvalContext& context, const Batch& batch) {
  const std::vector<ExprNodeId>& roots = impl_->graph.roots();
  Frame whole(batch, impl_->graph.nodes().size());
  std::vector<RowIndex> rows;
  RETURN_IF_ERROR(impl_->selectTrue(context, roots[0], whole, rows));
  const Batch selected = rows.size() == batch.rows() ? batch : batch.select(rows);
  if (selected.rows() == 0) return selected.withColumns({});
  std::optional<Frame> part;
  if (rows.size() < batch.rows()) part.emplace(whole, rows, selected);
  std::vector<VectorPtr> columns;
  for (size_t i = 1; i < roots.size(); ++i) {
    ASSIGN_OR_RETURN(VectorPtr column, impl_->eval(context, roots[i], part ? *part : whole));
    columns.push_back(std::move(column));
  }
  return selected.withColumns(std::move(columns));
}

Result<Value> evaluateConstant(const BoundExprPtr& expression, EvalContext& context) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ExprProgram> program, ExprProgram::compile({expression}));
  ASSIGN_OR_RETURN(const std::vector<VectorPtr> results, program->evaluate(context, Batch(1, {})));
  return results[0]->valueAt(0);
}

}  // namespace thalweg
