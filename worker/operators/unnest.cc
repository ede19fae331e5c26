// Unnest: the rows of a collection column beside the row they come from.
//
// Output: the input's columns, the element's columns (the fields of a ROW element, key and value of a map entry), then
// the ordinality. A MULTISET gives each element as often as it is in it. An outer unnest pads a row without (matching)
// elements. Row kinds go with the rows.

#include "common/columnar/column_reader.h"
#include "common/expr/evaluator.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

constexpr RowIndex kPadded = ~RowIndex{0};

/// Rows `rows` of `column`; kPadded gives NULL.
VectorPtr pick(const VectorPtr& column, const std::vector<RowIndex>& rows, const DataType& type) {
  if (column->size() == 0) return Vector::nulls(type, rows.size());
  auto indices = Buffer::allocate(rows.size() * sizeof(RowIndex));
  auto validity = Buffer::allocateZeroed(bitmapBytes(rows.size()));
  bool padded = false;
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool none = rows[i] == kPadded;
    padded = padded || none;
    indices->mutableAs<RowIndex>()[i] = none ? 0 : rows[i];
    if (!none) setBit(validity->mutableAs<uint64_t>(), i);
  }
  return Vector::dictionary(column, std::move(indices), rows.size(), padded ? BufferPtr(validity) : nullptr);
}

class UnnestOperator : public PieceOperator {
 public:
  UnnestOperator(UnnestSpec spec, Schema output, std::unique_ptr<ExprProgram> collection, std::unique_ptr<ExprProgram> condition)
      : spec_(std::move(spec)), output_(std::move(output)), collection_(std::move(collection)), condition_(std::move(condition)) {}

  Status open(OperatorContext& context) override {
    eval_ = &context.evalContext();
    return {};
  }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    ASSIGN_OR_RETURN(const auto evaluated, collection_->evaluate(*eval_, piece));
    const VectorPtr collection = evaluated[0];
    sources_.clear();
    elements_.clear();
    ordinals_.clear();
    list(*collection, piece.rows());
    if (condition_) RETURN_IF_ERROR(filter(piece, *collection));
    if (spec_.outer) pad(piece.rows());
    if (sources_.empty()) return Progress::DONE;
    RETURN_IF_ERROR(output.emit(assemble(piece, *collection)));
    return Progress::DONE;
  }

 private:
  bool isMultiset() const { return spec_.collection->type.kind() == TypeKind::MULTISET; }

  void list(const Vector& collection, size_t rows) {
    const NestedReader reader(collection);
    const DataType& type = spec_.collection->type;
    const bool of_rows = type.kind() != TypeKind::MAP && type.child(0).kind() == TypeKind::ROW;
    for (size_t row = 0; row < rows; ++row) {
      if (reader.isNull(row)) continue;
      int32_t ordinal = 0;
      for (size_t i = 0; i < reader.length(row); ++i) {
        const size_t at = reader.begin(row) + i;
        if (of_rows && reader.child(0)->isNull(at)) continue;   // a NULL row has no fields to give
        const int64_t copies = isMultiset() ? ColumnReader<int32_t>(*reader.child(1))[at] : 1;
        for (int64_t copy = 0; copy < copies; ++copy) {
          sources_.push_back(static_cast<RowIndex>(row));
          elements_.push_back(static_cast<RowIndex>(at));
          ordinals_.push_back(++ordinal);
        }
      }
    }
  }

  Status filter(const Batch& piece, const Vector& collection) {
    if (sources_.empty()) return {};
    ASSIGN_OR_RETURN(const auto verdicts, condition_->evaluate(*eval_, assemble(piece, collection).withRowKinds(nullptr)));
    const ColumnReader<bool> holds(*verdicts[0]);
    size_t kept = 0;
    for (size_t i = 0; i < sources_.size(); ++i) {
      if (holds.isNull(i) || !holds[i]) continue;
      sources_[kept] = sources_[i];
      elements_[kept] = elements_[i];
      ordinals_[kept] = ordinals_[i];
      ++kept;
    }
    sources_.resize(kept);
    elements_.resize(kept);
    ordinals_.resize(kept);
    return {};
  }

  /// Puts a padded row where an input row has none.
  void pad(size_t rows) {
    std::vector<RowIndex> sources, elements;
    std::vector<int32_t> ordinals;
    size_t next = 0;
    for (size_t row = 0; row < rows; ++row) {
      if (next == sources_.size() || sources_[next] != row) {
        sources.push_back(static_cast<RowIndex>(row));
        elements.push_back(kPadded);
        ordinals.push_back(0);
      }
      for (; next < sources_.size() && sources_[next] == row; ++next) {
        sources.push_back(sources_[next]);
        elements.push_back(elements_[next]);
        ordinals.push_back(ordinals_[next]);
      }
    }
    sources_ = std::move(sources);
    elements_ = std::move(elements);
    ordinals_ = std::move(ordinals);
  }

  Batch assemble(const Batch& piece, const Vector& collection) const {
    const size_t rows = sources_.size();
    std::vector<VectorPtr> columns;
    for (const VectorPtr& column : piece.columns()) columns.push_back(pick(column, sources_, column->type()));
    const auto element_type = [&] { return output_.type(columns.size()).asNullable(); };
    const NestedReader reader(collection);
    const DataType& type = spec_.collection->type;
    const VectorPtr first = reader.child(0);
    if (type.kind() == TypeKind::MAP) {
      columns.push_back(pick(first, elements_, element_type()));
      columns.push_back(pick(reader.child(1), elements_, element_type()));
    } else if (type.child(0).kind() == TypeKind::ROW) {
      for (size_t field = 0; field < type.child(0).childCount(); ++field) {
        const VectorPtr column = first->size() == 0 ? first : rowField(*first, field);
        columns.push_back(pick(column, elements_, element_type()));
      }
    } else {
      columns.push_back(pick(first, elements_, element_type()));
    }
    if (spec_.with_ordinality) {
      FlatBuilder<int32_t> ordinals(DataType::integer(), rows);
      for (size_t i = 0; i < rows; ++i) {
        if (elements_[i] == kPadded) ordinals.setNull(i);
        else ordinals.set(i, ordinals_[i]);
      }
      columns.push_back(ordinals.finish());
    }
    Batch batch(rows, std::move(columns));
    if (piece.isInsertOnly()) return batch;
    std::vector<RowKind> kinds;
    for (const RowIndex row : sources_) kinds.push_back(piece.rowKind(row));
    return batch.withRowKinds(makeRowKinds(kinds));
  }

  UnnestSpec spec_;
  Schema output_;
  std::unique_ptr<ExprProgram> collection_;
  std::unique_ptr<ExprProgram> condition_;
  EvalContext* eval_ = nullptr;
  std::vector<RowIndex> sources_, elements_;
  std::vector<int32_t> ordinals_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeUnnest(const UnnestSpec& spec, const PlanNode& node) {
  ASSIGN_OR_RETURN(auto collection, ExprProgram::compile({spec.collection}));
  std::unique_ptr<ExprProgram> condition;
  if (spec.condition) {
    ASSIGN_OR_RETURN(condition, ExprProgram::compile({spec.condition}));
  }
  return std::unique_ptr<Operator>(std::make_unique<UnnestOperator>(spec, node.schema, std::move(collection), std::move(condition)));
}

}  // namespace thalweg::worker
