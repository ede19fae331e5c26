#include "worker/operators/over/over_ranking.h"

namespace thalweg::worker {
namespace {

/// Number of the bucket of row `at` (from 0) of `rows`: the first buckets get one row more where they do not come out even.
int64_t bucketOf(int64_t at, int64_t rows, int64_t buckets) {
  const int64_t small = rows / buckets;
  const int64_t large = rows % buckets;             // buckets of small + 1 rows
  const int64_t in_large = large * (small + 1);
  if (at < in_large) return at / (small + 1) + 1;
  return large + (at - in_large) / small + 1;
}

VectorPtr numbers(const OverCalls::Call& call, const OverRanges& ranges, size_t rows) {
  FlatBuilder<int64_t> out(call.spec.result_type, rows);
  int64_t dense = 0;
  for (size_t i = 0; i < rows; ++i) {
    const OverFrame& partition = ranges.partitions[i];
    if (i == partition.begin) dense = 0;
    if (i == ranges.peers[i].begin) ++dense;
    const auto at = static_cast<int64_t>(i - partition.begin);
    int64_t value = at + 1;
    if (call.function == OverFunction::RANK) value = static_cast<int64_t>(ranges.peers[i].begin - partition.begin) + 1;
    if (call.function == OverFunction::DENSE_RANK) value = dense;
    if (call.function == OverFunction::NTILE) value = bucketOf(at, static_cast<int64_t>(partition.end - partition.begin), call.distance());
    out.set(i, value);
  }
  return out.finish();
}

VectorPtr shares(const OverCalls::Call& call, const OverRanges& ranges, size_t rows) {
  FlatBuilder<double> out(call.spec.result_type, rows);
  for (size_t i = 0; i < rows; ++i) {
    const OverFrame& partition = ranges.partitions[i];
    const auto count = static_cast<double>(partition.end - partition.begin);
    double value = 0;
    if (call.function == OverFunction::CUME_DIST) {
      // Up to the row itself, not to the last of its peers: Flink's answer.
      value = static_cast<double>(i + 1 - partition.begin) / count;
    } else if (count > 1) {
      value = static_cast<double>(ranges.peers[i].begin - partition.begin) / (count - 1);
    }
    out.set(i, value);
  }
  return out.finish();
}

VectorPtr shifted(const OverCalls::Call& call, const Batch& rows, const OverRanges& ranges) {
  const int64_t distance = call.function == OverFunction::LAG ? -call.distance() : call.distance();
  std::vector<RowIndex> own(rows.rows());
  std::vector<RowIndex> targets(rows.rows());
  for (size_t i = 0; i < rows.rows(); ++i) {
    const OverFrame& partition = ranges.partitions[i];
    const int64_t target = static_cast<int64_t>(i) + distance;
    const bool inside = target >= static_cast<int64_t>(partition.begin) && target < static_cast<int64_t>(partition.end);
    own[i] = static_cast<RowIndex>(i);
    targets[i] = inside ? static_cast<RowIndex>(target) : kOutside;
  }
  return shiftedValues(call, rows, own, targets);
}

}  // namespace

VectorPtr rankingColumn(const OverCalls::Call& call, const Batch& rows, const OverRanges& ranges) {
  switch (call.function) {
    case OverFunction::LAG:
    case OverFunction::LEAD: return shifted(call, rows, ranges);
    case OverFunction::PERCENT_RANK:
    case OverFunction::CUME_DIST: return shares(call, ranges, rows.rows());
    default: return numbers(call, ranges, rows.rows());
  }
}

}  // namespace thalweg::worker
