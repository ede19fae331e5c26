#include "tests/unit/worker/task/fake_ends.h"

#include <algorithm>
#include <charconv>
#include <deque>

namespace thalweg::worker {

namespace {

struct Range {
  int64_t next = 0;
  int64_t end = 0;
  std::string text() const { return std::to_string(next) + ' ' + std::to_string(end); }
  static Range of(const std::string& text) {
    Range range;
    const char* const end = text.data() + text.size();
    const char* const after = std::from_chars(text.data(), end, range.next).ptr;
    std::from_chars(after + 1, end, range.end);
    return range;
  }
};

class NumberReader final : public SourceReader {
 public:
  explicit NumberReader(NumberSource source) : source_(std::move(source)) {}
  Status open(OperatorContext& context) override {
    context_ = &context;
    return {};
  }
  Status addSplit(std::string split) override {
    ranges_.push_back(Range::of(split));
    return {};
  }
  Result<PollResult> poll(size_t rows_wanted, Output& output) override {
    if (ranges_.empty()) return PollResult::NEED_SPLIT;
    Range& range = ranges_.front();
    std::vector<Pair> rows;
    while (rows.size() < rows_wanted && range.next < range.end && (!source_.ready || source_.ready(range.next))) {
      rows.push_back({static_cast<int32_t>(range.next % source_.keys), range.next});
      ++range.next;
    }
    const bool held = rows.size() < rows_wanted && range.next < range.end;
    if (range.next == range.end) ranges_.pop_front();
    if (!rows.empty()) RETURN_IF_ERROR(output.emit(pairBatch(rows)));
    if (!held) return PollResult::MORE;
    context_->requestWakeup(context_->nowMillis() + 1);
    return PollResult::IDLE;
  }
  Status snapshotSplits(std::vector<std::string>& splits) override {
    for (const Range& range : ranges_) splits.push_back(range.text());
    return {};
  }

 private:
  NumberSource source_;
  OperatorContext* context_ = nullptr;
  std::deque<Range> ranges_;
};

class NumberEnumerator final : public SplitEnumerator {
 public:
  explicit NumberEnumerator(const NumberSource& source) : all_{0, source.rows}, split_rows_(source.split_rows) {}
  Result<Next> next(int, int) override {
    if (all_.next >= all_.end) return Next{Availability::FINISHED};
    const Range split{all_.next, std::min(all_.end, all_.next + split_rows_)};
    all_.next = split.end;
    return Next{Availability::SPLIT, split.text()};
  }
  void giveBack(std::string) override {}
  Status snapshot(std::string& out) override {
    out = all_.text();
    return {};
  }
  Status restore(const std::string& bytes) override {
    all_ = Range::of(bytes);
    return {};
  }

 private:
  Range all_;
  int64_t split_rows_;
};

class CollectOperator final : public PieceOperator {
 public:
  CollectOperator(std::shared_ptr<Collected> into, SinkBehaviour behaviour) : into_(std::move(into)), behaviour_(std::move(behaviour)) {}
  Status open(OperatorContext& context) override {
    subtask_ = context.subtaskIndex();
    ++into_->open;
    ++into_->opened;
    return {};
  }
  Result<Progress> finish(Output&) override {
    ++into_->finished;
    return Progress::DONE;
  }
  Status onCheckpointComplete(uint64_t snapshots) override {
    if (snapshots == kEverything) ++into_->committed;
    else into_->confirmed = snapshots;
    return {};
  }
  bool commitPending() const override { return behaviour_.commits; }
  void close() override { --into_->open; }

 protected:
  Result<Progress> processRows(int, const Batch& piece, Output&) override {
    if (behaviour_.on_batch) RETURN_IF_ERROR(behaviour_.on_batch(piece));
    const std::lock_guard<std::mutex> lock(into_->mutex);
    for (const Pair& pair : pairsOf(piece)) {
      into_->rows.push_back(pair);
      into_->subtask_of_row.push_back(subtask_);
    }
    into_->largest_batch[subtask_] = std::max(into_->largest_batch[subtask_], piece.rows());
    return Progress::DONE;
  }
  Result<Progress> onWatermark(EventTime watermark, Output&) override {
    const std::lock_guard<std::mutex> lock(into_->mutex);
    into_->watermarks[subtask_].push_back(watermark);
    return Progress::DONE;
  }

 private:
  std::shared_ptr<Collected> into_;
  SinkBehaviour behaviour_;
  int subtask_ = 0;
};

}  // namespace

SourceNode numberSource(NumberSource source, int64_t idle_timeout_ms) {
  SourceNode node;
  node.uid = "source";
  node.name = "Source: numbers";
  node.make_reader = [source]() -> Result<std::unique_ptr<SourceReader>> { return std::make_unique<NumberReader>(source); };
  node.make_enumerator = [source]() -> Result<std::unique_ptr<SplitEnumerator>> { return std::make_unique<NumberEnumerator>(source); };
  node.idle_timeout_ms = idle_timeout_ms;
  return node;
}

OperatorNode collectSink(std::shared_ptr<Collected> into, SinkBehaviour behaviour, std::string uid) {
  return {uid, "Sink: " + uid, [=]() -> Result<std::unique_ptr<Operator>> { return std::make_unique<CollectOperator>(into, behaviour); }};
}

std::map<int32_t, int64_t> Collected::lastPerKey() {
  const std::lock_guard<std::mutex> lock(mutex);
  std::map<int32_t, int64_t> result;
  for (const Pair& row : rows) result[row.key] = row.number;
  return result;
}

size_t Collected::size() {
  const std::lock_guard<std::mutex> lock(mutex);
  return rows.size();
}

Result<Progress> NumberWatermarkOperator::process(int, const Batch& batch, Output& output) {
  std::vector<WatermarkMark> marks;
  RowIndex row = 0;
  for (const Pair& pair : pairsOf(batch)) {
    ++row;
    if (pair.number <= largest_) continue;
    largest_ = pair.number;
    marks.push_back({row, largest_});
  }
  // The end of input is the one mark that comes from above.
  if (batch.hasMarks() && batch.marks().back().value == kMaxWatermark) marks.push_back({row, kMaxWatermark});
  RETURN_IF_ERROR(output.emit(batch.withMarks(std::move(marks))));
  return Progress::DONE;
}

}  // namespace thalweg::worker
