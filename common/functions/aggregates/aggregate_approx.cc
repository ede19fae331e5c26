// APPROX_COUNT_DISTINCT: HyperLogLog over key hashes; never takes anything back, so changelogs are refused.
#include "common/columnar/key_codec.h"
#include "common/functions/aggregates/aggregate_object.h"
#include "common/functions/aggregates/hyper_log_log.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {
namespace {

class ApproximateCount final : public ObjectAggregate<ApproximateCount, HyperLogLog> {
 public:
  ApproximateCount(const DataType& argument, DataType result_type)
      : result_type_(std::move(result_type)), encoder_({0}, {argument}) {}

  void bind(const AggregateInput& input) { keys_ = &encoder_.encode(Batch(input.rows(), {input.arguments[0]})); }

  Status fold(HyperLogLog& group, size_t row, bool retract) {
    CHECK(!retract);
    if (!encoder_.hasNull(row)) group.add(keys_->hashes[row]);
    return {};
  }

  class Results {
   public:
    Results(const DataType& type, size_t rows) : builder_(type, rows) {}
    Status append(const HyperLogLog* group) {
      builder_.set(row_++, group ? group->estimate() : 0);
      return {};
    }
    VectorPtr finish() { return builder_.finish(); }

   private:
    FlatBuilder<int64_t> builder_;
    size_t row_ = 0;
  };
  Results results(size_t rows) const { return Results(result_type_, rows); }

  Status mergeObjects(HyperLogLog& into, const HyperLogLog& from) {
    into.mergeFrom(from);
    return {};
  }
  void save(const HyperLogLog& group, StateWriter& out) const { group.save(out); }
  bool load(StateReader& in, HyperLogLog& group) const { return group.load(in); }

 private:
  DataType result_type_;
  KeyEncoder encoder_;
  const KeyBatch* keys_ = nullptr;
};

}  // namespace

void addApproximateAggregates(AggregateList& list) {
  list.push_back({
      .name = "APPROX_COUNT_DISTINCT",
      .signature = "APPROX_COUNT_DISTINCT(value)",
      .description = "Roughly how many distinct values there are (within 1 %), in bounded memory; NULL is not counted.",
      .example = "APPROX_COUNT_DISTINCT(user_id)",
      .min_arguments = 1,
      .max_arguments = 1,
      .resolve = signature({param::anything("value")}, returnsNotNull(DataType::bigint())),
      .make = [](const AggregateCall& call) -> Result<std::unique_ptr<AggregateKernel>> {
        if (call.needs_retraction) {
          return Status::notSupported("APPROX_COUNT_DISTINCT cannot take values back: use COUNT(DISTINCT …) over a changelog");
        }
        return std::make_unique<ApproximateCount>(call.arguments[0].type, call.result_type);
      },
      .never_null = true,
  });
}

}  // namespace thalweg
