// WindowTableFunction: TUMBLE, HOP and CUMULATE on their own — each row with its windows' bounds, at once, late or not.
//
// HOP and CUMULATE put a row out once per window: HOP the latest window first, CUMULATE the shortest. SESSION is session_table_function.cc.

#include <algorithm>

#include "common/columnar/column_reader.h"
#include "worker/operators/operator_registry.h"
#include "worker/operators/window/session_table_function.h"
#include "worker/operators/window/window_assigner.h"

namespace thalweg::worker {
namespace {

class WindowTableFunctionOperator : public PieceOperator {
 public:
  WindowTableFunctionOperator(WindowTableFunctionSpec spec, DataType time_type)
      : spec_(std::move(spec)), time_type_(std::move(time_type)) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    assigner_ = std::make_unique<WindowAssigner>(spec_.window, *context.evalContext().session_zone);
    return {};
  }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    rows_.clear();
    ends_.clear();
    RETURN_IF_ERROR(assign(piece));
    if (rows_.empty()) return Progress::DONE;
    Batch repeated = piece;
    if (!assigner_->isSingle() || rows_.size() != piece.rows()) repeated = repeat(piece);
    std::vector<VectorPtr> columns = repeated.columns();
    FlatBuilder<int64_t> starts(DataType::timestamp(3, false), rows_.size());
    FlatBuilder<int64_t> ends(DataType::timestamp(3, false), rows_.size());
    FlatBuilder<int64_t> times(time_type_, rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) {
      starts.set(i, assigner_->startOf(ends_[i]));
      ends.set(i, ends_[i]);
      times.set(i, assigner_->timeAttribute(ends_[i]));
    }
    columns.push_back(starts.finish());
    columns.push_back(ends.finish());
    columns.push_back(times.finish());
    RETURN_IF_ERROR(output.emit(repeated.withColumns(std::move(columns))));
    return Progress::DONE;
  }

 private:
  Status assign(const Batch& piece) {
    const bool processing = spec_.window.processing_time;
    const int64_t now_ms = processing ? context_->nowMillis() : 0;
    const Vector& column = *piece.column(static_cast<size_t>(spec_.window.time_column));
    const TimestampReader times(column);
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (!processing && times.isNull(row)) {
        if (context_->batchMode()) continue;
        return Status::runtime("the time column of a window is NULL in a row; filter such rows before the window");
      }
      const auto first = static_cast<std::ptrdiff_t>(ends_.size());
      assigner_->ends(assigner_->windowTime(processing ? now_ms : times.millis(row)), ends_);
      if (spec_.window.kind == WindowKind::HOP) std::reverse(ends_.begin() + first, ends_.end());
      while (rows_.size() < ends_.size()) rows_.push_back(static_cast<RowIndex>(row));
    }
    return {};
  }

  Batch repeat(const Batch& piece) const {
    auto indices = Buffer::allocate(rows_.size() * sizeof(RowIndex));
    std::memcpy(indices->mutableData(), rows_.data(), rows_.size() * sizeof(RowIndex));
    std::vector<VectorPtr> columns;
    for (const VectorPtr& column : piece.columns()) columns.push_back(Vector::dictionary(column, indices, rows_.size()));
    Batch repeated(rows_.size(), std::move(columns));
    if (piece.isInsertOnly()) return repeated;
    std::vector<RowKind> kinds;
    for (const RowIndex row : rows_) kinds.push_back(piece.rowKind(row));
    return repeated.withRowKinds(makeRowKinds(kinds));
  }

  WindowTableFunctionSpec spec_;
  DataType time_type_;
  OperatorContext* context_ = nullptr;
  std::unique_ptr<WindowAssigner> assigner_;
  std::vector<RowIndex> rows_;
  std::vector<int64_t> ends_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeWindowTableFunction(const WindowTableFunctionSpec& spec, const PlanNode& node) {
  if (spec.window.kind == WindowKind::SESSION) return makeSessionTableFunction(spec, node);
  return std::unique_ptr<Operator>(std::make_unique<WindowTableFunctionOperator>(spec, node.schema.columns().back().type));
}

}  // namespace thalweg::worker
