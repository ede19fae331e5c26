// IntervalJoin: rows of two streams with equal keys whose times lie within an interval of each other.
//
// left.time - right.time is within [lower, upper]. A row joins the stored rows of the other side at once and is stored as
// long as a partner may still come: a left row until the watermark reaches time - lower, a right row until time + upper.
// A row that leaves without a match is padded then (outer joins) or sent (anti join), so nothing is ever taken back.
// Late rows join what is still stored and are not stored themselves.
// State: "left" and "right", rows by time per key; the earliest row of a key has a timer for its leaving.

#include <map>

#include "common/base/failpoint.h"
#include "common/columnar/column_reader.h"
#include "common/functions/aggregates/state_bytes.h"
#include "common/runtime_api/state_visits.h"
#include "worker/operators/event_timers.h"
#include "worker/operators/join/join_pairs.h"
#include "worker/operators/key_list.h"
#include "worker/operators/operator_registry.h"
#include "worker/operators/row_messages.h"
#include "worker/operators/watermark_delay.h"

namespace thalweg::worker {
namespace {

constexpr size_t kPairsMax = Batch::kRowsTarget;

/// The rows of one side under one key, by time, equal times by arrival.
struct TimedRows {
  struct Row {
    std::string bytes;
    bool matched = false;
  };
  std::multimap<EventTime, Row> rows;

  void serialize(std::string& out) const {
    StateWriter writer(out);
    writer.number<uint64_t>(rows.size());
    for (const auto& [time, row] : rows) {
      writer.number(time);
      writer.number(row.matched);
      writer.text(row.bytes);
    }
  }
  static Status deserialize(std::string_view bytes, TimedRows& into) {
    StateReader reader(bytes);
    const auto count = reader.count(sizeof(EventTime) + 1 + sizeof(uint64_t));
    for (uint64_t i = 0; i < count && reader.isOk(); ++i) {
      const auto time = reader.number<EventTime>();
      const bool matched = reader.number<uint8_t>() != 0;
      into.rows.emplace_hint(into.rows.end(), time, Row{std::string(reader.text()), matched});
    }
    return reader.isDone() ? Status() : Status::internal("state of an interval join is cut short");
  }
};

class IntervalJoinOperator : public PieceOperator {
 public:
  IntervalJoinOperator(IntervalJoinSpec spec, const PlanNode& node, std::unique_ptr<JoinPairs> left, std::unique_ptr<JoinPairs> right)
      : spec_(std::move(spec)), sides_{JoinSide(spec_.join, node, 0), JoinSide(spec_.join, node, 1)}, pairs_{std::move(left), std::move(right)},
        alone_{RowMessages(sides_[0].codec()), RowMessages(sides_[1].codec())}, due_key_(sides_[0].fixedKeys()) {
    const JoinType type = spec_.join.type;
    semi_ = type == JoinType::SEMI || type == JoinType::ANTI;
    sends_alone_[0] = type == JoinType::LEFT || type == JoinType::FULL || type == JoinType::ANTI;
    sends_alone_[1] = type == JoinType::RIGHT || type == JoinType::FULL;
  }

  Status open(OperatorContext& context) override {
    context_ = &context;
    watermark_ = context.evalContext().current_watermark;
    for (int side = 0; side < 2; ++side) {
      ASSIGN_OR_RETURN(tables_[side], context.keyedState().openTable(objectTableSpec<TimedRows>(side == 0 ? "left" : "right", sides_[side].fixedKeys())));
      RETURN_IF_ERROR(lookAtAll(*tables_[side], 0, [&](std::string_view key, char* payload) {
        timers_[side].restore(expiry(side, objectAt<TimedRows>(payload).rows.begin()->first), 0, key);
      }));
    }
    return {};
  }

  Result<Progress> processRows(int input, const Batch& piece, Output& output) override {
    piece_ = piece;
    side_ = input;
    row_ = 0;
    if (spec_.processing_time) watermark_ = context_->nowMillis();
    RETURN_IF_ERROR(readTimes());
    return work(output);
  }

  Result<Progress> onWatermark(EventTime watermark, Output& output) override {
    if (spec_.join.final_only || spec_.processing_time) return Progress::DONE;
    watermark_ = watermark;
    return expire(output);
  }

  Result<Progress> onWakeup(int64_t now_ms, Output& output) override {
    watermark_ = now_ms;
    ASSIGN_OR_RETURN(const Progress progress, expire(output));
    requestNextWakeup();
    return progress;
  }

  Result<Progress> finish(Output& output) override {
    if (!spec_.join.final_only && !spec_.processing_time) return Progress::DONE;
    watermark_ = kMaxWatermark;
    return expire(output);
  }

  Result<Progress> resumeWork(Output& output) override { return row_ < piece_.rows() ? work(output) : expire(output); }

