// WindowAggregate: one row per key and window, sent when the watermark passes the window's end.
//
// State: the table "windows", one namespace per window end, so that a fired window is dropped in one go. A row is late
// for a window when the watermark has reached its last millisecond; it is judged for each of its windows alone and
// dropped (counted) there. Windows fire in order of their ends; within a window, keys in the order of the table.
// Rows of a batch are sorted into windows first, so that each window's rows are looked up together.
// With attached windows (the rows carry window_start and window_end), the start is part of the key.
// Entry: [rows in the window] + accumulators; the count only matters when the input retracts: an emptied window is silent.

#include <deque>

#include "common/columnar/column_reader.h"
#include "worker/operators/aggregate/aggregate_set.h"
#include "worker/operators/operator_registry.h"
#include "worker/operators/window/session_aggregate.h"
#include "worker/operators/window/window_assigner.h"
#include "worker/operators/window/window_emit.h"

namespace thalweg::worker {
namespace {

std::vector<int> keyColumns(const WindowAggregateSpec& spec) {
  std::vector<int> columns = spec.keys;
  if (spec.attached) columns.push_back(spec.start_column);
  return columns;
}

class WindowAggregateOperator : public PieceOperator {
 public:
  WindowAggregateOperator(WindowAggregateSpec spec, std::vector<DataType> types, std::shared_ptr<AggregateSet> aggregates)
      : spec_(std::move(spec)), types_(std::move(types)), key_columns_(keyColumns(spec_)), aggregates_(std::move(aggregates)),
        encoder_(key_columns_, types_) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    assigner_ = std::make_unique<WindowAssigner>(spec_.window, *context.evalContext().session_zone);
    KeyedTableSpec table;
    table.name = "windows";
    table.fixed_keys = encoder_.isFixed();
    aggregates_->describe(table);
    ASSIGN_OR_RETURN(table_, context.keyedState().openTable(std::move(table)));
    watermark_ = context.evalContext().current_watermark;
    if (spec_.window.processing_time) requestNextWakeup();
    return {};
  }

  Result<Progress> processRows(int, const Batch& piece, Output&) override {
    RETURN_IF_ERROR(spec_.attached ? assignAttached(piece) : assignByTime(piece));
    if (windows_used_ == 0) return Progress::DONE;
    const KeyBatch& keys = encoder_.encode(piece);
    for (size_t w = 0; w < windows_used_; ++w) RETURN_IF_ERROR(fold(piece, keys, windows_[w]));
    if (spec_.window.processing_time) requestNextWakeup();
    return Progress::DONE;
  }

  Result<Progress> onWatermark(EventTime watermark, Output& output) override {
    if (spec_.final_only || (spec_.window.processing_time && !spec_.attached)) return Progress::DONE;
    watermark_ = watermark;
    return fire(output);
  }

  Result<Progress> onWakeup(int64_t now_ms, Output& output) override {
    watermark_ = now_ms - 1;
    ASSIGN_OR_RETURN(const Progress progress, fire(output));
    if (progress == Progress::DONE) requestNextWakeup();
    return progress;
  }

  Result<Progress> finish(Output& output) override {
    if (!spec_.final_only) return Progress::DONE;
    watermark_ = kMaxWatermark;
    return fire(output);
  }

  Result<Progress> resumeWork(Output& output) override { return fire(output); }
  void close() override { cursor_.reset(); }     // before its table goes

 private:
  /// The rows of the current piece that fall into one window.
  struct WindowRows {
    int64_t end = 0;
    std::vector<RowIndex> rows;
  };

  WindowRows& windowRows(int64_t end) {
    for (size_t w = windows_used_; w-- > 0;) {
      if (windows_[w].end == end) return windows_[w];
    }
    if (windows_used_ == windows_.size()) windows_.emplace_back();
    WindowRows& window = windows_[windows_used_++];
    window.end = end;
    window.rows.clear();
    return window;
  }

  void assign(int64_t end, size_t row) {
    if (windows_used_ == 0 || last_->end != end) {
      last_ = &windowRows(end);
      last_late_ = isLate(end);
    }
    if (last_late_) ++context_->metrics().late_rows_dropped;
    else last_->rows.push_back(static_cast<RowIndex>(row));
  }

  bool isLate(int64_t end) const { return !spec_.final_only && watermark_ >= assigner_->fireTime(end); }

  Status assignByTime(const Batch& piece) {
    windows_used_ = 0;
    const int64_t now_ms = spec_.window.processing_time ? context_->nowMillis() : 0;
    if (spec_.window.processing_time) {
      for (size_t row = 0; row < piece.rows(); ++row) assignTime(now_ms, row);
      return {};
    }
    const Vector& column = *piece.column(static_cast<size_t>(spec_.window.time_column));
    const TimestampReader times(column);
    const bool nulls = column.mayHaveNulls();
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (nulls && times.isNull(row)) {
        if (spec_.final_only) continue;
        return Status::runtime("the time column of a window is NULL in a row; filter such rows before the window");
      }
      assignTime(times.millis(row), row);
    }
    return {};
  }

  void assignTime(int64_t millis, size_t row) {
    const int64_t time = assigner_->windowTime(millis);
    if (assigner_->isSingle()) {
      if (windows_used_ > 0 && time < last_->end && time >= last_->end - spec_.window.size_ms) assign(last_->end, row);
      else assign(assigner_->firstEnd(time), row);
      return;
    }
    ends_.clear();
    assigner_->ends(time, ends_);
    for (const int64_t end : ends_) assign(end, row);
  }

