// Deduplicate: the first or the last row of a key, by arrival or by row time.
//
//   first, by arrival   the first row of a key passes, all others are dropped
//   last, by arrival    every row replaces the one before; an equal row says nothing
//   last, by time       a row replaces the one kept if its time is not smaller
//   first, by time      the earliest row is sent when the watermark reaches its time, so that nothing is taken back;
//                       rows behind the watermark and rows of keys that were answered are dropped
// In batch mode the kept rows are sent at the end of input.

#include "common/columnar/column_reader.h"
#include "common/functions/aggregates/state_bytes.h"
#include "common/runtime_api/state_visits.h"
#include "worker/operators/event_timers.h"
#include "worker/operators/key_list.h"
#include "worker/operators/operator_registry.h"
#include "worker/operators/row_messages.h"

namespace thalweg::worker {
namespace {

/// The row of a key; `timer` is the registration of one that waits.
struct KeptRow {
  EventTime time = 0;
  uint64_t timer = 0;
  bool exists = false;
  std::string bytes;

  void serialize(std::string& out) const {
    StateWriter writer(out);
    writer.number(time);
    writer.number(timer);
    writer.number(exists);
    writer.text(bytes);
  }
  static Status deserialize(std::string_view from, KeptRow& into) {
    StateReader reader(from);
    into.time = reader.number<EventTime>();
    into.timer = reader.number<uint64_t>();
    into.exists = reader.number<uint8_t>() != 0;
    into.bytes = reader.text();
    return reader.isDone() ? Status() : Status::internal("state of a deduplication is cut short");
  }
};

Batch withRankOne(const Batch& batch) {
  std::vector<VectorPtr> columns = batch.columns();
  columns.push_back(Vector::constant(DataType::bigint(false), Value::integer(1), batch.rows()));
  return batch.withColumns(std::move(columns));
}

/// First by arrival: an entry is only a mark that the key was seen.
class FirstArrivalOperator : public PieceOperator {
 public:
  FirstArrivalOperator(DeduplicateSpec spec, const std::vector<DataType>& types) : spec_(std::move(spec)), encoder_(spec_.keys, types) {}

  Status open(OperatorContext& context) override {
    KeyedTableSpec table;
    table.name = "seen";
    table.payload_bytes = sizeof(uint64_t);
    table.fixed_keys = encoder_.isFixed();
    table.ttl_ms = spec_.state_ttl_ms;
    ASSIGN_OR_RETURN(table_, context.keyedState().openTable(std::move(table)));
    return {};
  }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    const KeyBatch& keys = encoder_.encode(piece);
    entries_.resize(piece.rows());
    created_.resize(piece.rows());
    RETURN_IF_ERROR(table_->upsert(0, keys, entries_, created_));
    firsts_.clear();
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (created_[row]) firsts_.push_back(static_cast<RowIndex>(row));
    }
    if (firsts_.empty()) return Progress::DONE;
    const Batch rows = piece.select(firsts_);
    RETURN_IF_ERROR(output.emit(spec_.output_rank ? withRankOne(rows) : rows));
    return Progress::DONE;
  }

 private:
  DeduplicateSpec spec_;
  KeyEncoder encoder_;
  KeyedTable* table_ = nullptr;
  std::vector<char*> entries_;
  std::vector<uint8_t> created_;
  std::vector<RowIndex> firsts_;
};

