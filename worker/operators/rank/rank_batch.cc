#include "worker/operators/rank/rank_batch.h"

#include "worker/operators/operator_registry.h"
#include "worker/operators/row_place.h"

namespace thalweg::worker {
namespace {

class BatchRankOperator : public PieceOperator {
 public:
  BatchRankOperator(RankSpec spec, const std::vector<DataType>& types)
      : spec_(std::move(spec)), held_(spec_.partition_keys, spec_.order_by, types) {}

  Status open(OperatorContext& context) override {
    held_.open(context);
    return {};
  }
  Result<Progress> processRows(int, const Batch& piece, Output&) override {
    RETURN_IF_ERROR(held_.add(piece));
    return Progress::DONE;
  }

  Result<Progress> finish(Output& output) override {
    RETURN_IF_ERROR(held_.finish());
    return send(output);
  }
  Result<Progress> resumeWork(Output& output) override { return send(output); }

 private:
  Result<Progress> send(Output& output) {
    while (true) {
      ASSIGN_OR_RETURN(const bool more, held_.next(HeldRows::Cut::ANYWHERE));
      if (!more) return Progress::DONE;
      rows_.clear();
      ranks_.clear();
      for (size_t i = 0; i < held_.size(); ++i) takeRow(i);
      if (rows_.empty()) continue;
      RETURN_IF_ERROR(output.emit(chosenRows()));
      if (output.isFull()) return Progress::MORE;
    }
  }

  void takeRow(size_t i) {
    place_.move(held_, i);
    const int64_t rank = spec_.kind == RankKind::ROW_NUMBER ? place_.number : spec_.kind == RankKind::RANK ? place_.rank : place_.dense_rank;
    if (rank < spec_.start || rank > endOf(i)) return;
    rows_.push_back(static_cast<RowIndex>(i));
    ranks_.push_back(rank);
  }

  int64_t endOf(size_t row) const {
    if (spec_.end_column < 0) return spec_.end;
    const Value end = held_.rows().column(static_cast<size_t>(spec_.end_column))->valueAt(row);
    return end.isNull() ? 0 : end.asInt();
  }

  Batch chosenRows() const {
    const Batch chosen = held_.rows().select(rows_);
    if (!spec_.output_rank) return chosen;
    std::vector<VectorPtr> columns = chosen.columns();
    FlatBuilder<int64_t> ranks(DataType::bigint(false), ranks_.size());
    for (size_t i = 0; i < ranks_.size(); ++i) ranks.set(i, ranks_[i]);
    columns.push_back(ranks.finish());
    return Batch(rows_.size(), std::move(columns));
  }

  RankSpec spec_;
  HeldRows held_;
  RowPlace place_;
  std::vector<RowIndex> rows_;                         // chosen, of the present chunk
  std::vector<int64_t> ranks_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeBatchRank(const RankSpec& spec, const PlanNode& node) {
  return std::unique_ptr<Operator>(std::make_unique<BatchRankOperator>(spec, inputTypes(node)));
}

}  // namespace thalweg::worker