  Status assignAttached(const Batch& piece) {
    windows_used_ = 0;
    const TimestampReader ends(*piece.column(static_cast<size_t>(spec_.end_column)));
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (!ends.isNull(row)) assign(ends.millis(row), row);
    }
    return {};
  }

  Status fold(const Batch& piece, const KeyBatch& keys, const WindowRows& window) {
    const size_t count = window.rows.size();
    if (count == 0) return {};
    entries_.resize(count);
    const bool all = count == piece.rows();
    if (all) RETURN_IF_ERROR(table_->upsert(window.end, keys, entries_, {}));
    else RETURN_IF_ERROR(table_->upsertRows(window.end, keys, window.rows, entries_, {}));
    const Batch part = all ? piece : piece.select(window.rows);
    if (!spec_.input_retracts) return aggregates_->update(part, entries_, nullptr, nullptr);
    retract_.resize(count);
    for (size_t i = 0; i < count; ++i) {
      retract_[i] = static_cast<uint8_t>(isRetract(part.rowKind(i)));
      *reinterpret_cast<int64_t*>(entries_[i]) += retract_[i] ? -1 : 1;
    }
    return aggregates_->update(part, entries_, retract_.data(), nullptr);
  }

  /// Sends every window that is complete at watermark_, oldest first.
  Result<Progress> fire(Output& output) {
    while (true) {
      if (!cursor_) {
        const auto open = table_->namespaces();
        if (open.empty() || watermark_ < assigner_->fireTime(open.front())) return Progress::DONE;
        firing_ = open.front();
        cursor_ = table_->scan(firing_);
      }
      found_.clear();
      RETURN_IF_ERROR(cursor_->next(Batch::kRowsTarget, found_));
      if (found_.empty()) {
        cursor_.reset();
        RETURN_IF_ERROR(table_->eraseNamespace(firing_));
        continue;
      }
      RETURN_IF_ERROR(emitFound(output));
      if (output.isFull()) return Progress::MORE;
    }
  }

  Status emitFound(Output& output) {
    std::vector<std::string_view> keys;
    std::vector<const char*> entries;
    for (const auto& [key, entry] : found_) {
      if (spec_.input_retracts && *reinterpret_cast<int64_t*>(entry) <= 0) continue;
      keys.push_back(key);
      entries.push_back(entry);
    }
    if (entries.empty()) return {};
    std::vector<DataType> key_types;
    for (const int column : key_columns_) key_types.push_back(types_[static_cast<size_t>(column)]);
    std::vector<VectorPtr> columns;
    RETURN_IF_ERROR(decodeKeys(keys, key_types, columns));
    VectorPtr start;
    if (spec_.attached) {
      start = columns.back();
      columns.pop_back();
    }
    RETURN_IF_ERROR(aggregates_->finalize(entries, columns));
    for (size_t i = 0; i < spec_.properties.size(); ++i) columns.push_back(property(i, start, entries.size()));
    return output.emit(Batch(entries.size(), std::move(columns)));
  }

  VectorPtr property(size_t i, const VectorPtr& attached_start, size_t rows) const {
    using Property = WindowAggregateSpec::Property;
    if (spec_.properties[i] == Property::WINDOW_START && attached_start) return attached_start->withType(spec_.property_types[i]);
    int64_t millis = firing_;
    if (spec_.properties[i] == Property::WINDOW_START) millis = assigner_->startOf(firing_);
    if (spec_.properties[i] == Property::WINDOW_TIME) millis = assigner_->timeAttribute(firing_);
    return Vector::constant(spec_.property_types[i], Value::timestamp({millis, 0, 0}), rows);
  }

  void requestNextWakeup() {
    const auto open = table_->namespaces();
    if (!open.empty()) context_->requestWakeup(assigner_->fireTime(open.front()) + 1);
  }

  WindowAggregateSpec spec_;
  std::vector<DataType> types_;
  std::vector<int> key_columns_;
  std::shared_ptr<AggregateSet> aggregates_;
  KeyEncoder encoder_;
  std::unique_ptr<WindowAssigner> assigner_;
  OperatorContext* context_ = nullptr;
  KeyedTable* table_ = nullptr;
  EventTime watermark_ = kMinWatermark;
  std::unique_ptr<KeyedTable::Cursor> cursor_;   // of the window being sent
  int64_t firing_ = 0;
  // Scratch.
  std::deque<WindowRows> windows_;          // stable addresses: last_ points into it
  size_t windows_used_ = 0;
  WindowRows* last_ = nullptr;
  bool last_late_ = false;
  std::vector<int64_t> ends_;
  std::vector<char*> entries_;
  std::vector<uint8_t> retract_;
  std::vector<std::pair<std::string_view, char*>> found_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeWindowAggregate(const WindowAggregateSpec& spec, const PlanNode& node) {
  if (spec.window.kind == WindowKind::SESSION && !spec.attached) return makeSessionAggregate(spec, node);
  if (node.mode.update_after) return makeWindowEmit(spec, node);
  ASSIGN_OR_RETURN(auto aggregates, AggregateSet::make(spec.calls, spec.input_retracts, spec.final_only, sizeof(int64_t)));
  return std::unique_ptr<Operator>(std::make_unique<WindowAggregateOperator>(spec, inputTypes(node), std::move(aggregates)));
}

}  // namespace thalweg::worker
