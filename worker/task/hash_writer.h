// HashWriter: sends each row to the subtask that owns the key group of its key.
//
// One pass computes the receiver of every row and sorts the row numbers by receiver; then each column is scattered
// once, into a builder per receiver. What waits in the builders is sent when a batch is full, when the receiver has
// nothing to do, or by flush(). Text is copied, so that a receiver pins nothing of the sender's buffers.
#pragma once

#include "common/columnar/builder.h"
#include "common/columnar/key_codec.h"
#include "worker/task/edge_writer.h"

namespace thalweg::worker {

class HashWriter final : public EdgeWriter {
 public:
  HashWriter(std::vector<int> keys, std::vector<DataType> types, uint32_t max_parallelism, size_t batch_rows_max,
             std::vector<ChannelSender> targets);

  /// Of a routed edge: `column` names the receiver of each row.
  HashWriter(std::vector<int> column, std::vector<DataType> types, size_t batch_rows_max, std::vector<ChannelSender> targets);

  Status write(const Batch& batch) override;
  void flush() override;
  void flushToIdle() override;

 private:
  /// Rows that wait for one receiver.
  struct Waiting {
    std::vector<std::unique_ptr<ColumnBuilder>> columns;   // empty: none made since the last send
    size_t rows = 0;
    std::vector<RowKind> kinds;                            // empty: all inserts so far
    std::vector<EventTime> timestamps;                     // empty: none so far
    std::vector<WatermarkMark> marks;
    void addMark(size_t offset, EventTime value);
  };
  void sortByTarget(const Batch& batch);
  void findTargets(const Batch& batch);
  void addMarks(const Batch& batch);
  void addRows(Waiting& waiting, const Batch& batch, std::span<const RowIndex> rows);
  void send(size_t target);

  int route_column_ = -1;                  // of a routed edge
  std::vector<DataType> types_;
  uint32_t max_parallelism_;
  size_t batch_rows_max_;
  KeyEncoder encoder_;
  std::vector<uint32_t> target_of_group_;
  std::vector<Waiting> waiting_;
  std::vector<uint32_t> target_of_row_;    // of the batch being written
  std::vector<RowIndex> sorted_rows_;      // by target, in order
  std::vector<size_t> target_begin_;       // target t has sorted_rows_[target_begin_[t] .. target_begin_[t+1])
  std::vector<size_t> fill_;               // scratch
};

}  // namespace thalweg::worker
