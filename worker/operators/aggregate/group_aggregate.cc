// GroupAggregate: GROUP BY without windows, in three ways of answering.
//
//   per row     streaming: each input row answers at once with the change it made to its group, in row order
//   mini-batch  rows are held back up to a count, a watermark or a barrier; then each group answers once
//   final only  batch: one row per group at the end of input
//
// Rules of a row (semantics: aggregation; Flink's GroupAggFunction): the first row of a group answers +I; a later one
// -U old, +U new, or nothing when the results are equal; the row that empties its group answers -D old, and a
// retraction of a group that does not exist is ignored. An entry is [rows in the group] + accumulators; the count is
// kept only when the input may retract.
//
// A run of rows is handled column at a time: counts first (they decide what is skipped and where a group ends), then
// one trace() per aggregate call, then the messages. A group that is emptied and comes back within a batch ends the
// run, so that it starts from fresh accumulators.

#include <cstring>
#include <unordered_set>

#include "common/base/failpoint.h"
#include "worker/operators/aggregate/aggregate_set.h"
#include "worker/operators/changelog_rows.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

constexpr size_t kEmitRows = Batch::kRowsTarget;

class GroupAggregateOperator : public PieceOperator {
 public:
  GroupAggregateOperator(GroupAggregateSpec spec, std::vector<DataType> types, std::shared_ptr<AggregateSet> aggregates)
      : spec_(std::move(spec)), types_(std::move(types)), aggregates_(std::move(aggregates)), encoder_(spec_.keys, types_) {}

