#include "worker/operators/join/lookup_table.h"

#include <bit>

namespace thalweg::worker {

void LookupTable::index(JoinSide& side) {
  if (parts_.empty()) return;
  rows_ = concatBatches(parts_);
  parts_ = {rows_};
  const size_t rows = rows_.rows();
  const KeyBatch& keys = side.encodeKeys(rows_);
  hashes_ = keys.hashes;
  if (keys.fixed) words_ = keys.words;
  else bytes_.assign(keys.bytes.begin(), keys.bytes.end());
  mask_ = std::bit_ceil(rows * 2) - 1;
  heads_.assign(mask_ + 1, JoinPairs::kNone);
  next_.assign(rows, JoinPairs::kNone);
  for (size_t row = rows; row-- > 0;) {            // backwards, so that chains begin with the first row
    if (side.nullKey(row)) continue;
    RowIndex& head = heads_[hashes_[row] & mask_];
    next_[row] = head;
    head = static_cast<RowIndex>(row);
  }
}

}  // namespace thalweg::worker
