// BatchCoalescer: joins small batches of one edge into larger ones, without copying large ones.
//
// Batches go in in order and come out in order, with the same rows and marks at the same places (of marks without a
// row between them the last, and the end of time besides). A batch of an eighth of `rows_max` or more comes out as it is, but takes the bare
// watermarks behind it along; smaller neighbours are copied together up to `rows_max`.
// Threads: one owner.
#pragma once

#include <vector>

#include "common/columnar/batch.h"

namespace thalweg::worker {

class BatchCoalescer {
 public:
  explicit BatchCoalescer(size_t rows_max) : rows_max_(rows_max) {}

  void add(Batch batch);
  bool empty() const { return batches_.empty(); }
  size_t rows() const { return rows_; }
  /// Whether a further batch of `rows` rows would be joined to what is here.
  bool joins(size_t rows) const;
  /// Everything, as one batch or several.
  std::vector<Batch> take();

 private:
  bool isSmall(size_t rows) const { return rows * 8 < rows_max_; }
  static Batch join(std::vector<Batch>& group);

  size_t rows_max_;
  size_t rows_ = 0;
  std::vector<Batch> batches_;
};

}  // namespace thalweg::worker