  Status open(OperatorContext& context) override {
    KeyedTableSpec table;
    table.name = "groups";
    table.fixed_keys = encoder_.isFixed();
    table.ttl_ms = spec_.state_ttl_ms;
    aggregates_->describe(table);
    ASSIGN_OR_RETURN(table_, context.keyedState().openTable(std::move(table)));
    first_subtask_ = context.subtaskIndex() == 0;
    return {};
  }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    if (spec_.final_only) {
      RETURN_IF_ERROR(foldFinal(piece));
      return Progress::DONE;
    }
    if (spec_.mini_batch_rows > 0) {
      held_.push_back(piece);
      held_rows_ += piece.rows();
      if (held_rows_ >= static_cast<size_t>(spec_.mini_batch_rows)) RETURN_IF_ERROR(flushBundle(output));
      return Progress::DONE;
    }
    size_t begin = 0;
    while (begin < piece.rows()) {
      const Batch rest = begin == 0 ? piece : piece.slice(begin, piece.rows() - begin);
      ASSIGN_OR_RETURN(const size_t handled, processRun(rest, output));
      begin += handled;
    }
    return Progress::DONE;
  }

  Result<Progress> onWatermark(EventTime, Output& output) override {
    RETURN_IF_ERROR(flushBundle(output));
    return Progress::DONE;
  }

  Result<Progress> prepareSnapshot(Output& output) override {
    RETURN_IF_ERROR(flushBundle(output));
    return Progress::DONE;
  }

  Result<Progress> finish(Output& output) override {
    RETURN_IF_ERROR(flushBundle(output));
    if (!spec_.final_only) return Progress::DONE;
    RETURN_IF_ERROR(addEmptyGroup());
    cursor_ = table_->scan(0);
    return emitFinal(output);
  }

  Result<Progress> resumeWork(Output& output) override { return cursor_ ? emitFinal(output) : Result<Progress>(Progress::DONE); }
  void close() override { cursor_.reset(); }     // before its table goes

 private:
  bool counts() const { return spec_.input_retracts; }
  static int64_t& countOf(char* entry) { return *reinterpret_cast<int64_t*>(entry); }

  /// Handles rows of `batch` from its first on; returns how many.
  Result<size_t> processRun(const Batch& batch, Output& output) {
    const size_t rows = batch.rows();
    const KeyBatch& keys = encoder_.encode(batch);
    entries_.resize(rows);
    created_.resize(rows);
    RETURN_IF_ERROR(table_->upsert(0, keys, entries_, created_));
    const size_t run = counts() ? countRows(batch, rows) : rows;
    const Batch part = run == rows ? batch : batch.slice(0, run);
    const std::span<char* const> entries(entries_.data(), run);
    std::vector<VectorPtr> before;
    std::vector<VectorPtr> after;
    RETURN_IF_ERROR(aggregates_->trace(part, entries, counts() ? retract_.data() : nullptr, counts() ? skip_.data() : nullptr, before, after));
    RETURN_IF_ERROR(emitRun(part, before, after, output));
    if (counts()) RETURN_IF_ERROR(dropEmptied(keys, run));
    return run;
  }

  /// Counts the rows of each group, row by row: old_counts_, new_counts_, skip_. Returns the length of the run: it ends
  /// before a row whose group was emptied earlier in the run.
  size_t countRows(const Batch& batch, size_t rows) {
    retract_.resize(rows);
    skip_.assign(rows, 0);
    old_counts_.resize(rows);
    new_counts_.resize(rows);
    emptied_.clear();
    for (size_t row = 0; row < rows; ++row) {
      int64_t& count = countOf(entries_[row]);
      retract_[row] = static_cast<uint8_t>(isRetract(batch.rowKind(row)));
      if (count == kEmptied) return row;
      old_counts_[row] = count;
      if (retract_[row]) {
        if (count == 0) skip_[row] = 1;
        else if (--count == 0) {
          emptied_.push_back(static_cast<RowIndex>(row));
          count = kEmptied;
        }
      } else {
        ++count;
      }
      new_counts_[row] = count == kEmptied ? 0 : count;
      // A group that so far has only skipped retractions goes again at the end of the run.
      if (count == 0 && created_[row]) ghosts_.push_back(static_cast<RowIndex>(row));
    }
    return rows;
  }

  Status dropEmptied(const KeyBatch& keys, size_t run) {
    for (const RowIndex row : emptied_) RETURN_IF_ERROR(table_->erase(0, keys, row));
    for (size_t row = run; row < entries_.size(); ++row) {
      if (created_[row]) ghosts_.push_back(static_cast<RowIndex>(row));
    }
    for (const RowIndex row : ghosts_) {
      char* entry = nullptr;
      const RowIndex one[] = {row};
      RETURN_IF_ERROR(table_->findRows(0, keys, one, {&entry, 1}));
      if (entry != nullptr && countOf(entry) == 0) RETURN_IF_ERROR(table_->erase(0, keys, row));
    }
    ghosts_.clear();
    return {};
  }

  Status emitRun(const Batch& part, std::span<const VectorPtr> before, std::span<const VectorPtr> after, Output& output) {
    const size_t rows = part.rows();
    changed_.assign(rows, static_cast<uint8_t>(spec_.state_ttl_ms > 0));
    if (spec_.state_ttl_ms == 0) {
      for (size_t k = 0; k < after.size(); ++k) markUnequal(*before[k], *after[k], changed_);
    }
    messages_.clear();
    for (size_t row = 0; row < rows; ++row) {
      const bool existed = counts() ? old_counts_[row] > 0 : !created_[row];
      const bool exists = counts() ? new_counts_[row] > 0 : true;
      if (!existed && exists) {
        messages_.addNew(row, RowKind::INSERT);
      } else if (existed && exists && changed_[row]) {
        if (spec_.emit_update_before) messages_.addOld(row, RowKind::UPDATE_BEFORE);
        messages_.addNew(row, RowKind::UPDATE_AFTER);
      } else if (existed && !exists && !THALWEG_MUTANT("emptied_group_stays")) {
        messages_.addOld(row, RowKind::DELETE);
      }
    }
    if (messages_.size() == 0) return {};
    return output.emit(messages_.take(keyColumns(part), before, after));
  }

  std::vector<VectorPtr> keyColumns(const Batch& batch) const {
    std::vector<VectorPtr> columns;
    for (const int key : spec_.keys) columns.push_back(batch.column(static_cast<size_t>(key)));
    return columns;
  }

  /// Folds the held rows group by group and answers once per group, in the order the groups came.
  Status flushBundle(Output& output) {
    if (held_.empty()) return {};
    Batch bundle = held_.size() == 1 ? held_[0] : concatBatches(held_);
    held_.clear();
    held_rows_ = 0;
    const size_t rows = bundle.rows();
    const KeyBatch& keys = encoder_.encode(bundle);
    entries_.resize(rows);
    created_.resize(rows);
    RETURN_IF_ERROR(table_->upsert(0, keys, entries_, created_));
    if (!counts()) return foldBundle(bundle, keys, output);
    // Retracting inputs: leading retractions of unknown groups are skipped; counts decide what each group answers.
    return foldBundle(bundle, keys, output);
  }

  Status foldBundle(const Batch& bundle, const KeyBatch& keys, Output& output) {
    const size_t rows = bundle.rows();
    std::vector<RowIndex> firsts;          // first row of each group in the bundle
    std::vector<const char*> groups;
    std::vector<uint8_t> existed;
    seen_.clear();
    for (size_t row = 0; row < rows; ++row) {
      if (!seen_.insert(entries_[row]).second) continue;
      firsts.push_back(static_cast<RowIndex>(row));
      groups.push_back(entries_[row]);
      existed.push_back(counts() ? static_cast<uint8_t>(countOf(entries_[row]) > 0) : static_cast<uint8_t>(!created_[row]));
    }
    std::vector<VectorPtr> before;
    RETURN_IF_ERROR(aggregates_->finalize(groups, before));
    if (counts()) {
      retract_.resize(rows);
      skip_.assign(rows, 0);
      for (size_t row = 0; row < rows; ++row) {
        retract_[row] = static_cast<uint8_t>(isRetract(bundle.rowKind(row)));
        int64_t& count = countOf(entries_[row]);
        if (retract_[row] && count == 0) skip_[row] = 1;
        else count += retract_[row] ? -1 : 1;
      }
    }
    RETURN_IF_ERROR(aggregates_->update(bundle, entries_, counts() ? retract_.data() : nullptr, counts() ? skip_.data() : nullptr));
    std::vector<VectorPtr> after;
    RETURN_IF_ERROR(aggregates_->finalize(groups, after));
    changed_.assign(groups.size(), static_cast<uint8_t>(spec_.state_ttl_ms > 0));
    for (size_t k = 0; k < after.size(); ++k) markUnequal(*before[k], *after[k], changed_);
    messages_.clear();
    for (size_t g = 0; g < groups.size(); ++g) {
      const bool exists = !counts() || *reinterpret_cast<const int64_t*>(groups[g]) > 0;
      if (!existed[g] && exists) {
        messages_.addNew(g, RowKind::INSERT);
      } else if (existed[g] && exists && changed_[g]) {
        if (spec_.emit_update_before) messages_.addOld(g, RowKind::UPDATE_BEFORE);
        messages_.addNew(g, RowKind::UPDATE_AFTER);
      } else if (existed[g] && !exists) {
        messages_.addOld(g, RowKind::DELETE);
      }
    }
    if (messages_.size() > 0) {
      std::vector<VectorPtr> key_columns;
      for (const VectorPtr& column : keyColumns(bundle)) key_columns.push_back(gather(*column, firsts));
      RETURN_IF_ERROR(output.emit(messages_.take(key_columns, before, after)));
    }
    if (!counts()) return {};
    std::vector<RowIndex> emptied;
    for (size_t g = 0; g < groups.size(); ++g) {
      if (*reinterpret_cast<const int64_t*>(groups[g]) == 0) emptied.push_back(firsts[g]);
    }
    for (const RowIndex row : emptied) RETURN_IF_ERROR(table_->erase(0, keys, row));
    return {};
  }

  Status foldFinal(const Batch& piece) {
    const KeyBatch& keys = encoder_.encode(piece);
    entries_.resize(piece.rows());
    RETURN_IF_ERROR(table_->upsert(0, keys, entries_, {}));
    return aggregates_->update(piece, entries_, nullptr, nullptr);
  }

  /// A global aggregate answers one row even when nothing came in (batch).
  Status addEmptyGroup() {
    if (!spec_.keys.empty() || table_->size() > 0 || !first_subtask_) return {};
    const KeyBatch& keys = encoder_.encode(Batch(1, {}));
    entries_.resize(1);
    return table_->upsert(0, keys, entries_, {});
  }

  Result<Progress> emitFinal(Output& output) {
    std::vector<DataType> key_types;
    for (const int key : spec_.keys) key_types.push_back(types_[static_cast<size_t>(key)]);
    while (true) {
      found_.clear();
      RETURN_IF_ERROR(cursor_->next(kEmitRows, found_));
      if (found_.empty()) break;
      std::vector<std::string_view> keys;
      std::vector<const char*> entries;
      for (const auto& [key, entry] : found_) {
        keys.push_back(key);
        entries.push_back(entry);
      }
      std::vector<VectorPtr> columns;
      RETURN_IF_ERROR(decodeKeys(keys, key_types, columns));
      RETURN_IF_ERROR(aggregates_->finalize(entries, columns));
      RETURN_IF_ERROR(output.emit(Batch(entries.size(), std::move(columns))));
      if (output.isFull()) return Progress::MORE;
    }
    cursor_.reset();
    return Progress::DONE;
  }

  static constexpr int64_t kEmptied = -1;   // count of a group emptied in the current run

  GroupAggregateSpec spec_;
  std::vector<DataType> types_;
  std::shared_ptr<AggregateSet> aggregates_;
  KeyEncoder encoder_;
  KeyedTable* table_ = nullptr;
  bool first_subtask_ = false;
  std::unique_ptr<KeyedTable::Cursor> cursor_;
  std::vector<Batch> held_;
  size_t held_rows_ = 0;
  // Scratch of the run being handled.
  std::vector<char*> entries_;
  std::vector<uint8_t> created_, retract_, skip_, changed_;
  std::vector<int64_t> old_counts_, new_counts_;
  std::vector<RowIndex> emptied_, ghosts_;
  std::vector<std::pair<std::string_view, char*>> found_;
  std::unordered_set<const char*> seen_;
  ChangelogRows messages_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeGroupAggregate(const GroupAggregateSpec& spec, const PlanNode& node) {
  ASSIGN_OR_RETURN(auto aggregates, AggregateSet::make(spec.calls, spec.input_retracts, spec.final_only, sizeof(int64_t)));
  return std::unique_ptr<Operator>(std::make_unique<GroupAggregateOperator>(spec, inputTypes(node), std::move(aggregates)));
}

}  // namespace thalweg::worker
