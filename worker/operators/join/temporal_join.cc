// TemporalJoin: each left row with the version of the right side that was valid at the row's own time.
//
// Left rows wait until the watermark reaches their time, then join the latest version with a time not after theirs; the
// residual condition is looked at after the version was chosen. They leave in order of time, equal times by arrival. A
// delete ends the validity at the time that its row carries; a -U changes nothing, the +U that follows is the new version.
// Of two versions at one time the later one counts. Versions older than the one valid at the watermark are let go.
// State: "left", rows that wait; "right", versions by time; both per key.

#include <map>

#include "common/columnar/column_reader.h"
#include "common/functions/aggregates/state_bytes.h"
#include "common/runtime_api/state_visits.h"
#include "worker/operators/event_timers.h"
#include "worker/operators/join/join_pairs.h"
#include "worker/operators/join/lookup_join.h"
#include "worker/operators/key_list.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

/// Left rows of a key that wait for the watermark, by time, equal times by arrival.
struct WaitingRows {
  struct Row {
    uint64_t timer = 0;     ///< registration of the timer of this key and time
    RowKind kind = RowKind::INSERT;
    std::string bytes;
  };
  std::multimap<EventTime, Row> rows;

  void serialize(std::string& out) const {
    StateWriter writer(out);
    writer.number<uint64_t>(rows.size());
    for (const auto& [time, row] : rows) {
      writer.number(time);
      writer.number(row.timer);
      writer.number(static_cast<uint8_t>(row.kind));
      writer.text(row.bytes);
    }
  }
  static Status deserialize(std::string_view bytes, WaitingRows& into) {
    StateReader reader(bytes);
    const auto count = reader.count(3 * sizeof(uint64_t) + 1);
    for (uint64_t i = 0; i < count && reader.isOk(); ++i) {
      const auto time = reader.number<EventTime>();
      const auto timer = reader.number<uint64_t>();
      const auto kind = static_cast<RowKind>(reader.number<uint8_t>() & 3);
      into.rows.emplace_hint(into.rows.end(), time, Row{timer, kind, std::string(reader.text())});
    }
    return reader.isDone() ? Status() : Status::internal("state of a temporal join is cut short");
  }
};

/// What was valid from when on; an empty version says that nothing was.
struct Versions {
  struct Version {
    bool exists = false;
    std::string bytes;
  };
  std::map<EventTime, Version> versions;

  /// The version valid at `time`; null if there is none.
  const Version* at(EventTime time) const {
    auto found = versions.upper_bound(time);
    if (found == versions.begin()) return nullptr;
    --found;
    return found->second.exists ? &found->second : nullptr;
  }
  /// Forgets what no row after `watermark` can see.
  void prune(EventTime watermark) {
    auto valid = versions.upper_bound(watermark);
    if (valid == versions.begin()) return;
    --valid;
    versions.erase(versions.begin(), valid->second.exists ? valid : std::next(valid));
  }

  void serialize(std::string& out) const {
    StateWriter writer(out);
    writer.number<uint64_t>(versions.size());
    for (const auto& [time, version] : versions) {
      writer.number(time);
      writer.number(version.exists);
      writer.text(version.bytes);
    }
  }
  static Status deserialize(std::string_view bytes, Versions& into) {
    StateReader reader(bytes);
    const auto count = reader.count(2 * sizeof(uint64_t) + 1);
    for (uint64_t i = 0; i < count && reader.isOk(); ++i) {
      const auto time = reader.number<EventTime>();
      const bool exists = reader.number<uint8_t>() != 0;
      into.versions.emplace_hint(into.versions.end(), time, Version{exists, std::string(reader.text())});
    }
    return reader.isDone() ? Status() : Status::internal("state of a temporal join is cut short");
  }
};

