// Operators that only change which rows pass, or stamp them: UNION ALL, DropUpdateBefore, Expand.

#include "common/base/failpoint.h"
#include "common/columnar/column_reader.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

/// The combined watermark of several inputs is already in the marks.
class UnionOperator : public Operator {
 public:
  Status open(OperatorContext&) override { return {}; }
  Result<Progress> process(int, const Batch& batch, Output& output) override {
    RETURN_IF_ERROR(output.emit(batch));
    return Progress::DONE;
  }
};

class DropUpdateBeforeOperator : public Operator {
 public:
  Status open(OperatorContext&) override { return {}; }
  Result<Progress> process(int, const Batch& batch, Output& output) override {
    if (batch.isInsertOnly()) {
      RETURN_IF_ERROR(output.emit(batch));
      return Progress::DONE;
    }
    std::vector<RowIndex> kept;
    for (size_t row = 0; row < batch.rows(); ++row) {
      if (batch.rowKind(row) != RowKind::UPDATE_BEFORE) kept.push_back(static_cast<RowIndex>(row));
    }
    Batch rest = batch.select(kept);
    if (rest.rows() > 0 || rest.hasMarks()) RETURN_IF_ERROR(output.emit(std::move(rest)));
    return Progress::DONE;
  }
};

/// GROUPING SETS: every row once per set, row by row, with the blanked keys NULL and the set's id last.
class ExpandOperator : public PieceOperator {
 public:
  explicit ExpandOperator(ExpandSpec spec) : spec_(std::move(spec)) {}
  Status open(OperatorContext&) override { return {}; }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    const size_t sets = spec_.set_ids.size();
    const size_t total = piece.rows() * sets;
    auto indices = Buffer::allocate(total * sizeof(RowIndex));
    auto* rows = indices->mutableAs<RowIndex>();
    std::vector<RowKind> kinds;
    for (size_t i = 0; i < total; ++i) {
      rows[i] = static_cast<RowIndex>(i / sets);
      if (!piece.isInsertOnly()) kinds.push_back(piece.rowKind(i / sets));
    }
    std::vector<VectorPtr> columns;
    for (size_t c = 0; c < piece.columnCount(); ++c) {
      columns.push_back(Vector::dictionary(piece.column(c), indices, total, validityOf(static_cast<int>(c), total)));
    }
    FlatBuilder<int64_t> ids(DataType::bigint(false), total);
    for (size_t i = 0; i < total; ++i) ids.set(i, spec_.set_ids[i % sets]);
    columns.push_back(ids.finish());
    Batch out(total, std::move(columns));
    if (!kinds.empty()) out = out.withRowKinds(makeRowKinds(kinds));
    RETURN_IF_ERROR(output.emit(std::move(out)));
    return Progress::DONE;
  }

 private:
  /// Null where the set blanks key column `column`; no buffer when it never does.
  BufferPtr validityOf(int column, size_t total) const {
    bool is_key = false;
    for (const int key : spec_.key_columns) is_key = is_key || key == column;
    if (!is_key) return nullptr;
    const size_t sets = spec_.set_ids.size();
    std::vector<bool> kept(sets, false);
    bool blanks = false;
    for (size_t s = 0; s < sets; ++s) {
      for (const int key : spec_.kept_columns[s]) kept[s] = kept[s] || key == column;
      blanks = blanks || !kept[s];
    }
    if (!blanks || THALWEG_MUTANT("blanked_keys_kept")) return nullptr;
    auto validity = Buffer::allocateZeroed(bitmapBytes(total));
    for (size_t i = 0; i < total; ++i) {
      if (kept[i % sets]) setBit(validity->mutableAs<uint64_t>(), i);
    }
    return validity;
  }

  ExpandSpec spec_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeUnion() { return std::unique_ptr<Operator>(std::make_unique<UnionOperator>()); }

Result<std::unique_ptr<Operator>> makeDropUpdateBefore() {
  return std::unique_ptr<Operator>(std::make_unique<DropUpdateBeforeOperator>());
}

Result<std::unique_ptr<Operator>> makeExpand(const ExpandSpec& spec, const PlanNode&) {
  return std::unique_ptr<Operator>(std::make_unique<ExpandOperator>(spec));
}

}  // namespace thalweg::worker
