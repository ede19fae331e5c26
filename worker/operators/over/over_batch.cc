// Batch OVER. Rows go out in sort order, chunk by chunk; a chunk is some whole partitions, or, where results only look back
// (over_running.h), any piece of them.
//
// Otherwise aggregates come to their results in one of three ways:
//   growing     frames begin with the partition: one pass in order, a row's result is the one after its frame's last row
//   shrinking   frames end with the partition and order does not matter to the function: the same backwards
//   else        every frame is folded on its own, many frames in one update

#include "worker/operators/over/over_batch.h"

#include <algorithm>
#include <cstring>

#include "worker/operators/held_rows.h"
#include "worker/operators/operator_registry.h"
#include "worker/operators/over/over_calls.h"
#include "worker/operators/over/over_frames.h"
#include "worker/operators/over/over_ranking.h"
#include "worker/operators/over/over_running.h"

namespace thalweg::worker {
namespace {

/// Fresh accumulators for a number of groups.
class EntryBlock {
 public:
  EntryBlock(const AggregateSet& set, size_t count) : set_(set), bytes_(std::make_unique<char[]>(set.entryBytes() * count + 1)), count_(count) {
    for (size_t i = 0; i < count; ++i) set_.init(at(i));
  }
  ~EntryBlock() {
    for (size_t i = 0; i < count_; ++i) set_.destroy(at(i));
  }
  EntryBlock(const EntryBlock&) = delete;
  EntryBlock& operator=(const EntryBlock&) = delete;
  char* at(size_t i) const { return bytes_.get() + i * set_.entryBytes(); }
  size_t size() const { return count_; }

 private:
  const AggregateSet& set_;
  std::unique_ptr<char[]> bytes_;
  size_t count_;
};

class BatchOverOperator : public PieceOperator {
 public:
  BatchOverOperator(OverAggregateSpec spec, OverCalls calls, const std::vector<DataType>& types)
      : spec_(std::move(spec)), calls_(std::move(calls)), held_(spec_.partition_keys, spec_.order_by, types) {
    for (const auto& call : calls_.calls) order_matters_ = order_matters_ || call.order_sensitive;
    if (RunningOver::fits(spec_, calls_)) running_ = std::make_unique<RunningOver>(calls_);
  }

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
    while (running_) {
      ASSIGN_OR_RETURN(const bool more, held_.next(HeldRows::Cut::ANYWHERE));
      if (!more) return Progress::DONE;
      ASSIGN_OR_RETURN(Batch result, running_->apply(held_));
      RETURN_IF_ERROR(output.emit(std::move(result)));
      if (output.isFull()) return Progress::MORE;
    }
    while (true) {
      ASSIGN_OR_RETURN(const bool more, held_.next(HeldRows::Cut::PARTITIONS));
      if (!more) return Progress::DONE;
      ranges_ = rangesOf(held_);
      frames_ = framesOf(spec_, held_, ranges_);
      RETURN_IF_ERROR(sendChunk(output));
      if (output.isFull()) return Progress::MORE;
    }
  }

  Status sendChunk(Output& output) {
    const Batch& rows = held_.rows();
    std::vector<VectorPtr> aggregates;
    if (calls_.aggregates->size() > 0) RETURN_IF_ERROR(aggregate(rows, aggregates));
    std::vector<VectorPtr> columns = rows.columns();
    for (const OverCalls::Call& call : calls_.calls) {
      if (call.function == OverFunction::AGGREGATE) columns.push_back(aggregates[call.aggregate]);
      else columns.push_back(rankingColumn(call, rows, ranges_));
    }
    // A partition may be much larger than a batch.
    const Batch result(rows.rows(), std::move(columns));
    for (size_t at = 0; at < result.rows(); at += Batch::kRowsTarget) {
      RETURN_IF_ERROR(output.emit(result.slice(at, std::min(Batch::kRowsTarget, result.rows() - at))));
    }
    return {};
  }

  Status aggregate(const Batch& rows, std::vector<VectorPtr>& results) {
    if (!spec_.preceding) return aggregateGrowing(rows, results);
    if (!spec_.following && !order_matters_) return aggregateShrinking(rows, results);
    return aggregateFrames(rows, results);
  }

  /// One entry per partition of the chunk, and one more that stays fresh.
  struct PartitionEntries {
    std::unique_ptr<EntryBlock> block;
    std::vector<char*> of_row;
  };
  PartitionEntries partitionEntries() {
    const size_t rows = held_.size();
    size_t partitions = 0;
    for (size_t i = 0; i < rows; ++i) partitions += held_.startsPartition(i) ? 1 : 0;
    PartitionEntries entries{std::make_unique<EntryBlock>(*calls_.aggregates, partitions + 1), {}};
    size_t partition = 0;
    for (size_t i = 0; i < rows; ++i) {
      partition += held_.startsPartition(i) ? 1 : 0;
      entries.of_row.push_back(entries.block->at(partition));
    }
    return entries;
  }

