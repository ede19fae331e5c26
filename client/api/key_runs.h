// KeyRuns: the rows of keyed inputs in batch mode, handed out one key after the other.
//
// Keys come in the order in which Flink's batch mode sorts them: by their serialized bytes, so that shorter text comes
// before longer. Within a key rows are in the order of their timestamps, then the second input's first
// (as Flink does), then as they came.
// Threads: one owner. Keeps all rows in memory.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/columnar/batch.h"

namespace thalweg::api {

class KeyRuns {
 public:
  explicit KeyRuns(size_t inputs) : batches_(inputs) {}

  /// Marks are dropped: in batch mode time stands still until the end.
  void add(size_t input, const Batch& batch);
  /// For each key: `on_records(input, rows)` any number of times, then `on_end(input, rows)` with rows of that key.
  /// `columns`: per input those of the key.
  void forEachRun(const std::vector<std::vector<int>>& columns, const std::function<void(size_t input, const Batch& rows)>& on_records,
                  const std::function<void(size_t input, const Batch& rows)>& on_end);

 private:
  std::vector<std::vector<Batch>> batches_;      // by input
};

}  // namespace thalweg::api
