#include "worker/operators/rank/rank_batch.h"

#include "worker/operators/held_rows.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

class BatchRankOperator : public PieceOperator {
 public:
  BatchRankOperator(RankSpec spec, std::vector<DataType> types)
      : spec_(std::move(spec)), held_(spec_.partition_keys, spec_.order_by, std::move(types)) {}

  Status open(OperatorContext&) override { return {}; }
  Result<Progress> processRows(int, const Batch& piece, Output&) override {
    held_.add(piece);
    return Progress::DONE;
  }

  Result<Progress> finish(Output& output) override {
    held_.sort();
    return send(output);
  }
  Result<Progress> resumeWork(Output& output) override { return send(output); }

 private:
  Result<Progress> send(Output& output) {
    while (next_ < held_.size()) {
      rows_.clear();
      ranks_.clear();
      while (next_ < held_.size() && rows_.size() < Batch::kRowsTarget) takeRow(next_++);
      if (rows_.empty()) continue;
      RETURN_IF_ERROR(output.emit(gatherRows()));
      if (next_ < held_.size() && output.isFull()) return Progress::MORE;
    }
    return Progress::DONE;
  }

  void takeRow(size_t i) {
    if (held_.startsPartition(i)) number_ = rank_ = dense_rank_ = 0;
    ++number_;
    if (held_.startsPeers(i)) {
      rank_ = number_;
      ++dense_rank_;
    }
    const int64_t rank = spec_.kind == RankKind::ROW_NUMBER ? number_ : spec_.kind == RankKind::RANK ? rank_ : dense_rank_;
    const RowIndex row = held_.order()[i];
    if (rank < spec_.start || rank > endOf(row)) return;
    rows_.push_back(row);
    ranks_.push_back(rank);
  }

  int64_t endOf(RowIndex row) const {
    if (spec_.end_column < 0) return spec_.end;
    const Value end = held_.batch().column(static_cast<size_t>(spec_.end_column))->valueAt(row);
    return end.isNull() ? 0 : end.asInt();
  }

  Batch gatherRows() const {
    std::vector<VectorPtr> columns;
    for (const VectorPtr& column : held_.batch().columns()) columns.push_back(gather(*column, rows_));
    if (spec_.output_rank) {
      FlatBuilder<int64_t> ranks(DataType::bigint(false), ranks_.size());
      for (size_t i = 0; i < ranks_.size(); ++i) ranks.set(i, ranks_[i]);
      columns.push_back(ranks.finish());
    }
    return Batch(rows_.size(), std::move(columns));
  }

  RankSpec spec_;
  HeldRows held_;
  size_t next_ = 0;                                    // position of the next row to number
  int64_t number_ = 0, rank_ = 0, dense_rank_ = 0;     // of the row before
  std::vector<RowIndex> rows_;                         // chosen for the batch being made
  std::vector<int64_t> ranks_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeBatchRank(const RankSpec& spec, const PlanNode& node) {
  return std::unique_ptr<Operator>(std::make_unique<BatchRankOperator>(spec, inputTypes(node)));
}

}  // namespace thalweg::worker
