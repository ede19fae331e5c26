#include "worker/operators/watermark_delay.h"

namespace thalweg::worker {
namespace {

class DelayedOutput : public Output {
 public:
  DelayedOutput(Output& next, int64_t delay_ms) : next_(next), delay_ms_(delay_ms) {}

  Status emit(Batch batch) override {
    if (!batch.hasMarks()) return next_.emit(std::move(batch));
    std::vector<WatermarkMark> marks(batch.marks().begin(), batch.marks().end());
    for (WatermarkMark& mark : marks) {
      if (mark.value != kMaxWatermark) mark.value = mark.value < kMinWatermark + 1 + delay_ms_ ? kMinWatermark : mark.value - delay_ms_;
    }
    std::erase_if(marks, [](const WatermarkMark& mark) { return mark.value == kMinWatermark; });
    if (batch.rows() == 0 && marks.empty()) return {};
    return next_.emit(batch.withMarks(std::move(marks)));
  }
  bool isFull() const override { return next_.isFull(); }
  Status markIdle(bool idle) override { return next_.markIdle(idle); }

 private:
  Output& next_;
  int64_t delay_ms_;
};

class WatermarkDelay : public Operator {
 public:
  WatermarkDelay(std::unique_ptr<Operator> inner, int64_t delay_ms) : inner_(std::move(inner)), delay_ms_(delay_ms) {}

  Status open(OperatorContext& context) override { return inner_->open(context); }
  Result<Progress> process(int input, const Batch& batch, Output& output) override {
    DelayedOutput delayed(output, delay_ms_);
    return inner_->process(input, batch, delayed);
  }
  Result<Progress> resume(Output& output) override {
    DelayedOutput delayed(output, delay_ms_);
    return inner_->resume(delayed);
  }
  Result<Progress> onWakeup(int64_t now_ms, Output& output) override {
    DelayedOutput delayed(output, delay_ms_);
    return inner_->onWakeup(now_ms, delayed);
  }
  Result<Progress> endInput(int input, Output& output) override {
    DelayedOutput delayed(output, delay_ms_);
    return inner_->endInput(input, delayed);
  }
  Result<Progress> finish(Output& output) override {
    DelayedOutput delayed(output, delay_ms_);
    return inner_->finish(delayed);
  }
  Result<Progress> prepareSnapshot(Output& output) override {
    DelayedOutput delayed(output, delay_ms_);
    return inner_->prepareSnapshot(delayed);
  }
  Status snapshot(std::string& out) override { return inner_->snapshot(out); }
  Result<std::string> redistribute(std::span<const std::string_view> parts, int subtask, int parallelism) override {
    return inner_->redistribute(parts, subtask, parallelism);
  }
  Status onCheckpointComplete(uint64_t snapshots) override { return inner_->onCheckpointComplete(snapshots); }
  bool commitPending() const override { return inner_->commitPending(); }
  void close() override { inner_->close(); }
  int preferredInput() const override { return inner_->preferredInput(); }

 private:
  std::unique_ptr<Operator> inner_;
  int64_t delay_ms_;
};

}  // namespace

std::unique_ptr<Operator> delayWatermarks(std::unique_ptr<Operator> inner, int64_t delay_ms) {
  if (delay_ms <= 0) return inner;
  return std::make_unique<WatermarkDelay>(std::move(inner), delay_ms);
}

}  // namespace thalweg::worker