class TemporalJoinOperator : public PieceOperator {
 public:
  TemporalJoinOperator(TemporalJoinSpec spec, const PlanNode& node, std::unique_ptr<JoinPairs> pairs)
      : spec_(std::move(spec)), sides_{JoinSide(spec_.join, node, 0), JoinSide(spec_.join, node, 1)}, pairs_(std::move(pairs)),
        due_keys_(sides_[0].fixedKeys()) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    watermark_ = context.evalContext().current_watermark;
    ASSIGN_OR_RETURN(left_, context.keyedState().openTable(objectTableSpec<WaitingRows>("left", sides_[0].fixedKeys())));
    ASSIGN_OR_RETURN(right_, context.keyedState().openTable(objectTableSpec<Versions>("right", sides_[1].fixedKeys())));
    return lookAtAll(*left_, 0, [this](std::string_view key, char* payload) {
      for (const auto& [time, row] : objectAt<WaitingRows>(payload).rows) timers_.restore(time, row.timer, key);
    });
  }

  Result<Progress> processRows(int input, const Batch& piece, Output&) override {
    RETURN_IF_ERROR(readTimes(input, piece));
    const KeyBatch& keys = sides_[input].encodeKeys(piece);
    sides_[input].encodeRows(piece);
    entries_.resize(piece.rows());
    if (input == 0) RETURN_IF_ERROR(hold(piece, keys));
    else RETURN_IF_ERROR(setVersions(piece, keys));
    return Progress::DONE;
  }

  Result<Progress> onWatermark(EventTime watermark, Output& output) override {
    watermark_ = watermark;
    return sendDue(output);
  }

  Result<Progress> resumeWork(Output& output) override { return sendDue(output); }

 private:
  Status readTimes(int input, const Batch& piece) {
    times_.resize(piece.rows());
    const TimestampReader times(*piece.column(static_cast<size_t>(input == 0 ? spec_.left_time : spec_.right_time)));
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (times.isNull(row)) return Status::runtime("the time of a row of a temporal join is NULL");
      times_[row] = times.millis(row);
    }
    return {};
  }

  Status hold(const Batch& piece, const KeyBatch& keys) {
    RETURN_IF_ERROR(left_->upsert(0, keys, entries_, {}));
    for (size_t row = 0; row < piece.rows(); ++row) {
      auto& rows = objectAt<WaitingRows>(entries_[row]).rows;
      const auto same = rows.find(times_[row]);
      const uint64_t timer = same != rows.end() ? same->second.timer : timers_.add(times_[row], storedKey(keys, row));
      rows.emplace(times_[row], WaitingRows::Row{timer, piece.rowKind(row), std::string(sides_[0].rowBytes(row))});
    }
    return {};
  }

  Status setVersions(const Batch& piece, const KeyBatch& keys) {
    kept_.clear();
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (piece.rowKind(row) != RowKind::UPDATE_BEFORE && !sides_[1].nullKey(row)) kept_.push_back(static_cast<RowIndex>(row));
    }
    entries_.resize(kept_.size());
    RETURN_IF_ERROR(right_->upsertRows(0, keys, kept_, entries_, {}));
    for (size_t i = 0; i < kept_.size(); ++i) {
      Versions& versions = objectAt<Versions>(entries_[i]);
      const bool exists = piece.rowKind(kept_[i]) != RowKind::DELETE;
      versions.versions[times_[kept_[i]]] = {exists, exists ? std::string(sides_[1].rowBytes(kept_[i])) : std::string()};
      versions.prune(watermark_);
    }
    return {};
  }

  /// Joins and sends the left rows that the watermark has reached.
  Result<Progress> sendDue(Output& output) {
    while (timers_.isDue(watermark_)) {
      const auto due = timers_.take(watermark_, kTimersAtOnce);
      RETURN_IF_ERROR(collectDue(due));
      if (rows_.empty()) continue;
      const std::vector<std::string_view> views(rows_.begin(), rows_.end());
      const Batch batch(rows_.size(), sides_[0].codec().decodeAll(views));
      RETURN_IF_ERROR(joinDue(batch, output));
      if (timers_.isDue(watermark_) && output.isFull()) return Progress::MORE;
    }
    return Progress::DONE;
  }

  /// Takes the rows of the timers out of the state, with the versions that they join.
  Status collectDue(const std::vector<EventTimers::Timer>& due) {
    rows_.clear();
    kinds_.clear();
    joined_.clear();
    due_keys_.clear();
    for (const auto& timer : due) due_keys_.add(timer.key);
    entries_.resize(due.size());
    versions_.resize(due.size());
    RETURN_IF_ERROR(right_->find(0, due_keys_.batch(), versions_));
    RETURN_IF_ERROR(left_->find(0, due_keys_.batch(), entries_));
    for (size_t i = 0; i < due.size(); ++i) {
      if (entries_[i] == nullptr) continue;
      auto& rows = objectAt<WaitingRows>(entries_[i]).rows;
      const auto [begin, end] = rows.equal_range(due[i].time);
      for (auto row = begin; row != end; ++row) {
        rows_.push_back(std::move(row->second.bytes));
        kinds_.push_back(row->second.kind);
        joined_.push_back(versions_[i] ? objectAt<Versions>(versions_[i]).at(due[i].time) : nullptr);
      }
      rows.erase(begin, end);
      left_->markDirty(entries_[i]);
    }
    for (size_t i = 0; i < due.size(); ++i) {
      char* entry = nullptr;
      const RowIndex one[] = {static_cast<RowIndex>(i)};
      RETURN_IF_ERROR(left_->findRows(0, due_keys_.batch(), one, {&entry, 1}));
      if (entry != nullptr && objectAt<WaitingRows>(entry).rows.empty()) RETURN_IF_ERROR(left_->erase(0, due_keys_.batch(), i));
    }
    return {};
  }

  Status joinDue(const Batch& batch, Output& output) {
    pairs_->begin(batch);
    for (size_t row = 0; row < batch.rows(); ++row) {
      if (joined_[row] != nullptr) pairs_->add(static_cast<RowIndex>(row), joined_[row]->bytes);
    }
    RETURN_IF_ERROR(pairs_->evaluate(context_->evalContext()));
    size_t pair = 0;
    for (size_t row = 0; row < batch.rows(); ++row) {
      const auto at = static_cast<RowIndex>(row);
      const bool has_version = pair < pairs_->size() && pairs_->row(pair) == at;
      const bool matches = has_version && pairs_->holds(pair);
      if (matches) pairs_->say(at, static_cast<RowIndex>(pair), kinds_[row]);
      else if (spec_.join.type == JoinType::LEFT) pairs_->say(at, JoinPairs::kNone, kinds_[row]);
      if (has_version) ++pair;
    }
    return pairs_->messages() == 0 ? Status() : output.emit(pairs_->take(JoinPairs::Columns::BOTH));
  }

  static constexpr size_t kTimersAtOnce = 1024;

  TemporalJoinSpec spec_;
  JoinSide sides_[2];
  std::unique_ptr<JoinPairs> pairs_;
  EventTimers timers_;
  KeyList due_keys_;
  OperatorContext* context_ = nullptr;
  KeyedTable* left_ = nullptr;
  KeyedTable* right_ = nullptr;
  EventTime watermark_ = kMinWatermark;
  std::vector<EventTime> times_;
  std::vector<char*> entries_, versions_;
  std::vector<RowIndex> kept_;
  // Left rows being sent, their kinds, and the versions they join (null: none).
  std::vector<std::string> rows_;
  std::vector<RowKind> kinds_;
  std::vector<const Versions::Version*> joined_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeTemporalJoin(const TemporalJoinSpec& spec, const PlanNode& node) {
  if (spec.left_time < 0) return makeLookupJoin(spec.join, node);
  if (spec.join.type != JoinType::INNER && spec.join.type != JoinType::LEFT) return Status::plan("a temporal join is INNER or LEFT");
  ASSIGN_OR_RETURN(auto pairs, JoinPairs::make(spec.join, node, 0));
  return std::unique_ptr<Operator>(std::make_unique<TemporalJoinOperator>(spec, node, std::move(pairs)));
}

}  // namespace thalweg::worker
