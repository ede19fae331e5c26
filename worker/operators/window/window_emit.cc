// WindowEmit: group windows that send early (every row of a window sends its result), that send again for late rows, and
// that live on for the allowed lateness.
//
// State: the table "windows", one namespace per window end; entry: [whether a result was sent] + accumulators. A row is
// dropped (counted) when the watermark has reached the window's last millisecond plus the lateness. What is sent first is
// +I, then -U and +U, and nothing when the result did not change. At the window's end what was not sent is sent.
// Rows are taken one by one, since every row may answer; this is no path for high rates.

#include "worker/operators/window/window_emit.h"

#include "common/columnar/column_reader.h"
#include "worker/operators/aggregate/aggregate_set.h"
#include "worker/operators/operator_registry.h"
#include "worker/operators/row_messages.h"
#include "worker/operators/window/window_assigner.h"

namespace thalweg::worker {
namespace {

class WindowEmitOperator : public PieceOperator {
 public:
  WindowEmitOperator(WindowAggregateSpec spec, std::vector<DataType> types, std::vector<DataType> output, std::shared_ptr<AggregateSet> aggregates)
      : spec_(std::move(spec)), types_(std::move(types)), aggregates_(std::move(aggregates)), encoder_(spec_.keys, types_),
        codec_(std::move(output)), messages_(codec_) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    const Configuration& settings = context.configuration();
    early_ = settings.getBool("table.exec.emit.early-fire.enabled");
    late_ = settings.getBool("table.exec.emit.late-fire.enabled") || !early_;
    lateness_ms_ = settings.contains("table.exec.emit.allow-lateness") ? settings.getDurationMillis("table.exec.emit.allow-lateness") : 0;
    assigner_ = std::make_unique<WindowAssigner>(spec_.window, *context.evalContext().session_zone);
    KeyedTableSpec table;
    table.name = "windows";
    table.fixed_keys = encoder_.isFixed();
    aggregates_->describe(table);
    ASSIGN_OR_RETURN(table_, context.keyedState().openTable(std::move(table)));
    watermark_ = context.evalContext().current_watermark;
    return {};
  }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    const TimestampReader times(*piece.column(static_cast<size_t>(spec_.window.time_column)));
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (times.isNull(row)) return Status::runtime("the time column of a window is NULL in a row; filter such rows before the window");
      ends_.clear();
      assigner_->ends(assigner_->windowTime(times.millis(row)), ends_);
      const Batch one = piece.slice(row, 1);
      for (const int64_t end : ends_) RETURN_IF_ERROR(take(one, end));
    }
    return send(output);
  }

  Result<Progress> onWatermark(EventTime watermark, Output& output) override {
    const EventTime before = watermark_;
    watermark_ = watermark;
    for (const StateNamespace end : table_->namespaces()) {
      const EventTime fires = assigner_->fireTime(end);
      if (fires > watermark) break;
      if (fires > before) RETURN_IF_ERROR(sendUnsent(end));
      if (isOver(end)) RETURN_IF_ERROR(table_->eraseNamespace(end));
    }
    return send(output);
  }

 private:
  bool isOver(int64_t end) const {
    const EventTime fires = assigner_->fireTime(end);
    return watermark_ >= fires && (watermark_ == kMaxWatermark || watermark_ - fires >= lateness_ms_);
  }

  Status take(const Batch& row, int64_t end) {
    if (isOver(end)) {
      ++context_->metrics().late_rows_dropped;
      return {};
    }
    const KeyBatch& keys = encoder_.encode(row);
    char* entry = nullptr;
    RETURN_IF_ERROR(table_->upsert(end, keys, {&entry, 1}, {}));
    const bool fires = watermark_ >= assigner_->fireTime(end) ? late_ : early_;
    if (!fires) return aggregates_->update(row, {&entry, 1}, nullptr, nullptr);
    std::vector<VectorPtr> before;
    std::vector<VectorPtr> after;
    RETURN_IF_ERROR(aggregates_->trace(row, {&entry, 1}, nullptr, nullptr, before, after));
    std::vector<VectorPtr> key_columns;
    for (const int key : spec_.keys) key_columns.push_back(row.column(static_cast<size_t>(key)));
    auto& sent = *reinterpret_cast<int64_t*>(entry);
    const std::string now = rowOf(key_columns, after, end, 0);
    if (sent == 0) {
      messages_.add(RowKind::INSERT, now);
    } else if (const std::string old = rowOf(key_columns, before, end, 0); old != now) {
      messages_.add(RowKind::UPDATE_BEFORE, old);
      messages_.add(RowKind::UPDATE_AFTER, now);
    }
    sent = 1;
    return {};
  }

  Status sendUnsent(int64_t end) {
    std::vector<std::string_view> keys;
    std::vector<const char*> entries;
    RETURN_IF_ERROR(table_->forEach(end, [&](std::string_view key, char* entry) {
      auto& sent = *reinterpret_cast<int64_t*>(entry);
      if (sent != 0) return true;
      sent = 1;
      table_->markDirty(entry);
      keys.push_back(key);
      entries.push_back(entry);
      return true;
    }));
    if (entries.empty()) return {};
    std::vector<DataType> key_types;
    for (const int column : spec_.keys) key_types.push_back(types_[static_cast<size_t>(column)]);
    std::vector<VectorPtr> key_columns;
    RETURN_IF_ERROR(decodeKeys(keys, key_types, key_columns));
    std::vector<VectorPtr> results;
    RETURN_IF_ERROR(aggregates_->finalize(entries, results));
    for (size_t i = 0; i < entries.size(); ++i) messages_.add(RowKind::INSERT, rowOf(key_columns, results, end, i));
    return {};
  }

  /// An output row: keys, results, properties of the window.
  std::string rowOf(const std::vector<VectorPtr>& keys, const std::vector<VectorPtr>& results, int64_t end, size_t row) const {
    using Property = WindowAggregateSpec::Property;
    std::vector<VectorPtr> columns = keys;
    columns.insert(columns.end(), results.begin(), results.end());
    for (size_t i = 0; i < spec_.properties.size(); ++i) {
      int64_t millis = end;
      if (spec_.properties[i] == Property::WINDOW_START) millis = assigner_->startOf(end);
      if (spec_.properties[i] == Property::WINDOW_TIME) millis = assigner_->timeAttribute(end);
      columns.push_back(Vector::constant(spec_.property_types[i], Value::timestamp({millis, 0, 0}), row + 1));
    }
    std::string bytes;
    codec_.encodeRow(columns, row, bytes);
    return bytes;
  }

  Result<Progress> send(Output& output) {
    if (!messages_.isEmpty()) RETURN_IF_ERROR(output.emit(messages_.take()));
    return Progress::DONE;
  }

  WindowAggregateSpec spec_;
  std::vector<DataType> types_;
  std::shared_ptr<AggregateSet> aggregates_;
  KeyEncoder encoder_;
  RowCodec codec_;
  RowMessages messages_;
  std::unique_ptr<WindowAssigner> assigner_;
  OperatorContext* context_ = nullptr;
  KeyedTable* table_ = nullptr;
  EventTime watermark_ = kMinWatermark;
  bool early_ = false;
  bool late_ = false;
  int64_t lateness_ms_ = 0;
  std::vector<int64_t> ends_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeWindowEmit(const WindowAggregateSpec& spec, const PlanNode& node) {
  ASSIGN_OR_RETURN(auto aggregates, AggregateSet::make(spec.calls, false, false, sizeof(int64_t)));
  std::vector<DataType> output;
  for (const Column& column : node.schema.columns()) output.push_back(column.type);
  return std::unique_ptr<Operator>(std::make_unique<WindowEmitOperator>(spec, inputTypes(node), std::move(output), std::move(aggregates)));
}

}  // namespace thalweg::worker
