// SessionOperator: what session aggregation and the SESSION function alone have in common — which session a row joins,
// which rows are late, when sessions are complete.
//
// State: the table "sessions", an entry (SessionWindows<Content>) per key. A row is late when it touches no open session and
// the watermark has reached the end of its own window. Sessions leave in order of their ends, equal ends in order of keys.
// Derived operators say what a session holds and how it is sent.
#pragma once

#include "common/columnar/column_reader.h"
#include "common/functions/aggregates/state_bytes.h"
#include "common/plan/operator_spec.h"
#include "common/runtime_api/operator.h"
#include "common/runtime_api/state_visits.h"
#include "common/types/time_zone.h"
#include "worker/operators/key_list.h"
#include "worker/operators/window/session_timers.h"
#include "worker/operators/window/session_windows.h"

namespace thalweg::worker {

template <typename Content>
class SessionOperator : public PieceOperator {
 public:
  using Windows = SessionWindows<Content>;
  using Session = typename Windows::Session;

  SessionOperator(WindowSpec window, std::vector<int> keys, const std::vector<DataType>& types, bool final_only)
      : window_(std::move(window)), final_only_(final_only), encoder_(std::move(keys), types), due_key_(encoder_.isFixed()) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    final_only_ = final_only_ || context.batchMode();
    watermark_ = context.evalContext().current_watermark;
    KeyedTableSpec table = tableSpec();
    table.name = "sessions";
    table.fixed_keys = encoder_.isFixed();
    ASSIGN_OR_RETURN(table_, context.keyedState().openTable(std::move(table)));
    RETURN_IF_ERROR(lookAtAll(*table_, 0, [this](std::string_view key, char* payload) {
      for (const Session& session : objectAt<Windows>(payload).sessions()) timers_.add(session.fireTime(), key);
    }));
    if (window_.processing_time) requestNextWakeup();
    return {};
  }

