// Sink<T> and TwoPhaseCommittingSink<T, C>: sinks of one's own.
//
// A writer gets the records of its subtask; flush(false) comes before every checkpoint, flush(true) at the end.
// A committing writer hands over what is to be committed (prepareCommit) then; it becomes part of the checkpoint, and
// the committer gets it once the checkpoint is complete, again after a restart: commit() must bear being called twice
// for the same thing. Without checkpoints everything is committed when the job has ended well.
// Threads: the subtask's.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "client/api/thalweg/field_composites.h"
#include "client/api/thalweg/source_stage.h"
#include "client/api/thalweg/stage.h"

namespace thalweg::api {

class WriterInitContext {
 public:
  explicit WriterInitContext(StageRuntime& runtime) : runtime_(runtime) {}
  int getSubtaskId() const { return runtime_.subtaskIndex(); }
  int getNumberOfParallelSubtasks() const { return runtime_.parallelism(); }
  int64_t currentProcessingTime() const { return runtime_.nowMillis(); }
  const Configuration& getConfiguration() const { return runtime_.configuration(); }

 private:
  StageRuntime& runtime_;
};

struct SinkWriterContext {
  int64_t current_watermark = kNoTimestamp;
  int64_t record_timestamp = kNoTimestamp;
  int64_t currentWatermark() const { return current_watermark; }
  std::optional<int64_t> timestamp() const { return record_timestamp == kNoTimestamp ? std::nullopt : std::optional(record_timestamp); }
};

template <typename T>
class SinkWriter {
 public:
  using Context = SinkWriterContext;
  virtual ~SinkWriter() = default;
  virtual void write(const T& record, const Context& context) = 0;
  virtual void flush(bool end_of_input) = 0;
  virtual void close() {}
};
template <typename T, typename C>
class CommittingSinkWriter : public SinkWriter<T> {
 public:
  virtual std::vector<C> prepareCommit() = 0;
};
template <typename C>
class Committer {
 public:
  virtual ~Committer() = default;
  virtual void commit(const std::vector<C>& committables) = 0;
};

template <typename T>
class Sink {
 public:
  using Record = T;
  virtual ~Sink() = default;
  virtual std::unique_ptr<SinkWriter<T>> createWriter(const WriterInitContext& context) const = 0;
};
template <typename T, typename C>
class TwoPhaseCommittingSink {
 public:
  using Record = T;
  using Committable = C;
  virtual ~TwoPhaseCommittingSink() = default;
  virtual std::unique_ptr<CommittingSinkWriter<T, C>> createWriter(const WriterInitContext& context) const = 0;
  virtual std::unique_ptr<Committer<C>> createCommitter() const = 0;
};

/// Runs either.
template <typename T, typename S>
class SinkWriterStage final : public Stage, public TypedPort<T> {
  static constexpr bool kCommits = requires { typename S::Committable; };
  template <typename X>
  struct CommittableOf { using type = char; };
  template <typename X>
    requires requires { typename X::Committable; }
  struct CommittableOf<X> { using type = typename X::Committable; };
  using C = typename CommittableOf<S>::type;

 public:
  explicit SinkWriterStage(std::shared_ptr<const S> sink) : sink_(std::move(sink)) {}
  Port& input(int) override { return *this; }
  AnyEmitter* output(int) override { return nullptr; }
  void open(StageRuntime& runtime) override {
    if constexpr (kCommits) {
      committer_ = sink_->createCommitter();
      if (!restored_.empty()) committer_->commit(restored_);
      restored_.clear();
    }
    writer_ = sink_->createWriter(WriterInitContext(runtime));
  }
  void records(Chunk<T>& chunk) override {
    for (size_t i = 0; i < chunk.records.size(); ++i) {
      context_.record_timestamp = chunk.timestampAt(i);
      writer_->write(chunk.records[i], context_);
    }
  }
  void watermark(EventTime value) override { context_.current_watermark = value; }
  void idle(bool) override {}
  void prepareSnapshot() override {
    writer_->flush(false);
    stage();
  }
  void snapshot(std::string& out) override {
    if constexpr (kCommits) {
      std::vector<C> waiting = staged_;
      for (const auto& [number, committables] : waiting_) waiting.insert(waiting.end(), committables.begin(), committables.end());
      waiting_.emplace_back(++snapshots_, std::move(staged_));
      staged_.clear();
      if (!waiting.empty()) out += bytesOf(waiting);
    }
  }
  void restore(std::string_view bytes) override {
    if constexpr (kCommits) {
      for (C& committable : valueOf<std::vector<C>>(bytes)) restored_.push_back(std::move(committable));
    }
  }
  /// What is to be committed may be so by anybody: the first new subtask takes it all.
  std::string redistribute(const std::vector<std::string_view>& parts, int subtask, int) override {
    std::vector<C> all;
    if constexpr (kCommits) {
      for (const std::string_view part : parts) {
        if (part.empty() || subtask != 0) continue;
        for (C& committable : valueOf<std::vector<C>>(part)) all.push_back(std::move(committable));
      }
      if (!all.empty()) return bytesOf(all);
    }
    return {};
  }
  void finish() override {
    writer_->flush(true);
    stage();
  }
  void checkpointComplete(uint64_t snapshots) override {
    if constexpr (kCommits) {
      std::vector<C> due;
      while (!waiting_.empty() && waiting_.front().first <= snapshots) {
        due.insert(due.end(), waiting_.front().second.begin(), waiting_.front().second.end());
        waiting_.pop_front();
      }
      if (snapshots == UINT64_MAX) {
        due.insert(due.end(), staged_.begin(), staged_.end());
        staged_.clear();
      }
      if (!due.empty()) committer_->commit(due);
    }
  }
  bool commitPending() const override {
    if constexpr (kCommits) return !staged_.empty() || !waiting_.empty();
    return false;
  }
  void close() override {
    if (writer_) writer_->close();
  }

 private:
  void stage() {
    if constexpr (kCommits) {
      for (C& committable : static_cast<CommittingSinkWriter<T, C>&>(*writer_).prepareCommit()) staged_.push_back(std::move(committable));
    }
  }
  std::shared_ptr<const S> sink_;
  std::unique_ptr<SinkWriter<T>> writer_;
  std::unique_ptr<Committer<C>> committer_;
  SinkWriterContext context_;
  std::vector<C> restored_;
  std::vector<C> staged_;                                        // since the last snapshot
  std::deque<std::pair<uint64_t, std::vector<C>>> waiting_;      // by snapshot
  uint64_t snapshots_ = 0;
};

}  // namespace thalweg::api
