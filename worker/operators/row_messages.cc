#include "worker/operators/row_messages.h"

namespace thalweg::worker {

Batch RowMessages::take(bool numbered) {
  rows_.clear();
  size_t begin = 0;
  for (const size_t end : ends_) {
    rows_.push_back(std::string_view(arena_).substr(begin, end - begin));
    begin = end;
  }
  std::vector<VectorPtr> columns = codec_.decodeAll(rows_);
  if (numbered) {
    FlatBuilder<int64_t> numbers(DataType::bigint(false), numbers_.size());
    for (size_t i = 0; i < numbers_.size(); ++i) numbers.set(i, numbers_[i]);
    columns.push_back(numbers.finish());
  }
  Batch batch = Batch(kinds_.size(), std::move(columns)).withRowKinds(makeRowKinds(kinds_));
  arena_.clear();
  ends_.clear();
  kinds_.clear();
  numbers_.clear();
  return batch;
}

}  // namespace thalweg::worker
