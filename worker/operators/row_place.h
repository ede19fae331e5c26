// RowPlace: the numbers of a row in its partition, while sorted rows pass by. Threads: as the operator.
#pragma once

#include "worker/operators/held_rows.h"

namespace thalweg::worker {

/// As of the row before, until move() is called.
struct RowPlace {
  int64_t number = 0;
  int64_t rank = 0;
  int64_t dense_rank = 0;

  /// To `row` of the chunk, the next one.
  void move(const HeldRows& chunk, size_t row) {
    if (chunk.startsPartition(row)) *this = RowPlace();
    ++number;
    if (!chunk.startsPeers(row)) return;
    rank = number;
    ++dense_rank;
  }
};

}  // namespace thalweg::worker
