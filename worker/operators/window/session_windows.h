// SessionWindows: the open sessions of one key, and how a new row's window joins them.
//
// A row at `time` opens the window [time, time + gap). It becomes one session with every session it touches; a window that
// begins exactly where a session ends touches it. Times are instants, so that a gap is the same length whatever the
// session zone's clock does. `Content` is what a session holds: accumulators, rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/columnar/batch.h"

namespace thalweg::worker {

template <typename Content>
class SessionWindows {
 public:
  struct Session {
    EventTime start = 0;
    EventTime end = 0;          ///< exclusive
    Content content = {};
    /// The watermark at which it is complete.
    EventTime fireTime() const { return end - 1; }
  };

  std::vector<Session>& sessions() { return sessions_; }
  const std::vector<Session>& sessions() const { return sessions_; }
  bool isEmpty() const { return sessions_.empty(); }

  /// Whether [start, end) touches a session.
  bool touchesAny(EventTime start, EventTime end) const {
    return std::any_of(sessions_.begin(), sessions_.end(), [&](const Session& session) { return touches(session, start, end); });
  }

  /// The session that [start, end) is part of from now on: a new one, or one it touches, grown. `merge(into, from)` is
  /// called with the contents of two sessions that become one.
  template <typename Merge>
  Session& add(EventTime start, EventTime end, Merge&& merge) {
    Session* home = nullptr;
    bool joined = false;
    for (Session& session : sessions_) {
      if (!touches(session, start, end)) continue;
      if (home == nullptr) {
        home = &session;
        continue;
      }
      merge(home->content, session.content);
      home->start = std::min(home->start, session.start);
      home->end = std::max(home->end, session.end);
      session.end = session.start;   // empty: to be removed
      joined = true;
    }
    if (home == nullptr) {
      sessions_.push_back({start, end});
      return sessions_.back();
    }
    home->start = std::min(home->start, start);
    home->end = std::max(home->end, end);
    if (!joined) return *home;
    const EventTime home_start = home->start;
    std::erase_if(sessions_, [](const Session& session) { return session.start == session.end; });
    return *std::find_if(sessions_.begin(), sessions_.end(), [&](const Session& session) { return session.start == home_start; });
  }

 private:
  static bool touches(const Session& session, EventTime start, EventTime end) { return session.start <= end && start <= session.end; }

  std::vector<Session> sessions_;   // in the order of their opening; they do not touch each other
};

}  // namespace thalweg::worker