  Result<Progress> processRows(int, const Batch& piece, Output&) override {
    RETURN_IF_ERROR(readTimes(piece));
    const KeyBatch& keys = encoder_.encode(piece);
    entries_.resize(piece.rows());
    RETURN_IF_ERROR(table_->upsert(0, keys, entries_, {}));
    bool left_empty = false;
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (valid_[row]) RETURN_IF_ERROR(assign(piece, row, keys));
      left_empty = left_empty || objectAt<Windows>(entries_[row]).isEmpty();
    }
    RETURN_IF_ERROR(endRows(piece));
    if (left_empty) RETURN_IF_ERROR(eraseEmpty(keys));
    if (window_.processing_time) requestNextWakeup();
    return Progress::DONE;
  }

  Result<Progress> onWatermark(EventTime watermark, Output& output) override {
    if (final_only_ || window_.processing_time) return Progress::DONE;
    watermark_ = watermark;
    return fire(output);
  }

  Result<Progress> onWakeup(int64_t now_ms, Output& output) override {
    watermark_ = now_ms;
    ASSIGN_OR_RETURN(const Progress progress, fire(output));
    if (progress == Progress::DONE) requestNextWakeup();
    return progress;
  }

  Result<Progress> finish(Output& output) override {
    if (!final_only_) return Progress::DONE;
    watermark_ = kMaxWatermark;
    return fire(output);
  }

  Result<Progress> resumeWork(Output& output) override { return fire(output); }

 protected:
  /// Payload and hooks of the table: windowsTable().
  virtual KeyedTableSpec tableSpec() = 0;
  /// Row `row` of the piece is part of the session that holds `content`.
  virtual Status takeRow(const Batch& piece, size_t row, Content& content) = 0;
  virtual Status mergeContents(const Batch& piece, Content& into, Content& from) = 0;
  /// All rows of the piece were given to takeRow().
  virtual Status endRows(const Batch& piece) { (void)piece; return {}; }
  /// The session is complete and leaves the state.
  virtual Status takeComplete(std::string_view key, Session session) = 0;
  /// Rows taken and not yet sent.
  virtual size_t pendingRows() const = 0;
  virtual Status emitPending(Output& output) = 0;

  /// A table of Windows whose contents are written by `write(content, writer)` and read by `read(reader, content)`.
  template <typename Write, typename Read>
  static KeyedTableSpec windowsTable(Write write, Read read) {
    KeyedTableSpec table;
    table.payload_bytes = sizeof(Windows*);
    table.init = [](char* at) { *reinterpret_cast<Windows**>(at) = new Windows(); };
    table.destroy = [](char* at) { delete *reinterpret_cast<Windows**>(at); };
    table.serialize = [write](const char* at, std::string& out) {
      StateWriter writer(out);
      const auto& sessions = (*reinterpret_cast<Windows* const*>(at))->sessions();
      writer.number<uint64_t>(sessions.size());
      for (const Session& session : sessions) {
        writer.number(session.start);
        writer.number(session.end);
        write(session.content, writer);
      }
    };
    table.deserialize = [read](std::string_view bytes, char* at) -> Status {
      auto windows = std::make_unique<Windows>();
      StateReader reader(bytes);
      const auto count = reader.count(2 * sizeof(EventTime));
      for (uint64_t i = 0; i < count && reader.isOk(); ++i) {
        Session session;
        session.start = reader.number<EventTime>();
        session.end = reader.number<EventTime>();
        RETURN_IF_ERROR(read(reader, session.content));
        windows->sessions().push_back(std::move(session));
      }
      if (!reader.isDone()) return Status::internal("state of a session is cut short");
      *reinterpret_cast<Windows**>(at) = windows.release();
      return {};
    };
    return table;
  }

  OperatorContext& context() { return *context_; }
  const std::vector<DataType>& keyTypes() const { return encoder_.keyTypes(); }
  /// The session zone's wall clock at an instant, if the time is TIMESTAMP_LTZ.
  EventTime wallClock(EventTime instant) const {
    return window_.local_time || window_.processing_time ? context_->evalContext().session_zone->toLocalMs(instant) : instant;
  }

 private:
  Status readTimes(const Batch& piece) {
    times_.assign(piece.rows(), 0);
    valid_.assign(piece.rows(), 1);
    if (window_.processing_time) {
      std::fill(times_.begin(), times_.end(), context_->nowMillis());
      return {};
    }
    const TimestampReader times(*piece.column(static_cast<size_t>(window_.time_column)));
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (!times.isNull(row)) {
        times_[row] = times.millis(row);
      } else if (final_only_) {
        valid_[row] = 0;
      } else {
        return Status::runtime("the time column of a window is NULL in a row; filter such rows before the window");
      }
    }
    return {};
  }

  Status assign(const Batch& piece, size_t row, const KeyBatch& keys) {
    Windows& windows = objectAt<Windows>(entries_[row]);
    const EventTime start = times_[row];
    const EventTime end = start + window_.size_ms;
    const bool judges = !final_only_ && !window_.processing_time;
    if (judges && end - 1 <= watermark_ && !windows.touchesAny(start, end)) {
      ++context_->metrics().late_rows_dropped;
      return {};
    }
    Status merged;
    const size_t count = windows.sessions().size();
    Session& session = windows.add(start, end, [&](Content& into, Content& from) {
      if (merged.isOk()) merged = mergeContents(piece, into, from);
    });
    RETURN_IF_ERROR(merged);
    if (windows.sessions().size() > count) {
      char word[8];
      timers_.add(session.fireTime(), keys.fixed ? storeKeyWord(keys.words[row], word) : keys.bytes[row]);
    }
    return takeRow(piece, row, session.content);
  }

  Status eraseEmpty(const KeyBatch& keys) {
    for (size_t row = 0; row < keys.size; ++row) {
      char* entry = nullptr;
      const RowIndex one[] = {static_cast<RowIndex>(row)};
      RETURN_IF_ERROR(table_->findRows(0, keys, one, {&entry, 1}));
      if (entry != nullptr && objectAt<Windows>(entry).isEmpty()) RETURN_IF_ERROR(table_->erase(0, keys, row));
    }
    return {};
  }

  Result<Progress> fire(Output& output) {
    while (timers_.isDue(watermark_)) {
      const EventTimers::Timer timer = timers_.take(watermark_);
      RETURN_IF_ERROR(fireKey(timer));
      if (pendingRows() < Batch::kRowsTarget) continue;
      RETURN_IF_ERROR(emitPending(output));
      if (output.isFull()) return Progress::MORE;
    }
    if (pendingRows() > 0) RETURN_IF_ERROR(emitPending(output));
    return Progress::DONE;
  }

  /// Takes the key's sessions that end at the timer's time; the others get their timers (again).
  Status fireKey(const EventTimers::Timer& timer) {
    due_key_.clear();
    due_key_.add(timer.key);
    char* entry = nullptr;
    RETURN_IF_ERROR(table_->find(0, due_key_.batch(), {&entry, 1}));
    if (entry == nullptr) return {};
    auto& sessions = objectAt<Windows>(entry).sessions();
    for (size_t i = 0; i < sessions.size();) {
      if (sessions[i].fireTime() != timer.time) {
        timers_.add(sessions[i++].fireTime(), timer.key);
        continue;
      }
      Session complete = std::move(sessions[i]);
      sessions.erase(sessions.begin() + static_cast<std::ptrdiff_t>(i));
      RETURN_IF_ERROR(takeComplete(timer.key, std::move(complete)));
    }
    if (sessions.empty()) return table_->erase(0, due_key_.batch(), 0);
    table_->markDirty(entry);
    return {};
  }

  void requestNextWakeup() {
    if (!timers_.isEmpty()) context_->requestWakeup(timers_.earliest());
  }

  WindowSpec window_;
  bool final_only_;
  KeyEncoder encoder_;
  OperatorContext* context_ = nullptr;
  KeyedTable* table_ = nullptr;
  SessionTimers timers_;
  KeyList due_key_;
  EventTime watermark_ = kMinWatermark;
  // Scratch of the rows at hand.
  std::vector<EventTime> times_;
  std::vector<uint8_t> valid_;
  std::vector<char*> entries_;
};

}  // namespace thalweg::worker
