// Join: regular stream join, state on both sides, every type, updating inputs included.
//
// Messages follow Flink's StreamingJoinOperator and StreamingSemiAntiJoinOperator: a row joins the rows stored on the
// other side and is stored itself; outer joins pad a row while it has no match, taking the padded row back with -D when
// the first match comes and putting it out again when the last one goes; inner joins pass the input's row kind on, and so does a semi join's right side.
// Rows whose key holds a NULL match nothing and are not stored (unless the key compares with IS NOT DISTINCT FROM).
// While one side's batch is handled the other side's rows do not change (only their match counts do), so candidates of
// a whole run are found, decoded and filtered at once, and the run is stored afterwards.

#include "common/base/failpoint.h"
#include "common/base/hash.h"
#include "worker/operators/join/join_batch.h"
#include "worker/operators/join/join_pairs.h"
#include "worker/operators/join/join_rows.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

constexpr size_t kPairsMax = Batch::kRowsTarget;

class JoinOperator : public PieceOperator {
 public:
  JoinOperator(JoinSpec spec, const PlanNode& node, std::unique_ptr<JoinPairs> left, std::unique_ptr<JoinPairs> right)
      : spec_(std::move(spec)), sides_{JoinSide(spec_, node, 0), JoinSide(spec_, node, 1)}, pairs_{std::move(left), std::move(right)} {
    const JoinType type = spec_.type;
    outer_[0] = type == JoinType::LEFT || type == JoinType::FULL;
    outer_[1] = type == JoinType::RIGHT || type == JoinType::FULL;
    semi_ = type == JoinType::SEMI || type == JoinType::ANTI;
    counts_[0] = outer_[0] || semi_;
    counts_[1] = outer_[1];
  }

  Status open(OperatorContext& context) override {
    eval_ = &context.evalContext();
    ASSIGN_OR_RETURN(tables_[0], context.keyedState().openTable(JoinRows::tableSpec("left", sides_[0].fixedKeys(), spec_.left_ttl_ms)));
    ASSIGN_OR_RETURN(tables_[1], context.keyedState().openTable(JoinRows::tableSpec("right", sides_[1].fixedKeys(), spec_.right_ttl_ms)));
    return {};
  }

  Result<Progress> processRows(int input, const Batch& piece, Output& output) override {
    piece_ = piece;
    side_ = input;
    row_ = 0;
    return work(output);
  }

  Result<Progress> resumeWork(Output& output) override { return work(output); }

 private:
  Result<Progress> work(Output& output) {
    const KeyBatch& keys = sides_[side_].encodeKeys(piece_);
    sides_[side_].encodeRows(piece_);
    while (row_ < piece_.rows()) {
      RETURN_IF_ERROR(run(keys, output));
      if (row_ < piece_.rows() && output.isFull()) return Progress::MORE;
    }
    piece_ = Batch();
    return Progress::DONE;
  }

  /// Handles rows from row_ on until enough pairs are found; advances row_.
  Status run(const KeyBatch& keys, Output& output) {
    JoinPairs& pairs = *pairs_[side_];
    const size_t begin = row_;
    RETURN_IF_ERROR(collectPairs(keys));
    RETURN_IF_ERROR(pairs.evaluate(*eval_));
    match_counts_.assign(row_ - begin, 0);
    size_t pair = 0;
    for (size_t row = begin; row < row_; ++row) {
      const size_t first = pair;
      while (pair < pairs.size() && pairs.row(pair) == row) ++pair;
      match_counts_[row - begin] = answer(row, first, pair);
    }
    RETURN_IF_ERROR(emitMessages(output));
    return store(begin, keys);
  }

  /// Adds every stored row that may match rows from row_ on.
  Status collectPairs(const KeyBatch& keys) {
    JoinPairs& pairs = *pairs_[side_];
    KeyedTable& other = *tables_[1 - side_];
    pairs.begin(piece_);
    records_.clear();
    entries_.resize(piece_.rows());
    RETURN_IF_ERROR(other.find(0, keys, entries_));
    for (; row_ < piece_.rows() && pairs.size() < kPairsMax; ++row_) {
      if (entries_[row_] == nullptr || sides_[side_].nullKey(row_)) continue;
      reinterpret_cast<JoinRows*>(entries_[row_])->forEach([&](JoinRows::Record& record) {
        pairs.add(static_cast<RowIndex>(row_), record.bytes());
        records_.push_back(&record);
      });
      if (counts_[1 - side_]) other.markDirty(entries_[row_]);
    }
    return {};
  }

  /// Notes the messages of one row, whose candidates are [first, last); gives the number of its matches.
  int64_t answer(size_t row, size_t first, size_t last) {
    const RowKind kind = piece_.rowKind(row);
    int64_t matches = 0;
    for (size_t pair = first; pair < last; ++pair) {
      if (!pairs_[side_]->holds(pair)) continue;
      ++matches;
      if (semi_) semiMatch(pair, kind);
      else if (isAccumulate(kind)) joinMatch(row, pair, kind);
      else unjoinMatch(row, pair, kind);
    }
    JoinPairs& pairs = *pairs_[side_];
    const auto at = static_cast<RowIndex>(row);
    if (semi_ && side_ == 0) {
      if ((matches == 0) == (spec_.type == JoinType::ANTI)) pairs.say(at, JoinPairs::kNone, kind);
    } else if (matches == 0 && outer_[side_]) {
      pairs.say(at, JoinPairs::kNone, isAccumulate(kind) ? RowKind::INSERT : RowKind::DELETE);
    }
    return matches;
  }

