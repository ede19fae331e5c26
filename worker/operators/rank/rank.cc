// Rank: streaming Top-N, one partition of rows per key (rank_strategy.h says how rows answer).

#include "common/columnar/column_reader.h"
#include "worker/operators/operator_registry.h"
#include "worker/operators/rank/rank_batch.h"
#include "worker/operators/rank/rank_strategy.h"

namespace thalweg::worker {
namespace {

class RankOperator : public PieceOperator {
 public:
  RankOperator(RankSpec spec, std::vector<DataType> types)
      : spec_(std::move(spec)), codec_(types), partitions_(spec_.partition_keys, types), sort_keys_(spec_.order_by, types),
        row_keys_(spec_.upsert_key, types), strategy_(makeRankStrategy(spec_)), input_(codec_), messages_(spec_, codec_) {}

  Status open(OperatorContext& context) override {
    auto table = objectTableSpec<RankRows>("partitions", partitions_.isFixed());
    table.ttl_ms = spec_.state_ttl_ms;
    ASSIGN_OR_RETURN(table_, context.keyedState().openTable(std::move(table)));
    return {};
  }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    piece_ = piece;
    row_ = 0;
    return work(output);
  }

  Result<Progress> resumeWork(Output& output) override { return work(output); }

 private:
  /// Handles rows from row_ on, until they are done or the output is full.
  Result<Progress> work(Output& output) {
    const KeyBatch& keys = partitions_.encode(piece_);
    const auto sort_keys = sort_keys_.encode(piece_);
    const KeyBatch* row_keys = ranksByKey(spec_) ? &encodeRowKeys() : nullptr;
    entries_.resize(piece_.rows());
    RETURN_IF_ERROR(table_->upsert(0, keys, entries_, {}));
    while (row_ < piece_.rows()) {
      RankRows& rows = objectAt<RankRows>(entries_[row_]);
      RETURN_IF_ERROR(chooseEnd(rows));
      input_.set(piece_, row_, sort_keys[row_]);
      if (row_keys) setRowKey(*row_keys);
      strategy_->apply(rows, input_, messages_);
      emptied_ = emptied_ || rows.isEmpty();
      ++row_;
      if (!messages_.isFull()) continue;
      RETURN_IF_ERROR(output.emit(messages_.take()));
      if (output.isFull() && row_ < piece_.rows()) return Progress::MORE;
    }
    if (!messages_.isEmpty()) RETURN_IF_ERROR(output.emit(messages_.take()));
    if (emptied_) RETURN_IF_ERROR(eraseEmpty(keys));
    piece_ = Batch();
    return Progress::DONE;
  }

  /// A partition's N from a column is that of its first row.
  Status chooseEnd(RankRows& rows) {
    if (spec_.end_column < 0) return {};
    if (rows.own_end == 0) {
      const Value end = piece_.column(static_cast<size_t>(spec_.end_column))->valueAt(row_);
      if (end.isNull()) return Status::runtime("the number of rows that Top-N is to keep is NULL in a row");
      rows.own_end = end.asInt();
    }
    messages_.setEnd(rows.own_end);
    return {};
  }

  const KeyBatch& encodeRowKeys() { return row_keys_.encode(piece_); }
  void setRowKey(const KeyBatch& row_keys) {
    input_.row_key.assign(1, '=');
    if (row_keys.fixed) {
      char word[8];
      input_.row_key += storeKeyWord(row_keys.words[row_], word);
    } else {
      input_.row_key += row_keys.bytes[row_];
    }
  }

  Status eraseEmpty(const KeyBatch& keys) {
    emptied_ = false;
    for (size_t row = 0; row < keys.size; ++row) {
      char* entry = nullptr;
      const RowIndex one[] = {static_cast<RowIndex>(row)};
      RETURN_IF_ERROR(table_->findRows(0, keys, one, {&entry, 1}));
      if (entry != nullptr && objectAt<RankRows>(entry).isEmpty()) RETURN_IF_ERROR(table_->erase(0, keys, row));
    }
    return {};
  }

  RankSpec spec_;
  RowCodec codec_;
  KeyEncoder partitions_;
  SortKeyEncoder sort_keys_;
  KeyEncoder row_keys_;
  std::unique_ptr<RankStrategy> strategy_;
  RankInput input_;
  RankMessages messages_;
  KeyedTable* table_ = nullptr;
  Batch piece_;                    // being worked on; row_ is the next row
  size_t row_ = 0;
  std::vector<char*> entries_;     // partitions of piece_'s rows
  bool emptied_ = false;           // some partition of piece_ lost its last row, if only for a while
};

/// Nothing can come of it (LIMIT 0).
class EmptyOperator : public PieceOperator {
 public:
  Status open(OperatorContext&) override { return {}; }
  Result<Progress> processRows(int, const Batch&, Output&) override { return Progress::DONE; }
};

}  // namespace

Result<std::unique_ptr<Operator>> makeRank(const RankSpec& spec, const PlanNode& node) {
  if (spec.end_column < 0 && spec.end < spec.start) return std::unique_ptr<Operator>(std::make_unique<EmptyOperator>());
  if (spec.final_only) return makeBatchRank(spec, node);
  if (spec.kind != RankKind::ROW_NUMBER) {
    return Status::notSupported("RANK() and DENSE_RANK() in streaming mode are not supported; use ROW_NUMBER()");
  }
  return std::unique_ptr<Operator>(std::make_unique<RankOperator>(spec, inputTypes(node)));
}

}  // namespace thalweg::worker
