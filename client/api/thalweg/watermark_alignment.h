// AlignmentGroup: sources that wait for each other, so that none runs further ahead in event time than it may.
//
// A member is a subtask of a source; the stage that makes its watermarks reports them, and its reader asks before it
// reads on. Idle members hold nobody back, nor do those that have ended. A group is of one process.
// Threads: any. Lifetime: shared by the program's graph and the job's stages.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "common/columnar/batch.h"

namespace thalweg::api {

class AlignmentGroup {
 public:
  using Member = std::pair<int, int>;          ///< source, subtask

  void join(Member member);
  void leave(Member member);
  void report(Member member, EventTime watermark);
  void setIdle(Member member, bool idle);
  /// Whether the member's watermark is more than `drift_ms` ahead of the lowest.
  bool isAhead(Member member, int64_t drift_ms) const;

 private:
  struct State {
    EventTime watermark = kMinWatermark;
    bool idle = false;
  };
  mutable std::mutex mutex_;
  std::map<Member, State> members_;
};

/// What withWatermarkAlignment() asked for.
struct WatermarkAlignment {
  std::string group;
  int64_t drift_ms = 0;
  int64_t interval_ms = 1000;                  ///< after which a source that waits looks again
  int source = -1;                             ///< node of the source; -1: none yet
  std::shared_ptr<AlignmentGroup> members = nullptr;
};

}  // namespace thalweg::api
