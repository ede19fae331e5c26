// Match: MATCH_RECOGNIZE with one row per match.
//
// By row time, rows wait until the watermark reaches them; then a partition's due rows run through the pattern in order
// of time and secondary keys. By processing time they run as they come. Every row is looked at by the ways to match of
// every start (match_threads.h) and begins a start of its own. Matches leave in the order of their first rows: a start
// that may still match holds back those behind it, since where it ends decides, by the skip clause, which of them
// remain. Under WITHIN a start gives up once the time, of rows or of the watermark, is the interval past its first row.
// Conditions that read nothing but the row under test, and cannot fail, are evaluated for whole batches when rows come;
// the others for all ways that ask at once.
// State: "partitions", a MatchPartition per key. Timers: one per partition and time of waiting rows, and one per
// partition for the next start to give up.

#include <algorithm>
#include <numeric>

#include "common/columnar/column_reader.h"
#include "common/runtime_api/state_visits.h"
#include "worker/operators/event_timers.h"
#include "worker/operators/key_list.h"
#include "worker/operators/match/match_threads.h"
#include "worker/operators/match/match_values.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

constexpr size_t kTimersAtOnce = 256;

/// A condition to be evaluated for a thread: whether it must hold, or must not.
struct Question {
  size_t start;
  size_t thread;
  bool wanted;
};