/// The other kinds: an entry holds the row. Of the first by time, keys that were answered are marked in a second table,
/// whose entries may expire without losing a row that waits.
class KeptRowOperator : public PieceOperator {
 public:
  KeptRowOperator(DeduplicateSpec spec, const std::vector<DataType>& types)
      : spec_(std::move(spec)), by_time_(spec_.time_column >= 0), codec_(types), encoder_(spec_.keys, types), messages_(codec_),
        due_keys_(encoder_.isFixed()) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    watermark_ = context.evalContext().current_watermark;
    auto table = objectTableSpec<KeptRow>("rows", encoder_.isFixed());
    table.ttl_ms = waits() ? 0 : spec_.state_ttl_ms;
    ASSIGN_OR_RETURN(table_, context.keyedState().openTable(std::move(table)));
    if (!waits()) return {};
    KeyedTableSpec sent;
    sent.name = "sent";
    sent.payload_bytes = sizeof(uint64_t);
    sent.fixed_keys = encoder_.isFixed();
    sent.ttl_ms = spec_.state_ttl_ms;
    ASSIGN_OR_RETURN(sent_, context.keyedState().openTable(std::move(sent)));
    return lookAtAll(*table_, 0, [this](std::string_view key, char* payload) {
      const KeptRow& kept = objectAt<KeptRow>(payload);
      if (kept.exists) timers_.restore(kept.time, kept.timer, key);
    });
  }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    RETURN_IF_ERROR(readTimes(piece));
    const KeyBatch& keys = encoder_.encode(piece);
    if (waits()) {
      RETURN_IF_ERROR(holdRows(piece, keys));
      return Progress::DONE;
    }
    entries_.resize(piece.rows());
    RETURN_IF_ERROR(table_->upsert(0, keys, entries_, {}));
    for (size_t row = 0; row < piece.rows(); ++row) handleRow(piece, row);
    if (!messages_.isEmpty()) RETURN_IF_ERROR(emitMessages(output));
    return Progress::DONE;
  }

  Result<Progress> onWatermark(EventTime watermark, Output& output) override {
    watermark_ = watermark;
    return sendDue(output);
  }

  Result<Progress> finish(Output& output) override {
    if (!spec_.final_only) return Progress::DONE;
    cursor_ = table_->scan(0);
    return sendKept(output);
  }

  Result<Progress> resumeWork(Output& output) override { return cursor_ ? sendKept(output) : sendDue(output); }
  void close() override { cursor_.reset(); }     // before its table goes

 private:
  /// Rows are held back until the watermark reaches them.
  bool waits() const { return by_time_ && !spec_.keep_last && !spec_.final_only; }

  Status readTimes(const Batch& piece) {
    times_.assign(piece.rows(), 0);
    if (!by_time_) return {};
    const TimestampReader times(*piece.column(static_cast<size_t>(spec_.time_column)));
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (times.isNull(row)) return Status::runtime("the time to deduplicate by is NULL in a row");
      times_[row] = times.millis(row);
    }
    return {};
  }

  void handleRow(const Batch& piece, size_t row) {
    KeptRow& kept = objectAt<KeptRow>(entries_[row]);
    const EventTime time = times_[row];
    const bool replaces = !kept.exists || (spec_.keep_last ? !by_time_ || time >= kept.time : by_time_ && time < kept.time);
    if (!replaces) return;
    codec_.encodeRow(piece.columns(), row, bytes_);
    if (!spec_.final_only) answer(kept);
    kept.exists = true;
    kept.time = time;
    kept.bytes = bytes_;
  }

  /// Says that `bytes_` takes the place of what is kept.
  void answer(const KeptRow& kept) {
    const bool tells_first = spec_.emit_update_before || spec_.emit_insert_kind;
    if (!kept.exists) {
      messages_.add(tells_first ? RowKind::INSERT : RowKind::UPDATE_AFTER, bytes_);
      return;
    }
    if (!by_time_ && spec_.state_ttl_ms == 0 && kept.bytes == bytes_) return;
    if (spec_.emit_update_before) messages_.add(RowKind::UPDATE_BEFORE, kept.bytes);
    messages_.add(RowKind::UPDATE_AFTER, bytes_);
  }

  /// First by time: keeps the rows that are the earliest of their keys so far.
  Status holdRows(const Batch& piece, const KeyBatch& keys) {
    entries_.resize(piece.rows());
    RETURN_IF_ERROR(sent_->find(0, keys, entries_));
    rows_.clear();
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (times_[row] < watermark_) ++context_->metrics().late_rows_dropped;
      else if (entries_[row] == nullptr) rows_.push_back(static_cast<RowIndex>(row));
    }
    entries_.resize(rows_.size());
    RETURN_IF_ERROR(table_->upsertRows(0, keys, rows_, entries_, {}));
    for (size_t i = 0; i < rows_.size(); ++i) {
      KeptRow& kept = objectAt<KeptRow>(entries_[i]);
      const EventTime time = times_[rows_[i]];
      if (kept.exists && kept.time <= time) continue;
      std::string key = storedKey(keys, rows_[i]);
      if (kept.exists) timers_.remove(kept.time, kept.timer, key);
      kept.exists = true;
      kept.time = time;
      kept.timer = timers_.add(time, std::move(key));
      codec_.encodeRow(piece.columns(), rows_[i], kept.bytes);
    }
    return {};
  }

  Result<Progress> sendDue(Output& output) {
    while (timers_.isDue(watermark_)) {
      const auto due = timers_.take(watermark_, Batch::kRowsTarget);
      due_keys_.clear();
      for (const auto& timer : due) due_keys_.add(timer.key);
      entries_.resize(due.size());
      RETURN_IF_ERROR(table_->find(0, due_keys_.batch(), entries_));
      for (char* entry : entries_) {
        if (entry != nullptr) messages_.add(RowKind::INSERT, objectAt<KeptRow>(entry).bytes);
      }
      RETURN_IF_ERROR(sent_->upsert(0, due_keys_.batch(), entries_, {}));
      for (size_t i = 0; i < due.size(); ++i) RETURN_IF_ERROR(table_->erase(0, due_keys_.batch(), i));
      if (!messages_.isEmpty()) RETURN_IF_ERROR(emitMessages(output));
      if (timers_.isDue(watermark_) && output.isFull()) return Progress::MORE;
    }
    return Progress::DONE;
  }

  /// Batch: what is left of every key.
  Result<Progress> sendKept(Output& output) {
    std::vector<std::pair<std::string_view, char*>> found;
    while (true) {
      found.clear();
      RETURN_IF_ERROR(cursor_->next(Batch::kRowsTarget, found));
      if (found.empty()) break;
      for (const auto& [key, entry] : found) messages_.add(RowKind::INSERT, objectAt<KeptRow>(entry).bytes);
      RETURN_IF_ERROR(emitMessages(output));
      if (output.isFull()) return Progress::MORE;
    }
    cursor_.reset();
    return Progress::DONE;
  }

  Status emitMessages(Output& output) {
    const Batch rows = messages_.take();
    return output.emit(spec_.output_rank ? withRankOne(rows) : rows);
  }

  DeduplicateSpec spec_;
  bool by_time_;
  RowCodec codec_;
  KeyEncoder encoder_;
  RowMessages messages_;
  EventTimers timers_;
  KeyList due_keys_;
  OperatorContext* context_ = nullptr;
  KeyedTable* table_ = nullptr;
  KeyedTable* sent_ = nullptr;
  EventTime watermark_ = kMinWatermark;
  std::unique_ptr<KeyedTable::Cursor> cursor_;
  std::vector<char*> entries_;
  std::vector<EventTime> times_;      // of the rows at hand, if by time
  std::vector<RowIndex> rows_;
  std::string bytes_;                 // the row at hand
};

}  // namespace

Result<std::unique_ptr<Operator>> makeDeduplicate(const DeduplicateSpec& spec, const PlanNode& node) {
  const auto types = inputTypes(node);
  if (spec.time_column < 0 && !spec.keep_last) return std::unique_ptr<Operator>(std::make_unique<FirstArrivalOperator>(spec, types));
  return std::unique_ptr<Operator>(std::make_unique<KeptRowOperator>(spec, types));
}

}  // namespace thalweg::worker
