#include "worker/operators/sink_operator.h"

#include <deque>
#include <vector>

#include "common/base/byte_stream.h"
#include "common/base/failpoint.h"

namespace thalweg::worker {
namespace {

constexpr uint8_t kVersion = 1;

/// A sink's part of a snapshot, version 1 (words: byte_stream.h):
///   byte version | varint staged | text* | varint open | text*
/// Staged output waits for its commit; open output is under way (several pieces after a change of parallelism).
struct StoredOutput {
  std::vector<std::string_view> staged;
  std::vector<std::string_view> open;
};

void writeStoredOutput(const StoredOutput& output, std::string& out) {
  ByteWriter writer(out);
  writer.byte(kVersion);
  for (const auto* list : {&output.staged, &output.open}) {
    writer.varint(list->size());
    for (const std::string_view item : *list) writer.text(item);
  }
}

Result<StoredOutput> readStoredOutput(std::string_view bytes) {
  ByteReader reader(bytes);
  if (const uint8_t version = reader.byte(); version != kVersion) {
    return Status::invalid("expected version 1 of a sink's state, found " + std::to_string(version));
  }
  StoredOutput output;
  for (auto* list : {&output.staged, &output.open}) {
    for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) list->push_back(reader.text());
  }
  if (!reader.ok() || !reader.atEnd()) return Status::invalid("the state of a sink is damaged");
  return output;
}

class SinkOperator : public Operator {
 public:
  explicit SinkOperator(std::unique_ptr<SinkWriter> writer) : writer_(std::move(writer)) {}

  Status open(OperatorContext& context) override {
    RETURN_IF_ERROR(writer_->open(context));
    if (context.restored().empty()) return {};
    ASSIGN_OR_RETURN(const StoredOutput stored, readStoredOutput(context.restored()));
    for (const std::string_view staged : stored.staged) {
      if (!THALWEG_MUTANT("no_commit_after_restore")) RETURN_IF_ERROR(writer_->commit(std::string(staged)));
    }
    return writer_->restore(stored.open);
  }

  Result<Progress> process(int, const Batch& batch, Output&) override {
    const auto on_rows = [this](const Batch& rows) { return rows.rows() == 0 ? Status() : writer_->write(rows); };
    const auto on_watermark = [this](EventTime watermark) { return writer_->onWatermark(watermark); };
    RETURN_IF_ERROR(forEachPiece(batch, on_rows, on_watermark));
    return Progress::DONE;
  }

  Status snapshot(std::string& out) override {
    RETURN_IF_ERROR(stage());
    std::string open;
    RETURN_IF_ERROR(writer_->snapshotOpen(open));
    StoredOutput output;
    for (const Staged& staged : staged_) output.staged.push_back(staged.bytes);
    if (!open.empty()) output.open.push_back(open);
    writeStoredOutput(output, out);
    return {};
  }

  Result<std::string> redistribute(std::span<const std::string_view> parts, int subtask, int parallelism) override {
    StoredOutput mine;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].empty() || static_cast<int>(i % static_cast<size_t>(parallelism)) != subtask) continue;
      ASSIGN_OR_RETURN(const StoredOutput part, readStoredOutput(parts[i]));
      mine.staged.insert(mine.staged.end(), part.staged.begin(), part.staged.end());
      mine.open.insert(mine.open.end(), part.open.begin(), part.open.end());
    }
    std::string bytes;
    writeStoredOutput(mine, bytes);
    return bytes;
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