class MatchOperator : public PieceOperator {
 public:
  MatchOperator(MatchSpec spec, std::vector<DataType> types)
      : spec_(std::move(spec)), types_(std::move(types)), codec_(types_), encoder_(spec_.partition_keys, types_),
        sorter_(spec_.order_by, types_), threads_(spec_), due_keys_(encoder_.isFixed()) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    watermark_ = context.evalContext().current_watermark;
    RETURN_IF_ERROR(makeConditions());
    RETURN_IF_ERROR(makeMeasures());
    ASSIGN_OR_RETURN(table_, context.keyedState().openTable(objectTableSpec<MatchPartition>("partitions", encoder_.isFixed())));
    RETURN_IF_ERROR(lookAtAll(*table_, 0, [this](std::string_view key, char* payload) {
      const auto& partition = objectAt<MatchPartition>(payload);
      for (const auto& [place, held] : partition.waiting) timers_.restore(place.first, held.timer, key);
      if (partition.expiry) timers_.restore(partition.expiry->time, partition.expiry->timer, key);
    }));
    requestExpiryWakeup();
    return {};
  }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    RETURN_IF_ERROR(readFlags(piece));
    const KeyBatch& keys = encoder_.encode(piece);
    entries_.resize(piece.rows());
    RETURN_IF_ERROR(table_->upsert(0, keys, entries_, {}));
    RETURN_IF_ERROR(hold(piece, keys));
    if (!spec_.processing_time) return Progress::DONE;
    return runDue(context_->nowMillis(), output);
  }

  Result<Progress> onWatermark(EventTime watermark, Output& output) override {
    watermark_ = watermark;
    return spec_.processing_time ? Progress::DONE : runDue(watermark, output);
  }

  Result<Progress> onWakeup(int64_t now_ms, Output& output) override { return runDue(now_ms, output); }
  Result<Progress> resumeWork(Output& output) override { return runDue(until_, output); }

 private:
  Status makeConditions() {
    conditions_.resize(spec_.pattern.size());
    std::vector<BoundExprPtr> row_conditions;
    for (size_t v = 0; v < spec_.pattern.size(); ++v) {
      const MatchVariable& variable = spec_.pattern[v];
      if (!variable.condition) continue;
      if (v < 64 && readsRowOnly(spec_, v) && !canFail(*variable.condition)) {
        std::vector<BoundExprPtr> columns;
        for (const MatchValue& value : variable.values) {
          const auto column = static_cast<size_t>(value.column);
          columns.push_back(BoundExpr::column(value.column, types_[column].withNullable(value.type.nullable())));
        }
        row_conditions.push_back(substituteColumns(variable.condition, columns));
        flagged_.push_back(v);
        continue;
      }
      ASSIGN_OR_RETURN(conditions_[v], MatchValues::make({variable.condition}, variable.values, types_, context_->batchMode()));
    }
    ASSIGN_OR_RETURN(row_conditions_, ExprProgram::compile(std::move(row_conditions)));
    return {};
  }

  Status makeMeasures() {
    std::vector<BoundExprPtr> outputs;
    std::vector<MatchValue> values = spec_.measure_values;
    for (const int key : spec_.partition_keys) {
      const DataType& type = types_[static_cast<size_t>(key)];
      outputs.push_back(BoundExpr::column(static_cast<int>(values.size()), type));
      MatchValue value;
      value.column = key;
      value.type = type;
      values.push_back(std::move(value));
    }
    outputs.insert(outputs.end(), spec_.measures.begin(), spec_.measures.end());
    ASSIGN_OR_RETURN(measures_, MatchValues::make(std::move(outputs), std::move(values), types_, context_->batchMode()));
    return {};
  }

  /// flags_[row]: the variables whose row conditions hold.
  Status readFlags(const Batch& piece) {
    flags_.assign(piece.rows(), 0);
    if (flagged_.empty()) return {};
    ASSIGN_OR_RETURN(const std::vector<VectorPtr> results, row_conditions_->evaluate(context_->evalContext(), piece));
    for (size_t i = 0; i < flagged_.size(); ++i) {
      const ColumnReader<bool> holds(*results[i]);
      for (size_t row = 0; row < piece.rows(); ++row) {
        if (!holds.isNull(row) && holds[row]) flags_[row] |= uint64_t{1} << flagged_[i];
      }
    }
    return {};
  }

  Status hold(const Batch& piece, const KeyBatch& keys) {
    const auto orders = sorter_.encode(piece);
    const EventTime now_ms = spec_.processing_time ? context_->nowMillis() : 0;
    const TimestampReader times(*piece.column(static_cast<size_t>(spec_.time_column)));
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (!spec_.processing_time && times.isNull(row)) {
        return Status::runtime("the time that MATCH_RECOGNIZE is ordered by is NULL in a row");
      }
      const EventTime time = spec_.processing_time ? now_ms : times.millis(row);
      if (!spec_.processing_time && time <= watermark_) {
        ++context_->metrics().late_rows_dropped;
        continue;
      }
      auto& waiting = objectAt<MatchPartition>(entries_[row]).waiting;
      const auto same = waiting.lower_bound({time, std::string()});
      const bool registered = same != waiting.end() && same->first.first == time;
      MatchPartition::Waiting held;
      held.timer = registered ? same->second.timer : timers_.add(time, storedKey(keys, row));
      held.row.time = time;
      held.row.flags = flags_[row];
      codec_.encodeRow(piece.columns(), row, held.row.bytes);
      waiting.emplace(std::pair(time, spec_.order_by.empty() ? std::string() : std::string(orders[row])), std::move(held));
    }
    return {};
  }

  /// Runs what is due at `until`, partition by partition.
  Result<Progress> runDue(EventTime until, Output& output) {
    until_ = until;
    while (timers_.isDue(until)) {
      const auto due = timers_.take(until, kTimersAtOnce);
      due_keys_.clear();
      for (const auto& timer : due) due_keys_.add(timer.key);
      entries_.resize(due.size());
      RETURN_IF_ERROR(table_->find(0, due_keys_.batch(), entries_));
      for (size_t i = 0; i < due.size(); ++i) {
        if (entries_[i] == nullptr) continue;
        auto& partition = objectAt<MatchPartition>(entries_[i]);
        RETURN_IF_ERROR(runPartition(partition, due[i].key));
        table_->markDirty(entries_[i]);
      }
      RETURN_IF_ERROR(eraseEmpty(due.size()));
      RETURN_IF_ERROR(emitMatches(output));
      if (timers_.isDue(until) && output.isFull()) return Progress::MORE;
    }
    requestExpiryWakeup();
    return Progress::DONE;
  }

  Status runPartition(MatchPartition& partition, const std::string& key) {
    while (!partition.waiting.empty() && partition.waiting.begin()->first.first <= until_) {
      auto held = partition.waiting.extract(partition.waiting.begin());
      RETURN_IF_ERROR(takeRow(partition, std::move(held.mapped().row)));
    }
    expire(partition, until_);
    RETURN_IF_ERROR(settle(partition));
    if (spec_.within_ms <= 0) return {};
    if (partition.expiry && partition.expiry->time <= until_) partition.expiry.reset();
    if (partition.expiry || partition.starts.empty()) return {};
    const EventTime time = partition.starts.front().time + spec_.within_ms;
    partition.expiry = MatchPartition::Expiry{time, timers_.add(time, key)};
    return {};
  }

  Status takeRow(MatchPartition& partition, MatchPartition::Row row) {
    const EventTime time = row.time;
    if (spec_.within_ms > 0) {
      expire(partition, time);
      RETURN_IF_ERROR(settle(partition));
    }
    const int64_t number = partition.endRow();
    partition.rows.push_back(std::move(row));
    partition.starts.push_back({number, time, threads_.begin(), std::nullopt});
    RETURN_IF_ERROR(testRow(partition));
    for (size_t i = 0; i < partition.starts.size(); ++i) threads_.step(partition.starts[i], accepts_[i]);
    return settle(partition);
  }

  /// accepts_[start][thread]: whether the newest row fulfils the condition that the thread waits at, and none of those
  /// that bar it.
  Status testRow(MatchPartition& partition) {
    const uint64_t flags = partition.rows.back().flags;
    accepts_.resize(partition.starts.size());
    asking_.assign(conditions_.size(), {});
    for (size_t s = 0; s < partition.starts.size(); ++s) {
      const MatchStart& start = partition.starts[s];
      accepts_[s].assign(start.threads.size(), 1);
      for (size_t t = 0; t < start.threads.size(); ++t) {
        const auto ask = [&](size_t variable, bool wanted) {
          const bool is_known = !spec_.pattern[variable].condition || !conditions_[variable];
          if (!is_known) asking_[variable].push_back({s, t, wanted});
          else if ((!spec_.pattern[variable].condition || ((flags >> variable) & 1)) != wanted) accepts_[s][t] = 0;
        };
        ask(start.threads[t].variable, true);
        threads_.forEachBar(start.threads[t], [&](size_t variable) { ask(variable, false); });
      }
    }
    for (size_t v = 0; v < asking_.size(); ++v) {
      if (asking_[v].empty()) continue;
      for (const Question& question : asking_[v]) {
        MatchCounts counts = partition.starts[question.start].threads[question.thread].counts;
        ++counts[v];
        RETURN_IF_ERROR(conditions_[v]->add(partition, partition.starts[question.start].row, counts));
      }
      ASSIGN_OR_RETURN(const std::vector<VectorPtr> results, conditions_[v]->evaluate(context_->evalContext()));
      const ColumnReader<bool> holds(*results[0]);
      for (size_t i = 0; i < asking_[v].size(); ++i) {
        const Question& question = asking_[v][i];
        if ((!holds.isNull(i) && holds[i]) != question.wanted) accepts_[question.start][question.thread] = 0;
      }
    }
    return {};
  }

  /// Starts whose time is over give up; what they found stands.
  void expire(MatchPartition& partition, EventTime now) const {
    if (spec_.within_ms <= 0) return;
    for (MatchStart& start : partition.starts) {
      if (now < start.time || static_cast<uint64_t>(now) - static_cast<uint64_t>(start.time) < static_cast<uint64_t>(spec_.within_ms)) break;
      start.threads.clear();
    }
  }

  /// Sends the matches that are certain, oldest start first, and forgets starts that cannot match.
  Status settle(MatchPartition& partition) {
    while (!partition.starts.empty() && partition.starts.front().threads.empty()) {
      const MatchStart start = std::move(partition.starts.front());
      partition.starts.pop_front();
      if (!start.found) continue;
      RETURN_IF_ERROR(measures_->add(partition, start.row, *start.found));
      ASSIGN_OR_RETURN(const int64_t next, nextStart(start.row, *start.found));
      while (!partition.starts.empty() && partition.starts.front().row < next) partition.starts.pop_front();
    }
    std::erase_if(partition.starts, [](const MatchStart& start) { return start.threads.empty() && !start.found; });
    partition.trim();
    return {};
  }

  /// The first row that the next match may begin at.
  Result<int64_t> nextStart(int64_t row, const MatchCounts& counts) const {
    const auto before = [&](int variable) { return std::accumulate(counts.begin(), counts.begin() + variable, row); };
    switch (spec_.skip) {
      case MatchSkip::TO_NEXT_ROW: return row + 1;
      case MatchSkip::PAST_LAST_ROW: return before(static_cast<int>(counts.size()));
      case MatchSkip::TO_FIRST:
      case MatchSkip::TO_LAST: break;
    }
    const std::string& name = spec_.pattern[static_cast<size_t>(spec_.skip_variable)].name;
    const uint32_t count = counts[static_cast<size_t>(spec_.skip_variable)];
    if (count == 0) return Status::runtime("AFTER MATCH SKIP TO " + name + ": the match has no row of that variable");
    const int64_t target = before(spec_.skip_variable) + (spec_.skip == MatchSkip::TO_LAST ? count - 1 : 0);
    if (target == row) {
      return Status::runtime("AFTER MATCH SKIP TO " + name + " would skip to the first row of the match, which would be found for ever");
    }
    return target;
  }

  Status eraseEmpty(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      char* entry = nullptr;
      const RowIndex one[] = {static_cast<RowIndex>(i)};
      RETURN_IF_ERROR(table_->findRows(0, due_keys_.batch(), one, {&entry, 1}));
      if (entry == nullptr) continue;
      const auto& partition = objectAt<MatchPartition>(entry);
      if (partition.waiting.empty() && partition.starts.empty() && !partition.expiry) RETURN_IF_ERROR(table_->erase(0, due_keys_.batch(), i));
    }
    return {};
  }

  Status emitMatches(Output& output) {
    const size_t matches = measures_->size();
    if (matches == 0) return {};
    ASSIGN_OR_RETURN(std::vector<VectorPtr> columns, measures_->evaluate(context_->evalContext()));
    return output.emit(Batch(matches, std::move(columns)));
  }

  void requestExpiryWakeup() {
    if (spec_.processing_time && !timers_.isEmpty()) context_->requestWakeup(timers_.earliest());
  }

  MatchSpec spec_;
  std::vector<DataType> types_;
  RowCodec codec_;
  KeyEncoder encoder_;
  SortKeyEncoder sorter_;
  MatchThreads threads_;
  EventTimers timers_;
  KeyList due_keys_;
  OperatorContext* context_ = nullptr;
  KeyedTable* table_ = nullptr;
  EventTime watermark_ = kMinWatermark;
  EventTime until_ = kMinWatermark;                        // of the run being made
  std::vector<size_t> flagged_;                            // variables whose conditions read the row only
  std::unique_ptr<ExprProgram> row_conditions_;            // theirs
  std::vector<std::unique_ptr<MatchValues>> conditions_;   // the others', by variable
  std::unique_ptr<MatchValues> measures_;
  std::vector<uint64_t> flags_;
  std::vector<char*> entries_;
  std::vector<std::vector<uint8_t>> accepts_;
  std::vector<std::vector<Question>> asking_;              // by variable
};

}  // namespace

Result<std::unique_ptr<Operator>> makeMatch(const MatchSpec& spec, const PlanNode& node) {
  return std::unique_ptr<Operator>(std::make_unique<MatchOperator>(spec, inputTypes(node)));
}

}  // namespace thalweg::worker
