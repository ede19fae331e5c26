// ChangelogRows: assembles a changelog batch from old and new images of rows, column at a time.
//
// An operator that computed, for a run of rows, the columns before and after each row notes which messages to send,
// in order; take() gathers them into one batch. Images are numbered: old image of row i, new image of row i.
#pragma once

#include <span>
#include <vector>

#include "common/columnar/batch.h"

namespace thalweg::worker {

class ChangelogRows {
 public:
  void clear() {
    rows_.clear();
    kinds_.clear();
  }
  void addOld(size_t row, RowKind kind) { add(row * 2, kind); }
  void addNew(size_t row, RowKind kind) { add(row * 2 + 1, kind); }
  size_t size() const { return rows_.size(); }

  /// One batch of the noted messages. `common` columns are the same in both images; `before[k]` and `after[k]` are the
  /// two images of a column. All have the run's rows.
  Batch take(std::span<const VectorPtr> common, std::span<const VectorPtr> before, std::span<const VectorPtr> after) const;

 private:
  void add(size_t image, RowKind kind) {
    rows_.push_back(static_cast<RowIndex>(image));
    kinds_.push_back(kind);
  }
  std::vector<RowIndex> rows_;   // image number: 2 * row (old), 2 * row + 1 (new)
  std::vector<RowKind> kinds_;
};

/// unequal[i] |= whether row i differs between the two columns (NULL equals NULL, NaN equals NaN).
void markUnequal(const Vector& a, const Vector& b, std::span<uint8_t> unequal);

}  // namespace thalweg::worker
