// CheckpointSchedule: when to take the next checkpoint, when to give one up, which to remove, when to fail the job.
//
//   if (auto id = schedule.begin(now_ms)) …trigger it…
//   schedule.onCompleted(*id, now_ms) → the checkpoints to remove   |   schedule.onFailed(*id, reason, now_ms) → ok, or
//   why the job fails
//   sleep until schedule.wakeupTime(), or until something happens
//
// A job's end or a savepoint asks for one at once with beginNow(). Times are milliseconds of the Clock seam.
// Threads: one owner; pure.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "common/base/status.h"
#include "coordinator/checkpoint/checkpoint_settings.h"

namespace thalweg::coordinator {

class CheckpointSchedule {
 public:
  /// `first_id`: of the first checkpoint to be taken; `retained`: complete ones of earlier runs, ascending.
  CheckpointSchedule(CheckpointSettings settings, int64_t first_id, std::vector<int64_t> retained, int64_t now_ms);

  /// The id of a checkpoint that is due; none if none is, or one is running.
  std::optional<int64_t> begin(int64_t now_ms);
  /// The same without waiting for its time. For savepoints too: `is_savepoint` ones are not retained here.
  std::optional<int64_t> beginNow(int64_t now_ms, bool is_savepoint = false);
  /// The running checkpoint, if its time is over.
  std::optional<int64_t> expired(int64_t now_ms) const;

  /// It is durable. Gives the checkpoints that nobody needs any more.
  std::vector<int64_t> onCompleted(int64_t id, int64_t now_ms);
  /// ok, or why the job fails: too many failed in a row.
  Status onFailed(int64_t id, const Status& reason, int64_t now_ms);

  /// The attempt it ran in has ended: nobody's failure.
  void abandon(int64_t now_ms);

  bool isRunning() const { return running_.has_value(); }
  std::optional<int64_t> running() const { return running_ ? std::optional(running_->id) : std::nullopt; }
  /// When to look again; INT64_MAX: when something happens.
  int64_t wakeupTime() const;
  /// The complete ones that are kept, ascending.
  const std::deque<int64_t>& retained() const { return retained_; }

 private:
  struct Running {
    int64_t id;
    int64_t since_ms;
    bool is_savepoint;
  };
  void end(int64_t now_ms);

  CheckpointSettings settings_;
  int64_t next_id_;
  std::deque<int64_t> retained_;
  std::optional<Running> running_;
  int64_t due_ms_;
  int64_t failures_ = 0;           // in a row
};

}  // namespace thalweg::coordinator
