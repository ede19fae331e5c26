// SourceReader and SplitEnumerator: how data enters.
//
// A source is described by a connector (plan/connector.h), read by readers, one per subtask, that pull splits from
// one enumerator per source. A split is a string whose meaning belongs to the connector (file and range, number
// range, generator share); its position is in it, so a snapshot of a reader is its unfinished splits.
// poll() runs in the subtask's mailbox and returns quickly; it emits up to about `rows_wanted` rows (one batch) and
// may carry no marks: watermarks are made by the assigner behind it. Local files may be read in poll(); anything that
// blocks longer belongs on the I/O executor, with IDLE and a wake-up.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/runtime_api/operator.h"

namespace thalweg {

enum class PollResult : uint8_t {
  MORE,      ///< something was emitted or progress made: poll again
  IDLE,      ///< nothing now; poll again after OperatorContext::requestWakeup's time
  NEED_SPLIT,///< the reader has no split left
};

class SourceReader {
 public:
  virtual ~SourceReader() = default;
  virtual Status open(OperatorContext& context) = 0;
  virtual Status addSplit(std::string split) = 0;
  virtual Result<PollResult> poll(size_t rows_wanted, Output& output) = 0;
  /// Unfinished splits with their positions; restoring adds them again.
  virtual Status snapshotSplits(std::vector<std::string>& splits) = 0;
  virtual void close() {}
};

/// Hands out splits; called under the task layer's lock, from any thread.
class SplitEnumerator {
 public:
  enum class Availability : uint8_t { SPLIT, LATER, FINISHED };
  struct Next {
    Availability availability;
    std::string split = {};          ///< if SPLIT
    int64_t retry_after_ms = 0;      ///< if LATER (folder watching)
  };
  virtual ~SplitEnumerator() = default;
  virtual Result<Next> next(int subtask, int parallelism) = 0;
  virtual void giveBack(std::string split) = 0;         ///< a failed reader's split
  virtual Status snapshot(std::string& out) = 0;
  virtual Status restore(const std::string& bytes) = 0;
};

}  // namespace thalweg
