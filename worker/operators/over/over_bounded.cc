// OverBounded: like OverSorted, but a frame begins a number of rows before the current one, so that a row that comes or goes
// changes no more than its own result and those of as many rows behind it.
//
// State: the table "partitions"; per key all rows in sort order, equal ones in order of arrival (RankRows). For every change
// the rows around its place are noted, with the frames to be answered before and after it; all frames of a piece are then
// folded at once, and what differs is sent: a row that goes first, a row that comes in its place among the others.

#include "worker/operators/over/over_bounded.h"

#include <algorithm>

#include "worker/operators/operator_registry.h"
#include "worker/operators/over/over_calls.h"
#include "worker/operators/rank/rank_rows.h"
#include "worker/operators/row_images.h"

namespace thalweg::worker {
namespace {

/// Frames that are folded together, each into an accumulator of its own.
class FrameFolds {
 public:
  FrameFolds(const OverCalls& calls, RowCodec codec) : calls_(calls), codec_(std::move(codec)) {}

  RowIndex addRow(std::string_view bytes) { return images_.add(bytes); }
  size_t size() const { return owners_.size(); }
  /// A frame of `rows` (numbers that addRow gave), the last of which is the row it answers. Gives the frame's number.
  RowIndex add(std::span<const RowIndex> rows) {
    members_.insert(members_.end(), rows.begin(), rows.end());
    ends_.push_back(members_.size());
    owners_.push_back(rows.back());
    return static_cast<RowIndex>(owners_.size() - 1);
  }

  Status fold() {
    const Batch images(images_.size(), images_.decode(codec_));
    AggregateSet& set = *calls_.aggregates;
    const size_t words = (set.entryBytes() + sizeof(uint64_t) - 1) / sizeof(uint64_t) + 1;
    std::vector<uint64_t> memory(words * size());
    std::vector<char*> entries;
    std::vector<const char*> results_of;
    for (size_t frame = 0, at = 0; frame < size(); ++frame) {
      char* entry = reinterpret_cast<char*>(&memory[frame * words]);
      set.init(entry);
      results_of.push_back(entry);
      for (; at < ends_[frame]; ++at) entries.push_back(entry);
    }
    const Status status = answer(images, entries, results_of);
    for (const char* entry : results_of) set.destroy(const_cast<char*>(entry));
    return status;
  }
  /// Whether two frames have the same results.
  bool areEqual(RowIndex a, RowIndex b) const { return states_[a] == states_[b]; }
  /// The rows of `frames` with their results.
  std::vector<VectorPtr> columns(const std::vector<RowIndex>& frames) const {
    std::vector<RowIndex> rows;
    for (const RowIndex frame : frames) rows.push_back(owners_[frame]);
    std::vector<VectorPtr> columns;
    for (const VectorPtr& column : rows_) columns.push_back(gather(*column, rows));
    for (const OverCalls::Call& call : calls_.calls) columns.push_back(gather(*results_[call.aggregate], frames));
    return columns;
  }
  void clear() {
    images_.clear();
    members_.clear();
    ends_.clear();
    owners_.clear();
    states_.clear();
  }

 private:
  Status answer(const Batch& images, std::span<char* const> entries, std::span<const char* const> results_of) {
    AggregateSet& set = *calls_.aggregates;
    rows_ = images.columns();
    std::vector<VectorPtr> members;
    for (const VectorPtr& column : rows_) members.push_back(gather(*column, members_));
    RETURN_IF_ERROR(set.update(Batch(members_.size(), std::move(members)), entries, nullptr, nullptr));
    results_.clear();
    RETURN_IF_ERROR(set.finalize(results_of, results_));
    for (const char* entry : results_of) set.serialize(entry, states_.emplace_back());
    return {};
  }

  const OverCalls& calls_;
  RowCodec codec_;
  RowImages images_;
  std::vector<RowIndex> members_;
  std::vector<size_t> ends_;             // of each frame in members_
  std::vector<RowIndex> owners_;         // the row each frame answers
  std::vector<VectorPtr> rows_, results_;
  std::vector<std::string> states_;      // per frame, its accumulators' bytes
};

class OverBoundedOperator : public PieceOperator {
 public:
  OverBoundedOperator(OverAggregateSpec spec, OverCalls calls, const std::vector<DataType>& types)
      : spec_(std::move(spec)), reach_(static_cast<size_t>(*spec_.preceding)), calls_(std::move(calls)), input_(types),
        partitions_(spec_.partition_keys, types), sort_keys_(spec_.order_by, types), folds_(calls_, RowCodec(types)) {}

  Status open(OperatorContext& context) override {
    ASSIGN_OR_RETURN(table_, context.keyedState().openTable(objectTableSpec<RankRows>("partitions", partitions_.isFixed())));
    return {};
  }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    const KeyBatch& keys = partitions_.encode(piece);
    const auto sort_keys = sort_keys_.encode(piece);
    entries_.resize(piece.rows());
    RETURN_IF_ERROR(table_->upsert(0, keys, entries_, {}));
    std::string bytes;
    for (size_t row = 0; row < piece.rows(); ++row) {
      input_.encodeRow(piece.columns(), row, bytes);
      const RowKind kind = piece.rowKind(row);
      RankRows& rows = objectAt<RankRows>(entries_[row]);
      if (kind == RowKind::DELETE || kind == RowKind::UPDATE_BEFORE) remove(rows, sort_keys[row], bytes);
      else insert(rows, kind, sort_keys[row], bytes);
      table_->markDirty(entries_[row]);
      if (folds_.size() >= kFramesAtOnce) RETURN_IF_ERROR(send(output));
    }
    RETURN_IF_ERROR(send(output));
    return Progress::DONE;
  }

