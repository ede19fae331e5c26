#include "worker/operators/join/join_batch.h"

#include "common/base/failpoint.h"
#include "worker/operators/join/join_pairs.h"
#include "worker/operators/join/join_rows.h"

namespace thalweg::worker {
namespace {

constexpr size_t kPairsMax = Batch::kRowsTarget;

/// Left rows that come before the right side ended are held. Rows of a side without a match follow for outer joins.
class BatchJoinOperator : public PieceOperator {
 public:
  BatchJoinOperator(JoinSpec spec, const PlanNode& node, std::unique_ptr<JoinPairs> pairs)
      : spec_(std::move(spec)), probe_(spec_, node, 0), build_(spec_, node, 1), pairs_(std::move(pairs)) {}

  Status open(OperatorContext& context) override {
    eval_ = &context.evalContext();
    ASSIGN_OR_RETURN(table_, context.keyedState().openTable(JoinRows::tableSpec("build", build_.fixedKeys(), 0)));
    return {};
  }

  int preferredInput() const override { return built_ ? -1 : 1; }

  Result<Progress> processRows(int input, const Batch& piece, Output& output) override {
    if (input == 1) {
      RETURN_IF_ERROR(addToBuild(piece));
      return Progress::DONE;
    }
    if (!built_) {
      early_.push_back(piece.compact());
      return Progress::DONE;
    }
    pieces_ = {piece};
    return work(output);
  }

  Result<Progress> endInput(int input, Output& output) override {
    if (input != 1) return Progress::DONE;
    built_ = true;
    pieces_ = std::move(early_);
    early_.clear();
    return work(output);
  }

  Result<Progress> finish(Output& output) override {
    if (!padsRight()) return Progress::DONE;
    cursor_ = table_->scan(0);
    return emitUnmatched(output);
  }

  Result<Progress> resumeWork(Output& output) override { return cursor_ ? emitUnmatched(output) : work(output); }
  void close() override { cursor_.reset(); }     // before its table goes

 private:
  bool padsLeft() const { return spec_.type == JoinType::LEFT || spec_.type == JoinType::FULL; }
  bool padsRight() const { return spec_.type == JoinType::RIGHT || spec_.type == JoinType::FULL; }
  bool isSemi() const { return spec_.type == JoinType::SEMI || spec_.type == JoinType::ANTI; }

  Status addToBuild(const Batch& piece) {
    const KeyBatch& keys = build_.encodeKeys(piece);
    build_.encodeRows(piece);
    kept_.clear();
    for (size_t row = 0; row < piece.rows(); ++row) {
      if (!build_.nullKey(row)) kept_.push_back(static_cast<RowIndex>(row));
      else if (padsRight()) unmatched_nulls_.emplace_back(build_.rowBytes(row));
    }
    entries_.resize(kept_.size());
    RETURN_IF_ERROR(table_->upsertRows(0, keys, kept_, entries_, {}));
    const bool one_is_enough = isSemi() && !spec_.residual;
    for (size_t i = 0; i < kept_.size(); ++i) {
      auto& rows = *reinterpret_cast<JoinRows*>(entries_[i]);
      if (!one_is_enough || rows.isEmpty()) rows.append(build_.rowBytes(kept_[i]), 0);
    }
    return {};
  }

  Result<Progress> work(Output& output) {
    while (piece_ < pieces_.size()) {
      const Batch& piece = pieces_[piece_];
      const KeyBatch& keys = probe_.encodeKeys(piece);
      entries_.resize(piece.rows());
      RETURN_IF_ERROR(table_->find(0, keys, entries_));
      while (row_ < piece.rows()) {
        RETURN_IF_ERROR(probe(piece, output));
        if (output.isFull()) return Progress::MORE;
      }
      ++piece_;
      row_ = 0;
    }
    pieces_.clear();
    piece_ = 0;
    return Progress::DONE;
  }