 private:
  /// The watermark from which on no partner of a row of `side` can come.
  EventTime expiry(int side, EventTime time) const { return side == 0 ? time - spec_.lower_ms : time + spec_.upper_ms; }

  Status readTimes() {
    times_.assign(piece_.rows(), watermark_);
    if (spec_.processing_time) return {};
    const TimestampReader times(*piece_.column(static_cast<size_t>(side_ == 0 ? spec_.left_time : spec_.right_time)));
    for (size_t row = 0; row < piece_.rows(); ++row) {
      if (times.isNull(row)) return Status::runtime("the time of a row of an interval join is NULL");
      times_[row] = times.millis(row);
    }
    return {};
  }

  Result<Progress> work(Output& output) {
    const KeyBatch& keys = sides_[side_].encodeKeys(piece_);
    sides_[side_].encodeRows(piece_);
    while (row_ < piece_.rows()) {
      RETURN_IF_ERROR(run(keys, output));
      if (row_ < piece_.rows() && output.isFull()) return Progress::MORE;
    }
    piece_ = Batch();
    row_ = 0;
    if (spec_.processing_time) requestNextWakeup();
    return Progress::DONE;
  }

  /// Handles rows from row_ on until enough pairs are found; advances row_.
  Status run(const KeyBatch& keys, Output& output) {
    JoinPairs& pairs = *pairs_[side_];
    const size_t begin = row_;
    RETURN_IF_ERROR(collectPairs(keys));
    RETURN_IF_ERROR(pairs.evaluate(context_->evalContext()));
    matched_.assign(row_ - begin, 0);
    for (size_t pair = 0; pair < pairs.size(); ++pair) {
      if (pairs.holds(pair)) answer(pair, begin);
    }
    if (semi_ && side_ == 0 && spec_.join.type == JoinType::SEMI) {
      for (size_t row = begin; row < row_; ++row) {
        if (matched_[row - begin]) pairs.say(static_cast<RowIndex>(row), JoinPairs::kNone, RowKind::INSERT);
      }
    }
    using Columns = JoinPairs::Columns;
    if (pairs.messages() > 0) RETURN_IF_ERROR(output.emit(pairs.take(!semi_ ? Columns::BOTH : side_ == 0 ? Columns::INPUT : Columns::STORED)));
    RETURN_IF_ERROR(store(begin, keys));
    return emitAlone(output);
  }

  Status collectPairs(const KeyBatch& keys) {
    JoinPairs& pairs = *pairs_[side_];
    pairs.begin(piece_);
    partners_.clear();
    entries_.resize(piece_.rows());
    RETURN_IF_ERROR(tables_[1 - side_]->find(0, keys, entries_));
    for (; row_ < piece_.rows() && pairs.size() < kPairsMax; ++row_) {
      if (entries_[row_] == nullptr || sides_[side_].nullKey(row_)) continue;
      auto& rows = objectAt<TimedRows>(entries_[row_]).rows;
      const EventTime from = side_ == 0 ? times_[row_] - spec_.upper_ms : times_[row_] + spec_.lower_ms;
      const EventTime to = side_ == 0 ? times_[row_] - spec_.lower_ms : times_[row_] + spec_.upper_ms;
      bool any = false;
      for (auto at = rows.lower_bound(from); at != rows.end() && at->first <= to - (THALWEG_MUTANT("interval_end_left_out") ? 1 : 0); ++at) {
        pairs.add(static_cast<RowIndex>(row_), at->second.bytes);
        partners_.push_back(&at->second);
        any = true;
      }
      if (any) tables_[1 - side_]->markDirty(entries_[row_]);
    }
    return {};
  }

  void answer(size_t pair, size_t begin) {
    JoinPairs& pairs = *pairs_[side_];
    TimedRows::Row& partner = *partners_[pair];
    const bool first = !partner.matched;
    partner.matched = true;
    matched_[pairs.row(pair) - begin] = 1;
    if (!semi_) pairs.say(pairs.row(pair), static_cast<RowIndex>(pair), RowKind::INSERT);
    else if (side_ == 1 && first && spec_.join.type == JoinType::SEMI) pairs.say(JoinPairs::kNone, static_cast<RowIndex>(pair), RowKind::INSERT);
  }

