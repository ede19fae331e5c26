// WatermarkAssigner: turns the watermark expression's values into marks.
//
// With 'pipeline.auto-watermark-interval' = 0 a mark stands after every row that raises the watermark; otherwise after a
// row that raises it by more than the interval, as in Flink, and one at the end of a batch when the interval has passed
// on the clock. Which rows are late then hardly depends on how fast they are read. NULL values are ignored, a watermark never goes back, marks from above are swallowed except the end of input. When no row came for
// the idle timeout the stream is marked idle.

#include <algorithm>

#include "common/expr/evaluator.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

class WatermarkAssignerOperator : public Operator {
 public:
  WatermarkAssignerOperator(WatermarkSpec spec, std::unique_ptr<ExprProgram> program)
      : spec_(std::move(spec)), program_(std::move(program)) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    interval_ms_ = context.configuration().getDurationMillis("pipeline.auto-watermark-interval");
    if (!context.restored().empty()) emitted_ = current_ = std::stoll(context.restored());
    if (spec_.idle_timeout_ms > 0) {
      last_row_ms_ = context.nowMillis();
      context.requestWakeup(last_row_ms_ + spec_.idle_timeout_ms);
    }
    return {};
  }

  Result<Progress> process(int, const Batch& batch, Output& output) override {
    const auto marks = batch.marks();
    const bool ends = !marks.empty() && marks.back().value == kMaxWatermark;
    std::vector<WatermarkMark> own;
    if (batch.rows() > 0) {
      RETURN_IF_ERROR(checkRowtime(batch));
      RETURN_IF_ERROR(collectMarks(batch, own));
      if (spec_.idle_timeout_ms > 0) noteRow();
    }
    if (ends) {
      if (current_ > emitted_ && current_ != kMaxWatermark) own.push_back({static_cast<RowIndex>(batch.rows()), current_});
      own.push_back({static_cast<RowIndex>(batch.rows()), kMaxWatermark});
      emitted_ = current_ = kMaxWatermark;
    }
    if (batch.rows() == 0 && own.empty()) return Progress::DONE;
    if (idle_) {
      idle_ = false;
      RETURN_IF_ERROR(output.markIdle(false));
    }
    RETURN_IF_ERROR(output.emit(batch.withMarks(std::move(own))));
    return Progress::DONE;
  }

  Result<Progress> onWakeup(int64_t now_ms, Output& output) override {
    if (current_ > emitted_) {
      emitted_ = current_;
      last_emit_ms_ = now_ms;
      RETURN_IF_ERROR(output.emit(Batch::watermark(emitted_)));
    }
    if (spec_.idle_timeout_ms > 0 && !idle_) {
      if (now_ms - last_row_ms_ >= spec_.idle_timeout_ms) {
        idle_ = true;
        RETURN_IF_ERROR(output.markIdle(true));
      } else {
        context_->requestWakeup(last_row_ms_ + spec_.idle_timeout_ms);
      }
    }
    return Progress::DONE;
  }

  Status snapshot(std::string& out) override {
    out += std::to_string(emitted_);
    return {};
  }

  /// The lowest: what the others had seen beyond it comes again with their rows.
  Result<std::string> redistribute(std::span<const std::string_view> parts, int, int) override {
    EventTime lowest = kMaxWatermark;
    bool any = false;
    for (const std::string_view part : parts) {
      if (part.empty()) continue;
      lowest = std::min<EventTime>(lowest, std::stoll(std::string(part)));
      any = true;
    }
    return any ? std::to_string(lowest) : std::string();
  }

 private:
  Status checkRowtime(const Batch& batch) const {
    const Vector& time = *batch.column(static_cast<size_t>(spec_.rowtime_column));
    if (!time.mayHaveNulls()) return {};
    for (size_t row = 0; row < batch.rows(); ++row) {
      if (time.isNull(row)) {
        return Status::runtime("the event-time column is NULL in a row; rows without a time cannot pass the watermark: "
                               "filter the data before, or give the computed column a value");
      }
    }
    return {};
  }

  Status collectMarks(const Batch& batch, std::vector<WatermarkMark>& own) {
    EvalContext& eval = context_->evalContext();
    ASSIGN_OR_RETURN(const auto columns, program_->evaluate(eval, batch));
    const TimestampReader times(*columns[0]);
    if (interval_ms_ == 0) {
      for (size_t row = 0; row < batch.rows(); ++row) {
        if (times.isNull(row) || times.millis(row) <= current_) continue;
        current_ = emitted_ = times.millis(row);
        own.push_back({static_cast<RowIndex>(row + 1), current_});
      }
      return {};
    }
    const bool nulls = columns[0]->mayHaveNulls();
    const int64_t now_ms = context_->nowMillis();
    for (size_t row = 0; row < batch.rows(); ++row) {
      if (nulls && times.isNull(row)) continue;
      const EventTime time = times.millis(row);
      if (time <= current_) continue;
      current_ = time;
      if (emitted_ != kMinWatermark && current_ - emitted_ <= interval_ms_) continue;
      emitted_ = current_;
      last_emit_ms_ = now_ms;
      own.push_back({static_cast<RowIndex>(row + 1), current_});
    }
    if (current_ > emitted_ && now_ms - last_emit_ms_ >= interval_ms_) {
      emitted_ = current_;
      last_emit_ms_ = now_ms;
      own.push_back({static_cast<RowIndex>(batch.rows()), current_});
    } else if (current_ > emitted_) {
      context_->requestWakeup(last_emit_ms_ + interval_ms_);
    }
    return {};
  }

  void noteRow() {
    last_row_ms_ = context_->nowMillis();
    if (idle_) context_->requestWakeup(last_row_ms_ + spec_.idle_timeout_ms);
  }

  WatermarkSpec spec_;
  std::unique_ptr<ExprProgram> program_;
  OperatorContext* context_ = nullptr;
  int64_t interval_ms_ = 0;
  EventTime current_ = kMinWatermark;
  EventTime emitted_ = kMinWatermark;
  int64_t last_emit_ms_ = 0;
  int64_t last_row_ms_ = 0;
  bool idle_ = false;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeWatermarkAssigner(const WatermarkAssignerSpec& spec) {
  ASSIGN_OR_RETURN(auto program, ExprProgram::compile({spec.watermark.expression}));
  return std::unique_ptr<Operator>(std::make_unique<WatermarkAssignerOperator>(spec.watermark, std::move(program)));
}

}  // namespace thalweg::worker
