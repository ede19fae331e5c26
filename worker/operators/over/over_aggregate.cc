// OverAggregate: streaming OVER aggregation, ordered by a time attribute.
//
// By row time, rows wait until the watermark reaches them; then the rows of a key and time are answered together, in order
// of time, keys of one time by their first row's arrival. Bounded frames drop rows not after the key's last row answered,
// unbounded ones rows not after the watermark. By processing time rows are answered as they come.
// Answering is a list of steps over all keys at hand (fold a row, take a row out again), run through the aggregates at
// once: the result of a row is the one after its own step (ROWS), or after the last of its peers' (RANGE).

#include "common/base/failpoint.h"
#include "common/columnar/column_reader.h"
#include "common/runtime_api/state_visits.h"
#include "worker/operators/event_timers.h"
#include "worker/operators/key_list.h"
#include "worker/operators/operator_registry.h"
#include "worker/operators/over/over_batch.h"
#include "worker/operators/over/over_bounded.h"
#include "worker/operators/over/over_calls.h"
#include "worker/operators/over/over_partition.h"
#include "worker/operators/over/over_sorted.h"
#include "worker/operators/row_images.h"

namespace thalweg::worker {
namespace {

class OverAggregateOperator : public PieceOperator {
 public:
  OverAggregateOperator(OverAggregateSpec spec, OverCalls calls, const std::vector<DataType>& types)
      : spec_(std::move(spec)), calls_(std::move(calls)), codec_(types), encoder_(spec_.partition_keys, types), due_keys_(encoder_.isFixed()) {
    for (const OverCalls::Call& call : calls_.calls) {
      if (call.function == OverFunction::LAG) recent_max_ = std::max(recent_max_, static_cast<size_t>(call.distance()));
    }
    numbers_.resize(calls_.calls.size());
    lagged_.resize(calls_.calls.size());
  }

  Status open(OperatorContext& context) override {
    context_ = &context;
    watermark_ = context.evalContext().current_watermark;
    ASSIGN_OR_RETURN(table_, context.keyedState().openTable(OverPartition::tableSpec(calls_.aggregates, encoder_.isFixed())));
    return lookAtAll(*table_, 0, [this](std::string_view key, char* payload) {
      if (THALWEG_MUTANT("timers_lost")) return;
      for (const auto& [time, row] : objectAt<OverPartition>(payload).waiting) timers_.restore(time, row.timer, key);
    });
  }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    const KeyBatch& keys = encoder_.encode(piece);
    entries_.resize(piece.rows());
    RETURN_IF_ERROR(table_->upsert(0, keys, entries_, {}));
    if (!spec_.processing_time) {
      RETURN_IF_ERROR(hold(piece, keys));
      return Progress::DONE;
    }
    const EventTime now_ms = context_->nowMillis();
    for (size_t row = 0; row < piece.rows(); ++row) {
      codec_.encodeRow(piece.columns(), row, bytes_);
      answerTime(objectAt<OverPartition>(entries_[row]), now_ms, {&bytes_, 1});
    }
    RETURN_IF_ERROR(emitAnswers(output));
    return Progress::DONE;
  }

  Result<Progress> onWatermark(EventTime watermark, Output& output) override {
    watermark_ = watermark;
    return answerDue(output);
  }

  Result<Progress> resumeWork(Output& output) override { return answerDue(output); }

 private:
  bool isBounded() const { return spec_.preceding.has_value(); }

  Status hold(const Batch& piece, const KeyBatch& keys) {
    const TimestampReader times(*piece.column(static_cast<size_t>(spec_.time_column)));
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (times.isNull(row)) return Status::runtime("the time that an OVER window is ordered by is NULL in a row");
      const EventTime time = times.millis(row);
      auto& partition = objectAt<OverPartition>(entries_[row]);
      if (time <= (isBounded() ? partition.last_time : watermark_)) {
        ++context_->metrics().late_rows_dropped;
        continue;
      }
      const auto same = partition.waiting.find(time);
      const uint64_t timer = same != partition.waiting.end() ? same->second.timer : timers_.add(time, storedKey(keys, row));
      codec_.encodeRow(piece.columns(), row, bytes_);
      partition.waiting.emplace(time, OverPartition::Waiting{timer, bytes_});
    }
    return {};
  }

