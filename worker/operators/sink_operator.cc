#include "worker/operators/sink_operator.h"

#include <cstring>
#include <deque>

namespace thalweg::worker {
namespace {

class SinkOperator : public Operator {
 public:
  explicit SinkOperator(std::unique_ptr<SinkWriter> writer) : writer_(std::move(writer)) {}

  Status open(OperatorContext& context) override {
    RETURN_IF_ERROR(writer_->open(context));
    std::string_view bytes = context.restored();
    while (!bytes.empty()) {
      uint64_t length = 0;
      if (bytes.size() < sizeof(length)) return Status::internal("staged output of a sink is cut short");
      std::memcpy(&length, bytes.data(), sizeof(length));
      bytes.remove_prefix(sizeof(length));
      if (bytes.size() < length) return Status::internal("staged output of a sink is cut short");
      RETURN_IF_ERROR(writer_->commit(std::string(bytes.substr(0, length))));
      bytes.remove_prefix(length);
    }
    return {};
  }

  Result<Progress> process(int, const Batch& batch, Output&) override {
    const auto on_rows = [this](const Batch& rows) { return rows.rows() == 0 ? Status() : writer_->write(rows); };
    const auto on_watermark = [this](EventTime watermark) { return writer_->onWatermark(watermark); };
    RETURN_IF_ERROR(forEachPiece(batch, on_rows, on_watermark));
    return Progress::DONE;
  }

  Status snapshot(std::string& out) override {
    RETURN_IF_ERROR(stage());
    for (const Staged& staged : staged_) {
      const uint64_t length = staged.bytes.size();
      out.append(reinterpret_cast<const char*>(&length), sizeof(length));
      out += staged.bytes;
    }
    return {};
  }

  Status onCheckpointComplete(uint64_t snapshots) override {
    while (!staged_.empty() && staged_.front().snapshot <= snapshots) {
      RETURN_IF_ERROR(writer_->commit(staged_.front().bytes));
      staged_.pop_front();
    }
    return {};
  }

  Result<Progress> finish(Output&) override {
    RETURN_IF_ERROR(writer_->finish());
    RETURN_IF_ERROR(stage());
    return Progress::DONE;
  }

  bool commitPending() const override { return !staged_.empty(); }
  void close() override { writer_->close(); }

 private:
  struct Staged {
    uint64_t snapshot;   ///< number of the snapshot that covers it
    std::string bytes;
  };

  Status stage() {
    ASSIGN_OR_RETURN(std::string bytes, writer_->stage());
    ++snapshots_;
    if (!bytes.empty()) staged_.push_back({snapshots_, std::move(bytes)});
    return {};
  }

  std::unique_ptr<SinkWriter> writer_;
  uint64_t snapshots_ = 0;
  std::deque<Staged> staged_;
};

}  // namespace

std::unique_ptr<Operator> makeSinkOperator(std::unique_ptr<SinkWriter> writer) {
  return std::make_unique<SinkOperator>(std::move(writer));
}

}  // namespace thalweg::worker