  /// Stores rows [begin, row_) that may still find a partner; the others are done.
  Status store(size_t begin, const KeyBatch& keys) {
    JoinSide& side = sides_[side_];
    kept_.clear();
    for (size_t row = begin; row < row_; ++row) {
      const bool waits = expiry(side_, times_[row]) > watermark_ && !side.nullKey(row);
      const bool done = semi_ && side_ == 0 && matched_[row - begin];
      if (waits && !done) kept_.push_back(static_cast<RowIndex>(row));
      else if (sends_alone_[side_] && !matched_[row - begin]) alone_[side_].add(RowKind::INSERT, side.rowBytes(row));
    }
    entries_.resize(kept_.size());
    RETURN_IF_ERROR(tables_[side_]->upsertRows(0, keys, kept_, entries_, {}));
    for (size_t i = 0; i < kept_.size(); ++i) {
      const RowIndex row = kept_[i];
      auto& rows = objectAt<TimedRows>(entries_[i]).rows;
      const bool earliest = rows.empty() || times_[row] < rows.begin()->first;
      rows.emplace(times_[row], TimedRows::Row{std::string(side.rowBytes(row)), matched_[row - begin] != 0});
      if (earliest) timers_[side_].restore(expiry(side_, times_[row]), 0, storedKey(keys, row));
    }
    return {};
  }

  /// Lets rows go whose partners cannot come any more.
  Result<Progress> expire(Output& output) {
    for (int side = 0; side < 2; ++side) {
      while (timers_[side].isDue(watermark_)) {
        RETURN_IF_ERROR(expireKey(side, timers_[side].take(watermark_, 1).front()));
        if (!alone_[side].isFull()) continue;
        RETURN_IF_ERROR(emitAlone(output));
        if (output.isFull()) return Progress::MORE;
      }
    }
    RETURN_IF_ERROR(emitAlone(output));
    return Progress::DONE;
  }

  Status expireKey(int side, const EventTimers::Timer& timer) {
    due_key_.clear();
    due_key_.add(timer.key);
    char* entry = nullptr;
    RETURN_IF_ERROR(tables_[side]->find(0, due_key_.batch(), {&entry, 1}));
    if (entry == nullptr) return {};
    auto& rows = objectAt<TimedRows>(entry).rows;
    while (!rows.empty() && expiry(side, rows.begin()->first) <= timer.time) {
      const TimedRows::Row& row = rows.begin()->second;
      if (sends_alone_[side] && !row.matched) alone_[side].add(RowKind::INSERT, row.bytes);
      rows.erase(rows.begin());
    }
    if (rows.empty()) return tables_[side]->erase(0, due_key_.batch(), 0);
    tables_[side]->markDirty(entry);
    timers_[side].restore(expiry(side, rows.begin()->first), 0, timer.key);
    return {};
  }

  /// Sends rows without a partner, padded with NULLs unless only their side is asked for.
  Status emitAlone(Output& output) {
    for (int side = 0; side < 2; ++side) {
      if (alone_[side].isEmpty()) continue;
      const Batch rows = alone_[side].take();
      std::vector<VectorPtr> columns = rows.columns();
      if (!semi_) {
        std::vector<VectorPtr> padding;
        for (const DataType& type : sides_[1 - side].codec().types()) padding.push_back(Vector::nulls(type.asNullable(), rows.rows()));
        columns.insert(side == 0 ? columns.end() : columns.begin(), padding.begin(), padding.end());
      }
      RETURN_IF_ERROR(output.emit(rows.withColumns(std::move(columns))));
    }
    return {};
  }

  void requestNextWakeup() {
    for (const EventTimers& timers : timers_) {
      if (!timers.isEmpty()) context_->requestWakeup(timers.earliest());
    }
  }

  IntervalJoinSpec spec_;
  JoinSide sides_[2];
  std::unique_ptr<JoinPairs> pairs_[2];   // by side of the input
  RowMessages alone_[2];                  // rows of a side that go without a partner
  KeyList due_key_;
  KeyedTable* tables_[2] = {};
  EventTimers timers_[2];
  bool semi_ = false;
  bool sends_alone_[2] = {};
  OperatorContext* context_ = nullptr;
  EventTime watermark_ = kMinWatermark;
  // The piece being worked on; row_ is the next row.
  Batch piece_;
  int side_ = 0;
  size_t row_ = 0;
  std::vector<EventTime> times_;
  std::vector<char*> entries_;
  std::vector<TimedRows::Row*> partners_;   // of the candidates
  std::vector<uint8_t> matched_;            // of the run's rows
  std::vector<RowIndex> kept_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeIntervalJoin(const IntervalJoinSpec& spec, const PlanNode& node) {
  ASSIGN_OR_RETURN(auto left, JoinPairs::make(spec.join, node, 0));
  ASSIGN_OR_RETURN(auto right, JoinPairs::make(spec.join, node, 1));
  std::unique_ptr<Operator> join = std::make_unique<IntervalJoinOperator>(spec, node, std::move(left), std::move(right));
  if (spec.processing_time || spec.join.final_only) return join;
  return delayWatermarks(std::move(join), std::max(-spec.lower_ms, spec.upper_ms));
}

}  // namespace thalweg::worker
