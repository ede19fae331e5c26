// Calc: filter and projection over whole batches. Watermark marks keep their places among the rows that stay.

#include "common/expr/evaluator.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

bool readsWatermark(const BoundExpr& expr) {
  if (expr.kind == BoundKind::CALL && expr.function->name == "CURRENT_WATERMARK") return true;
  for (const auto& arg : expr.args) {
    if (readsWatermark(*arg)) return true;
  }
  return false;
}

class CalcOperator : public Operator {
 public:
  CalcOperator(std::unique_ptr<ExprProgram> condition, std::unique_ptr<ExprProgram> projections, bool reads_watermark)
      : condition_(std::move(condition)), projections_(std::move(projections)), reads_watermark_(reads_watermark) {}

  Status open(OperatorContext& context) override {
    eval_ = &context.evalContext();
    return {};
  }

  Result<Progress> process(int, const Batch& batch, Output& output) override {
    if (reads_watermark_ && batch.hasMarks()) {
      const auto on_rows = [&](const Batch& piece) { return processPiece(piece, output); };
      const auto on_watermark = [&](EventTime watermark) {
        eval_->current_watermark = watermark;
        return output.emit(Batch::watermark(watermark));
      };
      RETURN_IF_ERROR(forEachPiece(batch, on_rows, on_watermark));
      return Progress::DONE;
    }
    RETURN_IF_ERROR(processPiece(batch, output));
    return Progress::DONE;
  }

 private:
  Status processPiece(const Batch& batch, Output& output) {
    if (batch.rows() == 0) return output.emit(batch.withColumns({}));
    const Batch* rows = &batch;
    Batch selected;
    if (condition_) {
      selection_.clear();
      RETURN_IF_ERROR(condition_->select(*eval_, batch, selection_));
      if (selection_.size() < batch.rows()) {
        selected = batch.select(selection_);
        rows = &selected;
        if (rows->rows() == 0) return rows->hasMarks() ? output.emit(rows->withColumns({})) : Status();
      }
    }
    ASSIGN_OR_RETURN(auto columns, projections_->evaluate(*eval_, *rows));
    return output.emit(rows->withColumns(std::move(columns)));
  }

  std::unique_ptr<ExprProgram> condition_;
  std::unique_ptr<ExprProgram> projections_;
  bool reads_watermark_;
  EvalContext* eval_ = nullptr;
  std::vector<RowIndex> selection_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeCalc(const CalcSpec& spec) {
  std::unique_ptr<ExprProgram> condition;
  bool reads_watermark = false;
  if (spec.condition) {
    ASSIGN_OR_RETURN(condition, ExprProgram::compile({spec.condition}));
    reads_watermark = readsWatermark(*spec.condition);
  }
  for (const auto& projection : spec.projections) reads_watermark = reads_watermark || readsWatermark(*projection);
  ASSIGN_OR_RETURN(auto projections, ExprProgram::compile(spec.projections));
  return std::unique_ptr<Operator>(
      std::make_unique<CalcOperator>(std::move(condition), std::move(projections), reads_watermark));
}

}  // namespace thalweg::worker
