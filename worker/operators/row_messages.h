// RowMessages: changelog rows that an operator sends from stored rows, noted one by one as encoded rows.
//
// The bytes are copied, so rows may leave the state between add() and take(). A row may carry a number (a rank) that
// becomes a last BIGINT column.
// Threads: as the operator.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/columnar/row_codec.h"

namespace thalweg::worker {

class RowMessages {
 public:
  explicit RowMessages(const RowCodec& codec) : codec_(codec) {}

  void add(RowKind kind, std::string_view row, int64_t number = 0) {
    arena_.append(row);
    ends_.push_back(arena_.size());
    kinds_.push_back(kind);
    numbers_.push_back(number);
  }
  size_t size() const { return kinds_.size(); }
  bool isEmpty() const { return kinds_.empty(); }
  /// Whether it is time to send: a batch is full.
  bool isFull() const { return kinds_.size() >= Batch::kRowsTarget || arena_.size() >= Batch::kBytesTarget; }
  /// All noted rows as one batch, forgetting them; `numbered` appends the numbers as BIGINT NOT NULL.
  Batch take(bool numbered = false);

 private:
  const RowCodec& codec_;
  std::string arena_;
  std::vector<size_t> ends_;
  std::vector<RowKind> kinds_;
  std::vector<int64_t> numbers_;
  std::vector<std::string_view> rows_;   // scratch
};

}  // namespace thalweg::worker
