// WindowRank: Top-N and deduplication within windows, sent once when the watermark closes the window.
//
// State: the table "windows", one namespace per window end, an entry (RankRows) per partition. Of insert-only input a
// partition keeps no more than its first N rows. Late rows are dropped and counted.

#include "common/columnar/column_reader.h"
#include "worker/operators/operator_registry.h"
#include "worker/operators/rank/rank_rows.h"
#include "worker/operators/window/window_clock.h"

namespace thalweg::worker {
namespace {

class WindowRankOperator : public PieceOperator {
 public:
  WindowRankOperator(WindowRankSpec spec, const std::vector<DataType>& types)
      : spec_(std::move(spec)), codec_(types), partitions_(spec_.rank.partition_keys, types), sort_keys_(spec_.rank.order_by, types),
        messages_(spec_.rank, codec_) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    clock_ = WindowClock(spec_.local_time, *context.evalContext().session_zone);
    watermark_ = context.evalContext().current_watermark;
    ASSIGN_OR_RETURN(table_, context.keyedState().openTable(objectTableSpec<RankRows>("windows", partitions_.isFixed())));
    return {};
  }

  Result<Progress> processRows(int, const Batch& piece, Output&) override {
    const TimestampReader ends(*piece.column(static_cast<size_t>(spec_.window_end_column)));
    const KeyBatch& keys = partitions_.encode(piece);
    const auto sort_keys = sort_keys_.encode(piece);
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (ends.isNull(row)) continue;
      const EventTime end = ends.millis(row);
      if (watermark_ >= clock_.fireTime(end)) {
        ++context_->metrics().late_rows_dropped;
        continue;
      }
      char* entry = nullptr;
      const RowIndex one[] = {static_cast<RowIndex>(row)};
      RETURN_IF_ERROR(table_->upsertRows(end, keys, one, {&entry, 1}, {}));
      take(objectAt<RankRows>(entry), piece, row, sort_keys[row]);
    }
    return Progress::DONE;
  }

  Result<Progress> onWatermark(EventTime watermark, Output& output) override {
    if (spec_.rank.final_only) return Progress::DONE;
    watermark_ = watermark;
    return fire(output);
  }

  Result<Progress> finish(Output& output) override {
    if (!spec_.rank.final_only) return Progress::DONE;
    watermark_ = kMaxWatermark;
    return fire(output);
  }

  Result<Progress> resumeWork(Output& output) override { return fire(output); }
  void close() override { cursor_.reset(); }     // before its table goes

 private:
  void take(RankRows& rows, const Batch& piece, size_t row, std::string_view sort_key) {
    if (isRetract(piece.rowKind(row))) {
      codec_.encodeRow(piece.columns(), row, bytes_);
      const auto place = rows.find(sort_key, bytes_);
      if (rows.exists(place)) rows.removeAt(place);
      return;
    }
    const bool keeps_all = spec_.rank.input_retracts;
    const bool full = !keeps_all && rows.size() >= spec_.rank.end;
    if (full && (spec_.later_wins ? sort_key > rows.worstKey() : sort_key >= rows.worstKey())) return;
    codec_.encodeRow(piece.columns(), row, bytes_);
    rows.append(sort_key, bytes_, {}, spec_.later_wins);
    if (full) rows.takeLast();
  }

  /// Sends every window that is complete at watermark_, oldest first.
  Result<Progress> fire(Output& output) {
    while (true) {
      if (!cursor_) {
        const auto open = table_->namespaces();
        if (open.empty() || watermark_ < clock_.fireTime(open.front())) break;
        firing_ = open.front();
        cursor_ = table_->scan(firing_);
      }
      found_.clear();
      RETURN_IF_ERROR(cursor_->next(kPartitionsAtOnce, found_));
      if (found_.empty()) {
        cursor_.reset();
        RETURN_IF_ERROR(table_->eraseNamespace(firing_));
        continue;
      }
      for (const auto& [key, entry] : found_) send(objectAt<RankRows>(entry));
      if (!messages_.isFull()) continue;
      RETURN_IF_ERROR(output.emit(messages_.take()));
      if (output.isFull()) return Progress::MORE;
    }
    if (!messages_.isEmpty()) RETURN_IF_ERROR(output.emit(messages_.take()));
    return Progress::DONE;
  }

  void send(const RankRows& rows) {
    int64_t rank = 1;
    for (RankCursor at(rows, 1); at.hasRow() && rank <= spec_.rank.end; at.next()) messages_.insert(at.bytes(), rank++);
  }

  static constexpr size_t kPartitionsAtOnce = 256;

  WindowRankSpec spec_;
  RowCodec codec_;
  KeyEncoder partitions_;
  SortKeyEncoder sort_keys_;
  RankMessages messages_;
  OperatorContext* context_ = nullptr;
  WindowClock clock_;
  KeyedTable* table_ = nullptr;
  EventTime watermark_ = kMinWatermark;
  std::unique_ptr<KeyedTable::Cursor> cursor_;   // of the window being sent
  EventTime firing_ = 0;
  std::vector<std::pair<std::string_view, char*>> found_;
  std::string bytes_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeWindowRank(const WindowRankSpec& spec, const PlanNode& node) {
  if (spec.rank.end_column >= 0) return Status::notSupported("Top-N within windows needs a constant number of rows");
  return std::unique_ptr<Operator>(std::make_unique<WindowRankOperator>(spec, inputTypes(node)));
}

}  // namespace thalweg::worker