 private:
  /// A row whose message depends on frames: its kind if it comes or goes, else an update if the two differ.
  struct Change {
    RowKind kind = RowKind::UPDATE_AFTER;
    RowIndex before = kNoFrame;
    RowIndex after = kNoFrame;
  };

  /// Rows around a place, and how many of them stand before it.
  struct Around {
    std::vector<RowIndex> rows;
    size_t before = 0;
  };

  /// Twice as many rows as a frame reaches back, no more, stand around `place`: the row itself is the one after `before`.
  Around around(RankRows& rows, RankRows::Place place) {
    std::vector<std::string_view> views;
    RankRows::Place at = place;
    while (views.size() < reach_ && stepBack(rows, at)) views.push_back(at.group->second[at.position].bytes);
    std::reverse(views.begin(), views.end());
    Around found{{}, views.size()};
    at = place;
    do views.push_back(at.group->second[at.position].bytes);
    while (views.size() <= found.before + reach_ && stepOn(rows, at));
    for (const std::string_view view : views) found.rows.push_back(folds_.addRow(view));
    return found;
  }
  static bool stepBack(RankRows& rows, RankRows::Place& at) {
    if (at.position > 0) return --at.position, true;
    if (at.group == rows.groups().begin()) return false;
    --at.group;
    at.position = at.group->second.size() - 1;
    return true;
  }
  static bool stepOn(RankRows& rows, RankRows::Place& at) {
    if (++at.position < at.group->second.size()) return true;
    at.position = 0;
    return ++at.group != rows.groups().end();
  }

  /// The frame that ends with row `last` of `rows`.
  RowIndex frameOf(std::span<const RowIndex> rows, size_t last) {
    const size_t begin = last > reach_ ? last - reach_ : 0;
    return folds_.add(rows.subspan(begin, last + 1 - begin));
  }

  void insert(RankRows& rows, RowKind kind, std::string_view sort_key, std::string_view bytes) {
    rows.append(sort_key, bytes);
    const RankRows::Place place = rows.lastOf(sort_key);
    const Around with = around(rows, place);
    std::vector<RowIndex> without = with.rows;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(with.before));
    changes_.push_back({kind, kNoFrame, frameOf(with.rows, with.before)});
    for (size_t i = with.before + 1; i < with.rows.size(); ++i) changes_.push_back({RowKind::UPDATE_AFTER, frameOf(without, i - 1), frameOf(with.rows, i)});
  }

  void remove(RankRows& rows, std::string_view sort_key, std::string_view bytes) {
    const RankRows::Place place = rows.find(sort_key, bytes);
    if (!rows.exists(place)) return;                   // its insertion was dropped or never came
    const Around with = around(rows, place);
    std::vector<RowIndex> without = with.rows;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(with.before));
    changes_.push_back({RowKind::DELETE, kNoFrame, frameOf(with.rows, with.before)});
    for (size_t i = with.before + 1; i < with.rows.size(); ++i) changes_.push_back({RowKind::UPDATE_AFTER, frameOf(with.rows, i), frameOf(without, i - 1)});
    rows.removeAt(place);
  }

  Status send(Output& output) {
    if (changes_.empty()) return {};
    RETURN_IF_ERROR(folds_.fold());
    std::vector<RowIndex> frames;
    std::vector<RowKind> kinds;
    for (const Change& change : changes_) {
      if (change.before != kNoFrame) {
        if (folds_.areEqual(change.before, change.after)) continue;
        frames.push_back(change.before);
        kinds.push_back(RowKind::UPDATE_BEFORE);
      }
      frames.push_back(change.after);
      kinds.push_back(change.kind);
    }
    Batch messages(frames.size(), folds_.columns(frames));
    changes_.clear();
    folds_.clear();
    return frames.empty() ? Status() : output.emit(messages.withRowKinds(makeRowKinds(kinds)));
  }

  static constexpr RowIndex kNoFrame = ~RowIndex{0};
  static constexpr size_t kFramesAtOnce = Batch::kRowsTarget;

  OverAggregateSpec spec_;
  size_t reach_;                         // rows before the current one in a frame
  OverCalls calls_;
  RowCodec input_;
  KeyEncoder partitions_;
  SortKeyEncoder sort_keys_;
  FrameFolds folds_;
  KeyedTable* table_ = nullptr;
  std::vector<char*> entries_;
  std::vector<Change> changes_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeOverBounded(const OverAggregateSpec& spec, const PlanNode& node) {
  ASSIGN_OR_RETURN(OverCalls calls, OverCalls::make(spec, false, false));
  const bool aggregates_only = std::ranges::all_of(calls.calls, [](const auto& call) { return call.function == OverFunction::AGGREGATE; });
  if (!aggregates_only || !spec.rows_frame) return Status::notSupported("OVER with a bounded beginning along any column takes ROWS and aggregates only");
  return std::unique_ptr<Operator>(std::make_unique<OverBoundedOperator>(spec, std::move(calls), inputTypes(node)));
}

}  // namespace thalweg::worker