  Result<Progress> answerDue(Output& output) {
    while (timers_.isDue(watermark_)) {
      const auto due = timers_.take(watermark_, kTimersAtOnce);
      due_keys_.clear();
      for (const auto& timer : due) due_keys_.add(timer.key);
      entries_.resize(due.size());
      RETURN_IF_ERROR(table_->find(0, due_keys_.batch(), entries_));
      for (size_t i = 0; i < due.size(); ++i) {
        if (entries_[i] == nullptr) continue;
        auto& partition = objectAt<OverPartition>(entries_[i]);
        std::vector<std::string> rows;
        const auto [begin, end] = partition.waiting.equal_range(due[i].time);
        for (auto row = begin; row != end; ++row) rows.push_back(std::move(row->second.bytes));
        partition.waiting.erase(begin, end);
        if (!rows.empty()) answerTime(partition, due[i].time, rows);
        table_->markDirty(entries_[i]);
      }
      RETURN_IF_ERROR(emitAnswers(output));
      if (timers_.isDue(watermark_) && output.isFull()) return Progress::MORE;
    }
    return Progress::DONE;
  }

  /// Notes the steps and answers of the rows of one key and time.
  void answerTime(OverPartition& partition, EventTime time, std::span<const std::string> rows) {
    partition.accumulators.make(calls_.aggregates);
    if (!spec_.rows_frame && isBounded()) {
      while (!partition.frame.empty() && partition.frame.front().time < time - *spec_.preceding) takeOut(partition);
    }
    partition.rank = partition.rows + 1;
    ++partition.dense_rank;
    for (const std::string& row : rows) {
      if (spec_.rows_frame && isBounded() && static_cast<int64_t>(partition.frame.size()) > *spec_.preceding) takeOut(partition);
      answered_rows_.push_back(fold(partition, time, row));
      ++partition.rows;
      noteRanks(partition, row);
    }
    const auto last_step = static_cast<RowIndex>(steps_.size() - 1);
    const bool shared = !spec_.rows_frame && !spec_.processing_time;
    for (size_t i = 0; i < rows.size(); ++i) {
      result_steps_.push_back(shared ? last_step : answered_rows_[answered_rows_.size() - rows.size() + i]);
    }
    partition.last_time = time;
  }

  void takeOut(OverPartition& partition) {
    steps_.add(partition.frame.front().bytes);
    step_entries_.push_back(partition.accumulators.entry());
    step_retracts_.push_back(1);
    partition.frame.pop_front();
  }

  RowIndex fold(OverPartition& partition, EventTime time, const std::string& row) {
    const RowIndex step = steps_.add(row);
    step_entries_.push_back(partition.accumulators.entry());
    step_retracts_.push_back(0);
    if (isBounded()) partition.frame.push_back({time, row});
    return step;
  }

  void noteRanks(OverPartition& partition, const std::string& row) {
    for (size_t i = 0; i < calls_.calls.size(); ++i) {
      const OverCalls::Call& call = calls_.calls[i];
      switch (call.function) {
        case OverFunction::ROW_NUMBER: numbers_[i].push_back(partition.rows); break;
        case OverFunction::RANK: numbers_[i].push_back(partition.rank); break;
        case OverFunction::DENSE_RANK: numbers_[i].push_back(partition.dense_rank); break;
        case OverFunction::LAG: lagged_[i].push_back(lagOf(partition, call, row)); break;
        default: break;
      }
    }
    if (recent_max_ == 0) return;
    partition.recent.push_back(row);
    if (partition.recent.size() > recent_max_) partition.recent.pop_front();
  }

  /// Number of the row `distance` rows back among the images of lagged rows.
  RowIndex lagOf(const OverPartition& partition, const OverCalls::Call& call, const std::string& row) {
    const auto distance = static_cast<size_t>(call.distance());
    if (distance == 0) return lag_images_.add(row);
    if (distance > partition.recent.size()) return kOutside;
    return lag_images_.add(partition.recent[partition.recent.size() - distance]);
  }