  Status aggregateGrowing(const Batch& rows, std::vector<VectorPtr>& results) {
    const PartitionEntries entries = partitionEntries();
    std::vector<VectorPtr> before;
    std::vector<VectorPtr> after;
    RETURN_IF_ERROR(calls_.aggregates->trace(rows, entries.of_row, nullptr, nullptr, before, after));
    std::vector<RowIndex> picks;
    for (size_t i = 0; i < rows.rows(); ++i) {
      const OverFrame& frame = frames_[i];
      picks.push_back(static_cast<RowIndex>(frame.end > frame.begin ? frame.end - 1 : rows.rows()));
    }
    return pick(after, entries, picks, results);
  }

  Status aggregateShrinking(const Batch& rows, std::vector<VectorPtr>& results) {
    PartitionEntries entries = partitionEntries();
    std::reverse(entries.of_row.begin(), entries.of_row.end());
    std::vector<RowIndex> backwards(rows.rows());
    for (size_t i = 0; i < rows.rows(); ++i) backwards[i] = static_cast<RowIndex>(rows.rows() - 1 - i);
    std::vector<VectorPtr> columns;
    for (const VectorPtr& column : rows.columns()) columns.push_back(gather(*column, backwards));
    std::vector<VectorPtr> before;
    std::vector<VectorPtr> after;
    RETURN_IF_ERROR(calls_.aggregates->trace(Batch(rows.rows(), std::move(columns)), entries.of_row, nullptr, nullptr, before, after));
    std::vector<RowIndex> picks;
    for (size_t i = 0; i < rows.rows(); ++i) {
      const OverFrame& frame = frames_[i];
      picks.push_back(static_cast<RowIndex>(frame.end > frame.begin ? rows.rows() - 1 - frame.begin : rows.rows()));
    }
    return pick(after, entries, picks, results);
  }

  /// results = rows `picks` of the results `after`, behind which stands the result of no rows.
  Status pick(const std::vector<VectorPtr>& after, const PartitionEntries& entries, const std::vector<RowIndex>& picks, std::vector<VectorPtr>& results) {
    const char* const fresh[] = {entries.block->at(0)};
    std::vector<VectorPtr> of_none;
    RETURN_IF_ERROR(calls_.aggregates->finalize(fresh, of_none));
    for (size_t k = 0; k < after.size(); ++k) {
      const VectorPtr parts[] = {after[k], of_none[k]};
      results.push_back(gather(*concat(after[k]->type(), parts), picks));
    }
    return {};
  }

  Status aggregateFrames(const Batch& rows, std::vector<VectorPtr>& results) {
    std::vector<std::vector<VectorPtr>> parts(calls_.aggregates->size());
    for (size_t at = 0; at < rows.rows();) {
      size_t end = at;
      size_t folded = 0;
      while (end < rows.rows() && (end == at || folded < kFoldedRowsMax)) {
        folded += frames_[end].end - frames_[end].begin;
        ++end;
      }
      std::vector<VectorPtr> part;
      RETURN_IF_ERROR(foldFrames(rows, at, end, part));
      for (size_t k = 0; k < part.size(); ++k) parts[k].push_back(std::move(part[k]));
      at = end;
    }
    for (const auto& part : parts) results.push_back(part.size() == 1 ? part[0] : concat(part[0]->type(), part));
    return {};
  }

  /// Folds the frames of rows [at, end) of the chunk, each into accumulators of its own.
  Status foldFrames(const Batch& rows, size_t at, size_t end, std::vector<VectorPtr>& results) {
    const EntryBlock block(*calls_.aggregates, end - at);
    std::vector<RowIndex> folded;
    std::vector<char*> entries;
    std::vector<const char*> groups;
    for (size_t i = at; i < end; ++i) {
      char* entry = block.at(i - at);
      groups.push_back(entry);
      for (size_t row = frames_[i].begin; row < frames_[i].end; ++row) {
        folded.push_back(static_cast<RowIndex>(row));
        entries.push_back(entry);
      }
    }
    if (!folded.empty()) {
      auto indices = Buffer::allocate(folded.size() * sizeof(RowIndex));
      std::memcpy(indices->mutableData(), folded.data(), folded.size() * sizeof(RowIndex));
      std::vector<VectorPtr> columns;
      for (const VectorPtr& column : rows.columns()) columns.push_back(Vector::dictionary(column, indices, folded.size()));
      RETURN_IF_ERROR(calls_.aggregates->update(Batch(folded.size(), std::move(columns)), entries, nullptr, nullptr));
    }
    return calls_.aggregates->finalize(groups, results);
  }

  static constexpr size_t kFoldedRowsMax = size_t{1} << 16;

  OverAggregateSpec spec_;
  OverCalls calls_;
  HeldRows held_;
  std::unique_ptr<RunningOver> running_;           // null: partitions are worked on as a whole
  bool order_matters_ = false;
  OverRanges ranges_;
  std::vector<OverFrame> frames_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeBatchOver(const OverAggregateSpec& spec, const PlanNode& node) {
  ASSIGN_OR_RETURN(OverCalls calls, OverCalls::make(spec, false, true));
  return std::unique_ptr<Operator>(std::make_unique<BatchOverOperator>(spec, std::move(calls), inputTypes(node)));
}

}  // namespace thalweg::worker
