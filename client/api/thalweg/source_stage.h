// The stage and the enumerator that run a user's Source in the engine.
//
// Splits travel as bytes. What the user's enumerator assigns waits in a queue per subtask until the reader asks, and is
// part of the enumerator's snapshot. Threads: as the engine's readers and enumerators.
#pragma once

#include <deque>
#include <map>
#include <set>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/field_composites.h"
#include "client/api/thalweg/source.h"
#include "common/runtime_api/source.h"

namespace thalweg::api {

/// How often a reader that has nothing is asked again.
inline constexpr int64_t kSourcePollMs = 5;

template <typename V>
std::string bytesOf(const V& value) {
  std::string bytes;
  FieldTraits<V>::write(value, bytes);
  return bytes;
}
template <typename V>
V valueOf(std::string_view bytes) {
  ByteReader reader(bytes);
  V value{};
  FieldTraits<V>::read(reader, value);
  return value;
}

/// Base of sources that gather records between poll() and flush().
template <typename T>
class GatheringSource : public SourceStage, protected ReaderOutput<T> {
 public:
  AnyEmitter* output(int tag) override { return tag == 0 ? &out_ : nullptr; }
  void open(StageRuntime& runtime) override { runtime_ = &runtime; }
  size_t pending() const override { return chunk_.records.size() + marks_.size(); }
  void flush() override {
    size_t begin = 0;
    for (const auto& [end, watermark] : marks_) {
      emit(begin, end);
      out_.watermark(watermark);
      begin = end;
    }
    if (begin == 0) out_.records(chunk_);
    else emit(begin, chunk_.records.size());
    marks_.clear();
    chunk_.clear();
  }

 protected:
  void collect(T record) override { chunk_.add(std::move(record), kNoTimestamp); }
  void collect(T record, int64_t timestamp) override { chunk_.add(std::move(record), timestamp); }
  void emitWatermark(const Watermark& watermark) override { marks_.emplace_back(chunk_.records.size(), watermark.timestamp); }
  size_t gathered() const { return chunk_.records.size(); }
  /// Asks to be polled again in `ms`.
  Poll idleFor(int64_t ms) {
    runtime_->requestWakeup(runtime_->nowMillis() + ms);
    return Poll::IDLE;
  }

  StageRuntime* runtime_ = nullptr;

 private:
  void emit(size_t begin, size_t end) {
    Chunk<T> piece;
    for (size_t i = begin; i < end; ++i) piece.add(std::move(chunk_.records[i]), chunk_.timestampAt(i));
    out_.records(piece);
  }
  Emitter<T> out_;
  Chunk<T> chunk_;
  std::vector<std::pair<size_t, int64_t>> marks_;     // records before it, watermark
};

template <typename T, typename Split>
class ReaderStage final : public GatheringSource<T>, SourceReaderContext {
  using Poll = SourceStage::Poll;

 public:
  explicit ReaderStage(std::shared_ptr<const Source<T, Split>> source) : source_(std::move(source)) {}
  void open(StageRuntime& runtime) override {
    GatheringSource<T>::open(runtime);
    reader_ = source_->createReader(*this);
    reader_->start();
    if (!restored_.empty()) reader_->addSplits(std::exchange(restored_, {}));
  }
  void addSplit(std::string split) override {
    // Those of a restored attempt may come before open().
    if (!reader_) restored_.push_back(valueOf<Split>(split));
    else reader_->addSplits({valueOf<Split>(split)});
  }
  Poll poll(size_t wanted) override {
    while (!ended_ && this->gathered() < wanted) {
      const InputStatus status = reader_->pollNext(*this);
      if (status == InputStatus::END_OF_INPUT) ended_ = true;
      if (status == InputStatus::NOTHING_AVAILABLE) return reader_->snapshotState().empty() ? Poll::NEED_SPLIT : this->idleFor(kSourcePollMs);
    }
    return ended_ ? Poll::NEED_SPLIT : Poll::MORE;
  }
  void snapshotSplits(std::vector<std::string>& splits) override {
    if (!reader_) return;
    for (const Split& split : reader_->snapshotState()) splits.push_back(bytesOf(split));
  }
  void close() override {
    if (reader_) reader_->close();
  }

 private:
  int getIndexOfSubtask() const override { return this->runtime_->subtaskIndex(); }
  int currentParallelism() const override { return this->runtime_->parallelism(); }
  const Configuration& getConfiguration() const override { return this->runtime_->configuration(); }
  int64_t currentProcessingTime() const override { return this->runtime_->nowMillis(); }

  std::shared_ptr<const Source<T, Split>> source_;
  std::unique_ptr<SourceReader<T, Split>> reader_;
  std::vector<Split> restored_;
  bool ended_ = false;
};

/// Turns what a call throws into a status that names the source.
Status guardedEnumerator(const std::function<void()>& call);

template <typename T, typename Split>
class EnumeratorAdapter final : public thalweg::SplitEnumerator, SplitEnumeratorContext<Split> {
 public:
  explicit EnumeratorAdapter(std::shared_ptr<const Source<T, Split>> source) : source_(std::move(source)) {}

  Result<Next> next(int subtask, int parallelism) override {
    Next next{Availability::LATER, {}, kSourcePollMs};
    RETURN_IF_ERROR(guardedEnumerator([&] {
      parallelism_ = parallelism;
      begin();
      if (!given_back_.empty()) {
        assigned_[subtask].push_back(std::move(given_back_.front()));
        given_back_.pop_front();
      }
      if (assigned_[subtask].empty() && !ended_.contains(subtask)) enumerator_->handleSplitRequest(subtask);
      auto& queue = assigned_[subtask];
      if (!queue.empty()) {
        next = {Availability::SPLIT, std::move(queue.front()), 0};
        queue.pop_front();
      } else if (ended_.contains(subtask)) {
        next.availability = Availability::FINISHED;
      }
    }));
    return next;
  }
  void giveBack(std::string split) override { given_back_.push_back(std::move(split)); }
  Status snapshot(std::string& out) override {
    return guardedEnumerator([&] {
      begin();
      std::vector<std::string> waiting(given_back_.begin(), given_back_.end());
      for (const auto& [subtask, queue] : assigned_) waiting.insert(waiting.end(), queue.begin(), queue.end());
      out += bytesOf(std::tuple(enumerator_->snapshotState(), waiting));
    });
  }
  Status restore(const std::string& bytes) override {
    return guardedEnumerator([&] {
      auto [state, waiting] = valueOf<std::tuple<std::string, std::vector<std::string>>>(bytes);
      given_back_.assign(waiting.begin(), waiting.end());
      enumerator_ = source_->restoreEnumerator(*this, state);
      enumerator_->start();
    });
  }

 private:
  void begin() {
    if (enumerator_) return;
    enumerator_ = source_->createEnumerator(*this);
    enumerator_->start();
  }
  int currentParallelism() const override { return parallelism_; }
  void assignSplit(Split split, int subtask) override { assigned_[subtask].push_back(bytesOf(split)); }
  void signalNoMoreSplits(int subtask) override { ended_.insert(subtask); }

  std::shared_ptr<const Source<T, Split>> source_;
  std::unique_ptr<api::SplitEnumerator<Split>> enumerator_;
  int parallelism_ = 1;
  std::map<int, std::deque<std::string>> assigned_;
  std::deque<std::string> given_back_;
  std::set<int> ended_;
};

}  // namespace thalweg::api