  void joinMatch(size_t row, size_t pair, RowKind kind) {
    JoinPairs& pairs = *pairs_[side_];
    const auto stored = static_cast<RowIndex>(pair);
    if (outer_[1 - side_] && records_[pair]->matches++ == 0 && !THALWEG_MUTANT("padded_row_stays")) pairs.say(JoinPairs::kNone, stored, RowKind::DELETE);
    pairs.say(static_cast<RowIndex>(row), stored, outer_[0] || outer_[1] ? RowKind::INSERT : kind);
  }

  void unjoinMatch(size_t row, size_t pair, RowKind kind) {
    JoinPairs& pairs = *pairs_[side_];
    const auto stored = static_cast<RowIndex>(pair);
    pairs.say(static_cast<RowIndex>(row), stored, outer_[0] || outer_[1] ? RowKind::DELETE : kind);
    if (outer_[1 - side_] && --records_[pair]->matches == 0) pairs.say(JoinPairs::kNone, stored, RowKind::INSERT);
  }

  /// A right row of a semi or anti join changes whether a left row has a match.
  void semiMatch(size_t pair, RowKind kind) {
    if (side_ == 0) return;
    const bool accumulates = isAccumulate(kind);
    const bool turns = accumulates ? records_[pair]->matches++ == 0 : --records_[pair]->matches == 0;
    if (!turns) return;
    const RowKind of_anti = accumulates ? RowKind::DELETE : RowKind::INSERT;
    pairs_[1]->say(JoinPairs::kNone, static_cast<RowIndex>(pair), spec_.type == JoinType::SEMI ? kind : of_anti);
  }

  /// Puts rows [begin, row_) into the own side's state.
  Status store(size_t begin, const KeyBatch& keys) {
    JoinSide& side = sides_[side_];
    KeyedTable& own = *tables_[side_];
    kept_.clear();
    for (size_t row = begin; row < row_; ++row) {
      if (!side.nullKey(row)) kept_.push_back(static_cast<RowIndex>(row));
    }
    entries_.resize(kept_.size());
    RETURN_IF_ERROR(own.upsertRows(0, keys, kept_, entries_, {}));
    const bool hashes = side_ == 0 ? spec_.left_retracts : spec_.right_retracts;
    bool emptied = false;
    for (size_t i = 0; i < kept_.size(); ++i) {
      const size_t row = kept_[i];
      auto& rows = *reinterpret_cast<JoinRows*>(entries_[i]);
      const std::string_view bytes = side.rowBytes(row);
      const uint32_t hash = hashes ? static_cast<uint32_t>(hashBytes(bytes)) : 0;
      if (isAccumulate(piece_.rowKind(row))) rows.append(bytes, counts_[side_] ? match_counts_[row - begin] : 0, hash);
      else rows.remove(bytes, hash);
      emptied = emptied || rows.isEmpty();
    }
    return emptied ? eraseEmpty(own, keys) : Status();
  }

  Status eraseEmpty(KeyedTable& own, const KeyBatch& keys) {
    for (const RowIndex row : kept_) {
      char* entry = nullptr;
      RETURN_IF_ERROR(own.findRows(0, keys, {&row, 1}, {&entry, 1}));
      if (entry != nullptr && reinterpret_cast<JoinRows*>(entry)->isEmpty()) RETURN_IF_ERROR(own.erase(0, keys, row));
    }
    return {};
  }

  Status emitMessages(Output& output) {
    JoinPairs& pairs = *pairs_[side_];
    if (pairs.messages() == 0) return {};
    using Columns = JoinPairs::Columns;
    return output.emit(pairs.take(!semi_ ? Columns::BOTH : side_ == 0 ? Columns::INPUT : Columns::STORED));
  }

  JoinSpec spec_;
  JoinSide sides_[2];
  std::unique_ptr<JoinPairs> pairs_[2];     // by side of the input
  KeyedTable* tables_[2] = {};
  bool outer_[2] = {};
  bool counts_[2] = {};                     // whether rows of the side carry the number of their matches
  bool semi_ = false;
  EvalContext* eval_ = nullptr;
  // The piece being worked on; row_ is the next row.
  Batch piece_;
  int side_ = 0;
  size_t row_ = 0;
  std::vector<char*> entries_;
  std::vector<JoinRows::Record*> records_;  // of the candidates
  std::vector<int64_t> match_counts_;       // of the run's rows
  std::vector<RowIndex> kept_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeJoin(const JoinSpec& spec, const PlanNode& node) {
  if (spec.final_only) return makeBatchJoin(spec, node);
  ASSIGN_OR_RETURN(auto left, JoinPairs::make(spec, node, 0));
  ASSIGN_OR_RETURN(auto right, JoinPairs::make(spec, node, 1));
  return std::unique_ptr<Operator>(std::make_unique<JoinOperator>(spec, node, std::move(left), std::move(right)));
}

}  // namespace thalweg::worker
