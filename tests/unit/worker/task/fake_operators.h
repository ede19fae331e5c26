// Small operators for the tests of the harness and of the task room. Rows are (key INT, number BIGINT) unless said.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/columnar/builder.h"
#include "common/runtime_api/operator.h"

namespace thalweg::worker {

inline std::vector<DataType> pairTypes() { return {DataType::integer(false), DataType::bigint(false)}; }

/// One row of (key, number).
struct Pair {
  int32_t key;
  int64_t number;
  RowKind kind = RowKind::INSERT;
};
Batch pairBatch(const std::vector<Pair>& pairs);
std::vector<Pair> pairsOf(const Batch& batch);

/// Hands everything on.
class PassOperator : public Operator {
 public:
  Status open(OperatorContext&) override { return {}; }
  Result<Progress> process(int, const Batch& batch, Output& output) override {
    RETURN_IF_ERROR(output.emit(batch));
    return Progress::DONE;
  }
};

/// Emits for each row the sum of the numbers of its key so far: +I first, then -U and +U. Keyed state.
class SumOperator : public PieceOperator {
 public:
  Status open(OperatorContext& context) override;

 protected:
  Result<Progress> processRows(int input, const Batch& piece, Output& output) override;

 private:
  KeyedTable* sums_ = nullptr;
  std::unique_ptr<KeyEncoder> encoder_;
};

/// Collects rows and emits those whose number is at most the watermark when it comes, by number, `batch_rows` rows
/// a batch, stopping when the output is full. State of its own.
class SortByNumberOperator : public PieceOperator {
 public:
  explicit SortByNumberOperator(size_t batch_rows) : batch_rows_(batch_rows) {}
  Status open(OperatorContext& context) override;
  Status snapshot(std::string& out) override;

 protected:
  Result<Progress> processRows(int input, const Batch& piece, Output& output) override;
  Result<Progress> onWatermark(EventTime watermark, Output& output) override;
  Result<Progress> resumeWork(Output& output) override;

 private:
  size_t batch_rows_;
  EventTime firing_ = kMinWatermark;
  std::multimap<int64_t, int32_t> rows_;   // number -> key
};

}  // namespace thalweg::worker
