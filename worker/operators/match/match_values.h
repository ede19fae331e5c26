// MatchValues: expressions over rows of matches, evaluated for many matches at once.
//
// add() copies the rows that the values need; evaluate() decodes them together. One for each condition that looks back,
// one for the measures. Threads: as the operator.
#pragma once

#include <memory>
#include <vector>

#include "common/expr/evaluator.h"
#include "common/plan/operator_spec.h"
#include "worker/operators/aggregate/aggregate_set.h"
#include "worker/operators/match/match_partition.h"
#include "worker/operators/row_images.h"

namespace thalweg::worker {

class MatchValues {
 public:
  static Result<std::unique_ptr<MatchValues>> make(std::vector<BoundExprPtr> expressions, std::vector<MatchValue> values,
                                                   const std::vector<DataType>& row_types, bool batch_mode);

  /// Notes a match, or a part of one: its rows begin at `first_row`, `counts` of them per variable.
  Status add(const MatchPartition& partition, int64_t first_row, const MatchCounts& counts);
  size_t size() const { return added_; }
  /// One column per expression, a row for each match noted; forgets them.
  Result<std::vector<VectorPtr>> evaluate(EvalContext& context);

 private:
  struct Source {
    MatchValue value;
    std::vector<RowIndex> picked;                // FIRST, LAST: number of the row's image, per match
    std::shared_ptr<AggregateSet> aggregate;     // AGGREGATE
    RowImages rows;                              //   rows to fold …
    std::vector<RowIndex> owners;                //   … and the match that each belongs to
  };
  explicit MatchValues(const std::vector<DataType>& row_types);
  void pick(Source& source, const MatchPartition& partition, int64_t first, uint32_t count);
  Result<VectorPtr> columnOf(Source& source, const std::vector<VectorPtr>& picked) const;
  Result<VectorPtr> aggregated(Source& source) const;
  void clear();

  RowCodec codec_;
  std::string empty_row_;                        // all columns NULL
  std::vector<Source> sources_;
  std::unique_ptr<ExprProgram> program_;
  RowImages images_;
  size_t added_ = 0;
};

}  // namespace thalweg::worker
