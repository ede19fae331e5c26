// SortedMerge: sorted files of batches, read as one.
//
// Rows that are equal by the keys come in the order of their files. One batch of each file is in memory.
// Threads: as the operator. Errors: those of the files.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "common/columnar/key_codec.h"
#include "common/runtime_api/spill_space.h"

namespace thalweg::worker {

class SortedMerge {
 public:
  SortedMerge(std::vector<std::unique_ptr<SpillFile>> runs, const std::vector<SortKey>& keys, const std::vector<DataType>& types);

  /// The next rows, up to so many, flat; none: the end.
  Result<Batch> next(size_t rows_max);

 private:
  static constexpr size_t kNoPart = SIZE_MAX;

  /// Where a file stands.
  struct Cursor {
    std::unique_ptr<SpillFile> file;
    size_t next_batch = 0;
    SortKeyEncoder encoder;
    Batch batch = {};
    std::span<const std::string_view> keys = {};     // of batch
    size_t row = 0;
    size_t part = kNoPart;                           // of the rows being picked, if any came from batch
  };
  /// Rows [begin, end) of a batch, of those being picked.
  struct Part {
    Batch batch;
    size_t begin = 0;
    size_t end = 0;
  };
  struct Pick {
    size_t part;
    size_t row;                                      // of the part's batch
  };

  Status begin();
  /// Gives the cursor its next batch if it has none; false: its file is at its end.
  Result<bool> fill(Cursor& cursor);
  bool standsBehind(size_t a, size_t b) const;
  Batch gatherPicks() const;

  std::vector<Cursor> cursors_;
  std::vector<size_t> heap_;                         // of cursors, the next one first
  bool begun_ = false;
  std::vector<Part> parts_;
  std::vector<Pick> picks_;
};

}  // namespace thalweg::worker
