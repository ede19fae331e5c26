// HeldRows: the whole input of a batch operator, sorted by partition keys and then by sort keys, handed out in chunks.
//
//   held.open(context);
//   RETURN_IF_ERROR(held.add(piece));                // as often as wanted
//   RETURN_IF_ERROR(held.finish());                  // once
//   while (true) {
//     ASSIGN_OR_RETURN(const bool more, held.next(HeldRows::Cut::PARTITIONS));
//     if (!more) break;
//     … held.rows(), held.startsPartition(i) …        // of the chunk
//   }
//
// Equal rows keep the order of arrival. Where memory is short, rows wait in files (ExternalSorter); a chunk is in memory.
// Threads: as the operator.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "worker/operators/sort/external_sorter.h"

namespace thalweg::worker {

class HeldRows {
 public:
  /// `partition_keys` may be empty (one partition), and so may `sort_keys` (order of arrival).
  HeldRows(const std::vector<int>& partition_keys, const std::vector<SortKey>& sort_keys, const std::vector<DataType>& types);

  void open(OperatorContext& context) { sorter_.open(context); }
  Status add(const Batch& piece) { return sorter_.add(piece); }
  Status finish() { return sorter_.finish(); }

  enum class Cut : uint8_t {
    ANYWHERE,      ///< about Batch::kRowsTarget rows
    PARTITIONS,    ///< whole partitions, of about so many rows or as large as the one partition is
  };
  /// Goes on to the next chunk; false: there is none.
  Result<bool> next(Cut cut);

  size_t size() const { return rows_.rows(); }
  /// The rows of the chunk, flat.
  const Batch& rows() const { return rows_; }
  /// Whether row i begins a partition.
  bool startsPartition(size_t i) const { return !same_partition_[i]; }
  /// Whether row i has other sort keys than the one before, or begins a partition.
  bool startsPeers(size_t i) const { return !same_keys_[i]; }

 private:
  Result<bool> takeBatch();
  Result<bool> takePartitions();
  /// The last row of `batch` that begins another partition than that of the row before it, at first `before`, which becomes
  /// that of the batch's last row.
  std::optional<size_t> lastBoundary(const Batch& batch, std::optional<std::string>& before);
  void compareRows();

  ExternalSorter sorter_;
  SortKeyEncoder partitions_;
  SortKeyEncoder sort_keys_;
  Batch rows_;
  std::vector<uint8_t> same_partition_;   // as the row before, which may be of the chunk before
  std::vector<uint8_t> same_keys_;
  bool begun_ = false;
  std::string last_partition_;            // of the chunk before
  std::string last_keys_;
  Batch rest_;                            // behind the chunk, if it was cut within a batch
};

}  // namespace thalweg::worker
