// WindowJoin: rows of two streams with equal keys in equal windows, joined when the watermark closes the window.
//
// State: "left" and "right", one namespace per window end, rows per key (JoinRows). Firing a window goes through the left
// side's keys and then, for outer joins, through the right side's rows that found no partner. Rows whose key holds a NULL
// are kept too where they are to be padded or sent. Late rows are dropped and counted.

#include "common/columnar/column_reader.h"
#include "worker/operators/join/join_pairs.h"
#include "worker/operators/join/join_rows.h"
#include "worker/operators/key_list.h"
#include "worker/operators/operator_registry.h"
#include "worker/operators/window/window_clock.h"

namespace thalweg::worker {
namespace {

/// Mark of a record whose key matches nothing; `matches` of others count from 0.
constexpr int64_t kUnmatchable = -1;

class WindowJoinOperator : public PieceOperator {
 public:
  WindowJoinOperator(WindowJoinSpec spec, const PlanNode& node, std::unique_ptr<JoinPairs> pairs)
      : spec_(std::move(spec)), sides_{JoinSide(spec_.join, node, 0), JoinSide(spec_.join, node, 1)}, pairs_(std::move(pairs)),
        keys_(sides_[0].fixedKeys()) {
    const JoinType type = spec_.join.type;
    semi_ = type == JoinType::SEMI || type == JoinType::ANTI;
    keeps_nulls_[0] = type == JoinType::LEFT || type == JoinType::FULL || type == JoinType::ANTI;
    keeps_nulls_[1] = type == JoinType::RIGHT || type == JoinType::FULL;
  }

  Status open(OperatorContext& context) override {
    context_ = &context;
    clock_ = WindowClock(spec_.local_time, *context.evalContext().session_zone);
    watermark_ = context.evalContext().current_watermark;
    ASSIGN_OR_RETURN(tables_[0], context.keyedState().openTable(JoinRows::tableSpec("left", sides_[0].fixedKeys(), 0)));
    ASSIGN_OR_RETURN(tables_[1], context.keyedState().openTable(JoinRows::tableSpec("right", sides_[1].fixedKeys(), 0)));
    return {};
  }

  Result<Progress> processRows(int input, const Batch& piece, Output&) override {
    JoinSide& side = sides_[input];
    const TimestampReader ends(*piece.column(static_cast<size_t>(input == 0 ? spec_.left_window_end : spec_.right_window_end)));
    const KeyBatch& keys = side.encodeKeys(piece);
    side.encodeRows(piece);
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (ends.isNull(row)) continue;
      const EventTime end = ends.millis(row);
      if (watermark_ >= clock_.fireTime(end)) {
        ++context_->metrics().late_rows_dropped;
        continue;
      }
      if (side.nullKey(row) && !keeps_nulls_[input]) continue;
      char* entry = nullptr;
      const RowIndex one[] = {static_cast<RowIndex>(row)};
      RETURN_IF_ERROR(tables_[input]->upsertRows(end, keys, one, {&entry, 1}, {}));
      reinterpret_cast<JoinRows*>(entry)->append(side.rowBytes(row), side.nullKey(row) ? kUnmatchable : 0);
    }
    return Progress::DONE;
  }

  Result<Progress> onWatermark(EventTime watermark, Output& output) override {
    if (spec_.join.final_only) return Progress::DONE;
    watermark_ = watermark;
    return fire(output);
  }

  Result<Progress> finish(Output& output) override {
    if (!spec_.join.final_only) return Progress::DONE;
    watermark_ = kMaxWatermark;
    return fire(output);
  }

  Result<Progress> resumeWork(Output& output) override { return fire(output); }
  void close() override { cursor_.reset(); }     // before its table goes

 private:
  /// Left rows joined at once: enough for a batch, few enough to bound the fan-out.
  static constexpr size_t kKeysAtOnce = 64;

  Result<Progress> fire(Output& output) {
    while (true) {
      if (!cursor_ && !beginWindow()) return Progress::DONE;
      found_.clear();
      RETURN_IF_ERROR(cursor_->next(kKeysAtOnce, found_));
      if (found_.empty()) {
        RETURN_IF_ERROR(endPhase());
        continue;
      }
      RETURN_IF_ERROR(in_right_ ? padRight(output) : joinLeft(output));
      if (output.isFull()) return Progress::MORE;
    }
  }

  /// Finds the earliest window of either side that is complete.
  bool beginWindow() {
    const auto left = tables_[0]->namespaces();
    const auto right = tables_[1]->namespaces();
    if (left.empty() && right.empty()) return false;
    firing_ = left.empty() ? right.front() : right.empty() ? left.front() : std::min(left.front(), right.front());
    if (watermark_ < clock_.fireTime(firing_)) return false;
    cursor_ = tables_[0]->scan(firing_);
    in_right_ = false;
    return true;
  }