  Status emitAnswers(Output& output) {
    if (answered_rows_.empty()) return {};
    const Batch steps(steps_.size(), steps_.decode(codec_));
    std::vector<VectorPtr> before;
    std::vector<VectorPtr> after;
    if (calls_.aggregates->size() > 0) {
      RETURN_IF_ERROR(calls_.aggregates->trace(steps, step_entries_, isBounded() ? step_retracts_.data() : nullptr, nullptr, before, after));
    }
    std::vector<VectorPtr> columns;
    for (const VectorPtr& column : steps.columns()) columns.push_back(gather(*column, answered_rows_));
    const Batch rows(answered_rows_.size(), columns);
    for (size_t i = 0; i < calls_.calls.size(); ++i) {
      const OverCalls::Call& call = calls_.calls[i];
      if (call.function == OverFunction::AGGREGATE) columns.push_back(gather(*after[call.aggregate], result_steps_));
      else if (call.function == OverFunction::LAG) columns.push_back(laggedColumn(i, rows));
      else columns.push_back(numberColumn(i));
    }
    const size_t count = answered_rows_.size();
    clearAnswers();
    return output.emit(Batch(count, std::move(columns)));
  }

  VectorPtr numberColumn(size_t call) const {
    FlatBuilder<int64_t> out(calls_.calls[call].spec.result_type, numbers_[call].size());
    for (size_t i = 0; i < numbers_[call].size(); ++i) out.set(i, numbers_[call][i]);
    return out.finish();
  }

  /// Lagged rows stand behind the answered ones, so that defaults and values come from one batch.
  VectorPtr laggedColumn(size_t call, const Batch& rows) const {
    const std::vector<VectorPtr> lagged = lag_images_.decode(codec_);
    std::vector<VectorPtr> columns;
    for (size_t c = 0; c < rows.columnCount(); ++c) {
      const VectorPtr parts[] = {rows.column(c), lagged[c]};
      columns.push_back(concat(rows.column(c)->type(), parts));
    }
    std::vector<RowIndex> own(rows.rows());
    std::vector<RowIndex> targets(rows.rows());
    for (size_t i = 0; i < rows.rows(); ++i) {
      own[i] = static_cast<RowIndex>(i);
      targets[i] = lagged_[call][i] == kOutside ? kOutside : static_cast<RowIndex>(rows.rows() + lagged_[call][i]);
    }
    return shiftedValues(calls_.calls[call], Batch(rows.rows() + lag_images_.size(), std::move(columns)), own, targets);
  }

  void clearAnswers() {
    steps_.clear();
    step_entries_.clear();
    step_retracts_.clear();
    answered_rows_.clear();
    result_steps_.clear();
    lag_images_.clear();
    for (auto& numbers : numbers_) numbers.clear();
    for (auto& lagged : lagged_) lagged.clear();
  }

  static constexpr size_t kTimersAtOnce = 1024;

  OverAggregateSpec spec_;
  OverCalls calls_;
  RowCodec codec_;
  KeyEncoder encoder_;
  EventTimers timers_;
  KeyList due_keys_;
  size_t recent_max_ = 0;                     // rows that LAG looks back
  OperatorContext* context_ = nullptr;
  KeyedTable* table_ = nullptr;
  EventTime watermark_ = kMinWatermark;
  std::vector<char*> entries_;
  std::string bytes_;
  // Steps and answers noted so far.
  RowImages steps_;
  std::vector<char*> step_entries_;
  std::vector<uint8_t> step_retracts_;
  std::vector<RowIndex> answered_rows_;       // step that folds the row
  std::vector<RowIndex> result_steps_;        // step after which its results stand
  std::vector<std::vector<int64_t>> numbers_;    // per call, ranks of the answered rows
  RowImages lag_images_;
  std::vector<std::vector<RowIndex>> lagged_;    // per call, images that the answered rows look back to
};

}  // namespace

Result<std::unique_ptr<Operator>> makeOverAggregate(const OverAggregateSpec& spec, const PlanNode& node) {
  if (spec.final_only) return makeBatchOver(spec, node);
  if (spec.time_column < 0) return spec.preceding ? makeOverBounded(spec, node) : makeOverSorted(spec, node);
  ASSIGN_OR_RETURN(OverCalls calls, OverCalls::make(spec, spec.preceding.has_value(), false));
  for (const OverCalls::Call& call : calls.calls) {
    switch (call.function) {
      case OverFunction::NTILE:
      case OverFunction::PERCENT_RANK:
      case OverFunction::CUME_DIST:
      case OverFunction::LEAD: return Status::plan("NTILE, PERCENT_RANK, CUME_DIST and LEAD need to see later rows: they work in batch mode only");
      default: break;
    }
  }
  return std::unique_ptr<Operator>(std::make_unique<OverAggregateOperator>(spec, std::move(calls), inputTypes(node)));
}

}  // namespace thalweg::worker
