#include "worker/task/actor.h"

#include "common/base/check.h"

namespace thalweg::worker {

void Actor::schedule() {
  State state = state_.load();
  for (;;) {
    switch (state) {
      case State::PARKED:
        if (!state_.compare_exchange_weak(state, State::QUEUED)) continue;
        post();
        return;
      case State::RUNNING:
        if (!state_.compare_exchange_weak(state, State::RUNNING_NOTIFIED)) continue;
        return;
      case State::QUEUED:
      case State::RUNNING_NOTIFIED:
      case State::ENDED:
        return;
    }
  }
}

void Actor::scheduleAt(int64_t time_ms) {
  int64_t armed = armed_ms_.load();
  do {
    if (armed <= time_ms) return;
  } while (!armed_ms_.compare_exchange_weak(armed, time_ms));
  executor_.postAt(time_ms, [weak = weak_from_this(), time_ms] {
    const std::shared_ptr<Actor> self = weak.lock();
    if (self == nullptr) return;
    int64_t mine = time_ms;
    self->armed_ms_.compare_exchange_strong(mine, INT64_MAX);
    self->schedule();
  });
}

void Actor::post() {
  executor_.post([self = shared_from_this()] { self->run(); });
}

void Actor::run() {
  const State before = state_.exchange(State::RUNNING);
  DCHECK(before == State::QUEUED);
  (void)before;
  switch (runSlice()) {
    case SliceEnd::END:
      state_.store(State::ENDED);
      return;
    case SliceEnd::PARK: {
      State expected = State::RUNNING;
      if (state_.compare_exchange_strong(expected, State::PARKED)) return;
      break;
    }
    case SliceEnd::AGAIN:
      break;
  }
  state_.store(State::QUEUED);
  post();
}

}  // namespace thalweg::worker