  /// Probes rows of `piece` from row_ on until enough pairs are found.
  Status probe(const Batch& piece, Output& output) {
    pairs_->begin(piece);
    records_.clear();
    const size_t begin = row_;
    for (; row_ < piece.rows() && pairs_->size() < kPairsMax; ++row_) {
      if (entries_[row_] == nullptr || probe_.nullKey(row_)) continue;
      reinterpret_cast<JoinRows*>(entries_[row_])->forEach([&](JoinRows::Record& record) {
        pairs_->add(static_cast<RowIndex>(row_), record.bytes());
        records_.push_back(&record);
      });
      if (padsRight()) table_->markDirty(entries_[row_]);      // matches are counted in it
    }
    RETURN_IF_ERROR(pairs_->evaluate(*eval_));
    size_t pair = 0;
    for (size_t row = begin; row < row_; ++row) pair = answer(row, pair);
    if (pairs_->messages() == 0) return {};
    return output.emit(pairs_->take(isSemi() ? JoinPairs::Columns::INPUT : JoinPairs::Columns::BOTH));
  }

  /// Notes what becomes of `row`, whose pairs begin with `pair`; gives the first pair of the next row.
  size_t answer(size_t row, size_t pair) {
    const auto at = static_cast<RowIndex>(row);
    bool matched = THALWEG_MUTANT("candidates_count_as_matches") && pair < pairs_->size() && pairs_->row(pair) == row;
    for (; pair < pairs_->size() && pairs_->row(pair) == row; ++pair) {
      if (!pairs_->holds(pair)) continue;
      matched = true;
      if (padsRight()) ++records_[pair]->matches;
      if (!isSemi()) pairs_->say(at, static_cast<RowIndex>(pair), RowKind::INSERT);
    }
    const bool alone = isSemi() ? matched == (spec_.type == JoinType::SEMI) : padsLeft() && !matched;
    if (alone) pairs_->say(at, JoinPairs::kNone, RowKind::INSERT);
    return pair;
  }

  Result<Progress> emitUnmatched(Output& output) {
    std::vector<std::pair<std::string_view, char*>> found;
    while (true) {
      found.clear();
      RETURN_IF_ERROR(cursor_->next(Batch::kRowsTarget, found));
      std::vector<std::string_view> rows;
      for (const auto& [key, payload] : found) {
        reinterpret_cast<JoinRows*>(payload)->forEach([&](const JoinRows::Record& record) {
          if (record.matches == 0) rows.push_back(record.bytes());
        });
      }
      const bool last = found.empty();
      if (last) rows.assign(unmatched_nulls_.begin(), unmatched_nulls_.end());
      if (!rows.empty()) {
        std::vector<VectorPtr> columns;
        for (const DataType& type : probe_.codec().types()) columns.push_back(Vector::nulls(type.asNullable(), rows.size()));
        for (auto& column : build_.codec().decodeAll(rows)) columns.push_back(std::move(column));
        RETURN_IF_ERROR(output.emit(Batch(rows.size(), std::move(columns))));
      }
      if (last) break;
      if (output.isFull()) return Progress::MORE;
    }
    cursor_.reset();
    return Progress::DONE;
  }

  JoinSpec spec_;
  JoinSide probe_;
  JoinSide build_;
  std::unique_ptr<JoinPairs> pairs_;
  EvalContext* eval_ = nullptr;
  KeyedTable* table_ = nullptr;
  bool built_ = false;
  std::vector<Batch> early_;        // left rows that came before the right side ended
  std::vector<Batch> pieces_;       // left rows being probed
  size_t piece_ = 0;
  size_t row_ = 0;
  std::vector<char*> entries_;
  std::vector<RowIndex> kept_;
  std::vector<JoinRows::Record*> records_;   // of the pairs
  std::vector<std::string> unmatched_nulls_;
  std::unique_ptr<KeyedTable::Cursor> cursor_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeBatchJoin(const JoinSpec& spec, const PlanNode& node) {
  ASSIGN_OR_RETURN(auto pairs, JoinPairs::make(spec, node, 0));
  return std::unique_ptr<Operator>(std::make_unique<BatchJoinOperator>(spec, node, std::move(pairs)));
}

}  // namespace thalweg::worker
