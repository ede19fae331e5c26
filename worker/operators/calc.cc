// Calc: filter and projection over whole batches. Watermark marks keep their places among the rows that stay.

#include <algorithm>

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
  /// With `filters` the program's first expression is the condition.
  CalcOperator(std::unique_ptr<ExprProgram> program, bool filters, bool reads_watermark)
      : program_(std::move(program)), filters_(filters), reads_watermark_(reads_watermark) {}

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
    if (filters_) {
      ASSIGN_OR_RETURN(Batch rows, program_->filter(*eval_, batch));
      return rows.rows() > 0 || rows.hasMarks() ? output.emit(std::move(rows)) : Status();
    }
    ASSIGN_OR_RETURN(auto columns, program_->evaluate(*eval_, batch));
    return output.emit(batch.withColumns(std::move(columns)));
  }

  std::unique_ptr<ExprProgram> program_;
  bool filters_;
  bool reads_watermark_;
  EvalContext* eval_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeCalc(const CalcSpec& spec) {
  std::vector<BoundExprPtr> expressions = spec.projections;
  if (spec.condition) expressions.insert(expressions.begin(), spec.condition);
  const bool reads_watermark = std::ranges::any_of(expressions, [](const BoundExprPtr& expr) { return readsWatermark(*expr); });
  ASSIGN_OR_RETURN(auto program, ExprProgram::compile(std::move(expressions)));
  return std::unique_ptr<Operator>(std::make_unique<CalcOperator>(std::move(program), spec.condition != nullptr, reads_watermark));
}

}  // namespace thalweg::worker
