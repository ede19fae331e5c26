#include "common/runtime_api/operator.h"

namespace thalweg {

Result<std::string> Operator::redistribute(std::span<const std::string_view> parts, int, int parallelism) {
  for (const std::string_view part : parts) {
    if (part.empty()) continue;
    return Status::notSupported("restoring with parallelism " + std::to_string(parallelism) + " instead of " +
                                std::to_string(parts.size()) + ": this operator's own state cannot be divided");
  }
  return std::string();
}

Result<Progress> PieceOperator::process(int input, const Batch& batch, Output& output) {
  DCHECK(!busy_);
  pending_ = batch;
  pending_input_ = input;
  row_ = 0;
  mark_ = 0;
  busy_ = true;
  return advance(output);
}

Result<Progress> PieceOperator::resume(Output& output) {
  ASSIGN_OR_RETURN(const Progress progress, resumeWork(output));
  if (progress == Progress::MORE || !busy_) return progress;
  if (in_watermark_) {
    in_watermark_ = false;
    watermark_ = pending_.marks()[mark_++].value;
    RETURN_IF_ERROR(output.emit(Batch::watermark(watermark_)));
  }
  return advance(output);
}

Result<Progress> PieceOperator::advance(Output& output) {
  const auto marks = pending_.marks();
  while (row_ < pending_.rows() || mark_ < marks.size()) {
    const size_t end = mark_ < marks.size() ? marks[mark_].offset : pending_.rows();
    if (row_ < end) {
      const Batch piece = pending_.slice(row_, end - row_);
      row_ = end;
      ASSIGN_OR_RETURN(const Progress progress, processRows(pending_input_, piece, output));
      if (progress == Progress::MORE) return progress;
      continue;
    }
    in_watermark_ = true;
    ASSIGN_OR_RETURN(const Progress progress, onWatermark(marks[mark_].value, output));
    if (progress == Progress::MORE) return progress;
    in_watermark_ = false;
    watermark_ = marks[mark_++].value;
    RETURN_IF_ERROR(output.emit(Batch::watermark(watermark_)));
  }
  busy_ = false;
  pending_ = Batch();
  return Progress::DONE;
}

}  // namespace thalweg