  /// The cursor is at its end: on to the right side, or the window is done.
  Status endPhase() {
    if (!in_right_ && keeps_nulls_[1]) {
      cursor_ = tables_[1]->scan(firing_);
      in_right_ = true;
      return {};
    }
    cursor_.reset();
    RETURN_IF_ERROR(tables_[0]->eraseNamespace(firing_));
    return tables_[1]->eraseNamespace(firing_);
  }

  Status joinLeft(Output& output) {
    keys_.clear();
    for (const auto& [key, entry] : found_) keys_.add(key);
    partners_.resize(found_.size());
    RETURN_IF_ERROR(tables_[1]->find(firing_, keys_.batch(), partners_));
    std::vector<std::string_view> rows;
    std::vector<JoinRows*> partners;          // of each left row
    for (size_t k = 0; k < found_.size(); ++k) {
      reinterpret_cast<JoinRows*>(found_[k].second)->forEach([&](const JoinRows::Record& record) {
        rows.push_back(record.bytes());
        const bool matchable = record.matches != kUnmatchable;
        partners.push_back(matchable ? reinterpret_cast<JoinRows*>(partners_[k]) : nullptr);
      });
    }
    const Batch batch(rows.size(), sides_[0].codec().decodeAll(rows));
    for (size_t begin = 0; begin < rows.size();) {
      ASSIGN_OR_RETURN(const size_t end, joinRun(batch, partners, begin, output));
      begin = end;
    }
    return {};
  }

  /// Joins left rows from `begin` on until enough pairs are found; gives the first row not handled.
  Result<size_t> joinRun(const Batch& batch, const std::vector<JoinRows*>& partners, size_t begin, Output& output) {
    pairs_->begin(batch);
    records_.clear();
    size_t end = begin;
    for (; end < batch.rows() && pairs_->size() < Batch::kRowsTarget; ++end) {
      if (partners[end] == nullptr) continue;
      partners[end]->forEach([&](JoinRows::Record& record) {
        pairs_->add(static_cast<RowIndex>(end), record.bytes());
        records_.push_back(&record);
      });
    }
    RETURN_IF_ERROR(pairs_->evaluate(context_->evalContext()));
    size_t pair = 0;
    for (size_t row = begin; row < end; ++row) pair = answer(row, pair);
    if (pairs_->messages() > 0) RETURN_IF_ERROR(output.emit(pairs_->take(semi_ ? JoinPairs::Columns::INPUT : JoinPairs::Columns::BOTH)));
    return end;
  }

  size_t answer(size_t row, size_t pair) {
    const auto at = static_cast<RowIndex>(row);
    bool matched = false;
    for (; pair < pairs_->size() && pairs_->row(pair) == row; ++pair) {
      if (!pairs_->holds(pair)) continue;
      matched = true;
      ++records_[pair]->matches;
      if (!semi_) pairs_->say(at, static_cast<RowIndex>(pair), RowKind::INSERT);
    }
    const bool alone = semi_ ? matched == (spec_.join.type == JoinType::SEMI) : keeps_nulls_[0] && !matched;
    if (alone) pairs_->say(at, JoinPairs::kNone, RowKind::INSERT);
    return pair;
  }

  Status padRight(Output& output) {
    std::vector<std::string_view> rows;
    for (const auto& [key, entry] : found_) {
      reinterpret_cast<JoinRows*>(entry)->forEach([&](const JoinRows::Record& record) {
        if (record.matches <= 0) rows.push_back(record.bytes());
      });
    }
    if (rows.empty()) return {};
    std::vector<VectorPtr> columns;
    for (const DataType& type : sides_[0].codec().types()) columns.push_back(Vector::nulls(type.asNullable(), rows.size()));
    for (auto& column : sides_[1].codec().decodeAll(rows)) columns.push_back(std::move(column));
    return output.emit(Batch(rows.size(), std::move(columns)));
  }

  WindowJoinSpec spec_;
  JoinSide sides_[2];
  std::unique_ptr<JoinPairs> pairs_;
  KeyList keys_;
  bool semi_ = false;
  bool keeps_nulls_[2] = {};         // the side's rows are sent without a partner
  OperatorContext* context_ = nullptr;
  WindowClock clock_;
  KeyedTable* tables_[2] = {};
  EventTime watermark_ = kMinWatermark;
  // The window being sent.
  EventTime firing_ = 0;
  std::unique_ptr<KeyedTable::Cursor> cursor_;
  bool in_right_ = false;
  std::vector<std::pair<std::string_view, char*>> found_;
  std::vector<char*> partners_;
  std::vector<JoinRows::Record*> records_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeWindowJoin(const WindowJoinSpec& spec, const PlanNode& node) {
  ASSIGN_OR_RETURN(auto pairs, JoinPairs::make(spec.join, node, 0));
  return std::unique_ptr<Operator>(std::make_unique<WindowJoinOperator>(spec, node, std::move(pairs)));
}

}  // namespace thalweg::worker
