// Unnest: one row per element of a collection — elements of an ARRAY (its fields, if they are rows), key and value of a MAP,
// elements of a MULTISET as often as they occur. A NULL among rows is skipped. Row kinds are the input row's.
// A number in place of a collection repeats the row so many times (INTERSECT ALL, EXCEPT ALL).

#include <cstring>

#include "common/columnar/column_reader.h"
#include "common/expr/evaluator.h"
#include "worker/operators/join/join_pairs.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

class UnnestOperator : public PieceOperator {
 public:
  UnnestOperator(UnnestSpec spec, std::vector<DataType> output_types, std::unique_ptr<ExprProgram> collection, std::unique_ptr<ExprProgram> condition)
      : spec_(std::move(spec)), output_types_(std::move(output_types)), collection_(std::move(collection)), condition_(std::move(condition)) {}

  Status open(OperatorContext& context) override {
    eval_ = &context.evalContext();
    return {};
  }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    ASSIGN_OR_RETURN(const auto collections, collection_->evaluate(*eval_, piece));
    std::vector<VectorPtr> elements;
    collectElements(collections[0]->isFlat() ? *collections[0] : *collections[0]->flatten(), elements);
    RETURN_IF_ERROR(filter(piece, elements));
    arrange(piece.rows());
    rows_out_ = build(piece, elements);
    next_ = 0;
    return send(output);
  }

  Result<Progress> resumeWork(Output& output) override { return send(output); }

 private:
  /// Fills rows_, positions_ and ordinals_ with every element; `elements` gets the columns they stand in.
  void collectElements(const Vector& collections, std::vector<VectorPtr>& elements) {
    rows_.clear();
    positions_.clear();
    ordinals_.clear();
    kept_.clear();
    const DataType& type = collections.type();
    if (collections.physicalType() == PhysicalType::NONE) return;
    if (type.isInteger()) return repeatRows(collections);
    const NestedReader reader(collections);
    const bool fields = type.kind() != TypeKind::MAP && reader.child(0)->physicalType() == PhysicalType::ROW;
    const bool counted = type.kind() == TypeKind::MULTISET;
    const RowMapping nulls(*reader.child(0));
    for (size_t row = 0; row < collections.size(); ++row) {
      if (reader.isNull(row)) continue;
      int32_t ordinal = 0;
      for (size_t i = 0; i < reader.length(row); ++i) {
        const size_t position = reader.begin(row) + i;
        const int64_t times = counted ? reader.child(1)->valueAt(position).asInt() : 1;
        for (int64_t t = 0; t < times; ++t) {
          ++ordinal;
          if (fields && nulls.isNull(position)) continue;
          rows_.push_back(static_cast<RowIndex>(row));
          positions_.push_back(static_cast<RowIndex>(position));
          ordinals_.push_back(ordinal);
        }
      }
    }
    if (fields) {
      for (size_t f = 0; f < reader.child(0)->type().childCount(); ++f) elements.push_back(rowField(*reader.child(0), f));
    } else {
      elements.push_back(reader.child(0));
      if (type.kind() == TypeKind::MAP) elements.push_back(reader.child(1));
    }
  }

  void repeatRows(const Vector& counts) {
    for (size_t row = 0; row < counts.size(); ++row) {
      const int64_t times = counts.isNull(row) ? 0 : counts.valueAt(row).asInt();
      for (int64_t t = 0; t < times; ++t) {
        rows_.push_back(static_cast<RowIndex>(row));
        positions_.push_back(0);
        ordinals_.push_back(static_cast<int32_t>(t + 1));
      }
    }
  }

  /// Columns of input rows `rows` beside elements `positions` (JoinPairs::kNone: NULL) and their ordinals.
  std::vector<VectorPtr> columnsOf(const Batch& piece, const std::vector<VectorPtr>& elements, const std::vector<RowIndex>& rows,
                                   const std::vector<RowIndex>& positions, const std::vector<int32_t>& ordinals) const {
    std::vector<VectorPtr> columns;
    for (const VectorPtr& column : piece.columns()) columns.push_back(pickRows(column, rows, column->type()));
    for (const VectorPtr& element : elements) {
      const DataType& type = output_types_[columns.size()];
      columns.push_back(pickRows(element, positions, type));
    }
    const size_t ordinal_columns = spec_.with_ordinality ? 1 : 0;
    // Without any element there are no columns of elements either.
    while (columns.size() + ordinal_columns < output_types_.size()) columns.push_back(Vector::nulls(output_types_[columns.size()].asNullable(), rows.size()));
    if (!spec_.with_ordinality) return columns;
    FlatBuilder<int32_t> numbers(output_types_.back(), rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      if (positions[i] == JoinPairs::kNone) numbers.setNull(i);
      else numbers.set(i, ordinals[i]);
    }
    columns.push_back(numbers.finish());
    return columns;
  }

  /// Drops the elements that the condition does not hold for.
  Status filter(const Batch& piece, const std::vector<VectorPtr>& elements) {
    if (!condition_ || rows_.empty()) return {};
    const Batch pairs(rows_.size(), columnsOf(piece, elements, rows_, positions_, ordinals_));
    kept_.clear();
    RETURN_IF_ERROR(condition_->select(*eval_, pairs, kept_));
    for (size_t i = 0; i < kept_.size(); ++i) {
      rows_[i] = rows_[kept_[i]];
      positions_[i] = positions_[kept_[i]];
      ordinals_[i] = ordinals_[kept_[i]];
    }
    rows_.resize(kept_.size());
    positions_.resize(kept_.size());
    ordinals_.resize(kept_.size());
    return {};
  }

  /// LEFT JOIN: puts rows without an element in their places.
  void arrange(size_t rows) {
    if (!spec_.outer) return;
    std::vector<RowIndex> all_rows, all_positions;
    std::vector<int32_t> all_ordinals;
    size_t at = 0;
    for (size_t row = 0; row < rows; ++row) {
      const size_t first = at;
      for (; at < rows_.size() && rows_[at] == row; ++at) {
        all_rows.push_back(rows_[at]);
        all_positions.push_back(positions_[at]);
        all_ordinals.push_back(ordinals_[at]);
      }
      if (at > first) continue;
      all_rows.push_back(static_cast<RowIndex>(row));
      all_positions.push_back(JoinPairs::kNone);
      all_ordinals.push_back(0);
    }
    rows_.swap(all_rows);
    positions_.swap(all_positions);
    ordinals_.swap(all_ordinals);
  }

  Batch build(const Batch& piece, const std::vector<VectorPtr>& elements) const {
    if (rows_.empty()) return {};
    Batch batch(rows_.size(), columnsOf(piece, elements, rows_, positions_, ordinals_));
    if (piece.isInsertOnly()) return batch;
    std::vector<RowKind> kinds;
    for (const RowIndex row : rows_) kinds.push_back(piece.rowKind(row));
    return batch.withRowKinds(makeRowKinds(kinds));
  }

  Result<Progress> send(Output& output) {
    while (next_ < rows_out_.rows()) {
      const size_t count = std::min(Batch::kRowsTarget, rows_out_.rows() - next_);
      RETURN_IF_ERROR(output.emit(count == rows_out_.rows() ? rows_out_ : rows_out_.slice(next_, count)));
      next_ += count;
      if (next_ < rows_out_.rows() && output.isFull()) return Progress::MORE;
    }
    rows_out_ = Batch();
    return Progress::DONE;
  }

  UnnestSpec spec_;
  std::vector<DataType> output_types_;
  std::unique_ptr<ExprProgram> collection_;
  std::unique_ptr<ExprProgram> condition_;
  EvalContext* eval_ = nullptr;
  // Elements of the piece at hand: the input row, the position in the collections' children, the ordinal.
  std::vector<RowIndex> rows_, positions_;
  std::vector<int32_t> ordinals_;
  std::vector<RowIndex> kept_;
  Batch rows_out_;
  size_t next_ = 0;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeUnnest(const UnnestSpec& spec, const PlanNode& node) {
  ASSIGN_OR_RETURN(auto collection, ExprProgram::compile({spec.collection}));
  std::unique_ptr<ExprProgram> condition;
  if (spec.condition) {
    ASSIGN_OR_RETURN(condition, ExprProgram::compile({spec.condition}));
  }
  std::vector<DataType> types;
  for (const Column& column : node.schema.columns()) types.push_back(column.type);
  return std::unique_ptr<Operator>(std::make_unique<UnnestOperator>(spec, std::move(types), std::move(collection), std::move(condition)));
}

}  // namespace thalweg::worker
