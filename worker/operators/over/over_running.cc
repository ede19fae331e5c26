#include "worker/operators/over/over_running.h"

#include <algorithm>

#include "common/columnar/builder.h"

namespace thalweg::worker {
namespace {

int64_t numberOf(const RowPlace& place, OverFunction function) {
  return function == OverFunction::RANK ? place.rank : function == OverFunction::DENSE_RANK ? place.dense_rank : place.number;
}

}  // namespace

bool RunningOver::fits(const OverAggregateSpec& spec, const OverCalls& calls) {
  const bool looks_back = spec.rows_frame && !spec.preceding && spec.following == int64_t{0};
  return std::all_of(calls.calls.begin(), calls.calls.end(), [&](const OverCalls::Call& call) {
    switch (call.function) {
      case OverFunction::AGGREGATE: return looks_back;
      case OverFunction::ROW_NUMBER:
      case OverFunction::RANK:
      case OverFunction::DENSE_RANK: return true;
      default: return false;
    }
  });
}

Result<Batch> RunningOver::apply(const HeldRows& chunk) {
  std::vector<VectorPtr> results;
  if (calls_.aggregates->size() > 0) RETURN_IF_ERROR(aggregate(chunk, results));
  std::vector<VectorPtr> columns = chunk.rows().columns();
  const RowPlace before = place_;
  for (const OverCalls::Call& call : calls_.calls) {
    if (call.function == OverFunction::AGGREGATE) {
      columns.push_back(results[call.aggregate]);
      continue;
    }
    place_ = before;
    FlatBuilder<int64_t> numbers(call.spec.result_type, chunk.size());
    for (size_t row = 0; row < chunk.size(); ++row) {
      place_.move(chunk, row);
      numbers.set(row, numberOf(place_, call.function));
    }
    columns.push_back(numbers.finish());
  }
  return Batch(chunk.size(), std::move(columns));
}

Status RunningOver::aggregate(const HeldRows& chunk, std::vector<VectorPtr>& results) {
  AggregateSet& set = *calls_.aggregates;
  std::vector<char*> of_row;
  for (size_t row = 0; row < chunk.size(); ++row) {
    if (entries_.empty() || chunk.startsPartition(row)) {
      entries_.push_back(std::make_unique<char[]>(set.entryBytes() + 1));
      set.init(entries_.back().get());
    }
    of_row.push_back(entries_.back().get());
  }
  std::vector<VectorPtr> before;
  const Status status = set.trace(chunk.rows(), of_row, nullptr, nullptr, before, results);
  std::unique_ptr<char[]> last = std::move(entries_.back());
  entries_.pop_back();
  dropEntries();
  entries_.push_back(std::move(last));
  return status;
}

void RunningOver::dropEntries() {
  for (const auto& entry : entries_) calls_.aggregates->destroy(entry.get());
  entries_.clear();
}

}  // namespace thalweg::worker
