// PartitionCommit: when a partition is complete and what is done then (sink.partition-commit.*).
//
// A partition is due `delay` after the first row written to it (process-time), or when the watermark has passed its
// time, taken from its values, by `delay` (partition-time); at the end of input all are. What a commit does is write the
// success file into the folder, after the partition's files are visible.
// Each subtask judges the partitions it writes. Threads: one owner.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/columnar/batch.h"
#include "common/plan/operator_spec.h"
#include "common/types/time_zone.h"

namespace thalweg::worker {

class PartitionCommit {
 public:
  /// None if the options ask for nothing to be done.
  static Result<std::optional<PartitionCommit>> of(const SinkSpec& spec);

  void onRow(const std::string& partition, int64_t now_ms) { first_seen_.try_emplace(partition, now_ms); }
  void onWatermark(EventTime watermark) { watermark_ = watermark; }
  /// Partitions that are due; each is handed out once, until it is written to again.
  Result<std::vector<std::string>> takeDue(int64_t now_ms, bool finished);
  /// Partitions that are not due yet, with the time of their first row; they outlive a restart.
  const std::map<std::string, int64_t>& waiting() const { return first_seen_; }
  void restoreWaiting(const std::string& partition, int64_t first_seen_ms) { first_seen_.emplace(partition, first_seen_ms); }
  const std::string& successFile() const { return success_file_; }

 private:
  Result<bool> isDue(const std::string& partition, int64_t first_seen_ms, int64_t now_ms) const;
  Result<int64_t> timeOf(const std::string& partition) const;

  bool by_partition_time_ = false;
  int64_t delay_ms_ = 0;
  std::string pattern_;        // with `$column` for values; empty: the first value
  TimeZone zone_;
  std::string success_file_;
  EventTime watermark_ = kMinWatermark;
  std::map<std::string, int64_t> first_seen_;  // by partition folder
};

}  // namespace thalweg::worker
