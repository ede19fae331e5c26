#include "coordinator/checkpoint/checkpoint_schedule.h"

#include <algorithm>

#include "common/base/check.h"

namespace thalweg::coordinator {

CheckpointSchedule::CheckpointSchedule(CheckpointSettings settings, int64_t first_id, std::vector<int64_t> retained, int64_t now_ms)
    : settings_(std::move(settings)), next_id_(first_id), retained_(retained.begin(), retained.end()), due_ms_(now_ms + settings_.interval_ms) {}

std::optional<int64_t> CheckpointSchedule::begin(int64_t now_ms) {
  if (!settings_.isEnabled() || running_ || now_ms < due_ms_) return std::nullopt;
  return beginNow(now_ms);
}

std::optional<int64_t> CheckpointSchedule::beginNow(int64_t now_ms, bool is_savepoint) {
  if (running_) return std::nullopt;
  running_ = Running{next_id_++, now_ms, is_savepoint};
  if (!is_savepoint) due_ms_ = now_ms + settings_.interval_ms;
  return running_->id;
}

std::optional<int64_t> CheckpointSchedule::expired(int64_t now_ms) const {
  if (!running_ || now_ms - running_->since_ms < settings_.timeout_ms) return std::nullopt;
  return running_->id;
}

std::vector<int64_t> CheckpointSchedule::onCompleted(int64_t id, int64_t now_ms) {
  CHECK(running_ && running_->id == id);
  const bool is_savepoint = running_->is_savepoint;
  end(now_ms);
  if (is_savepoint) return {};
  failures_ = 0;
  retained_.push_back(id);
  std::vector<int64_t> superfluous;
  while (static_cast<int64_t>(retained_.size()) > std::max<int64_t>(1, settings_.retained_max)) {
    superfluous.push_back(retained_.front());
    retained_.pop_front();
  }
  return superfluous;
}

Status CheckpointSchedule::onFailed(int64_t id, const Status& reason, int64_t now_ms) {
  CHECK(running_ && running_->id == id);
  const bool is_savepoint = running_->is_savepoint;
  end(now_ms);
  if (is_savepoint || ++failures_ <= settings_.tolerable_failures) return {};
  return reason.withContext("checkpoint " + std::to_string(id) + " failed, and 'execution.checkpointing.tolerable-failed-checkpoints' is " +
                            std::to_string(settings_.tolerable_failures));
}

void CheckpointSchedule::abandon(int64_t now_ms) {
  if (running_) end(now_ms);
}

void CheckpointSchedule::end(int64_t now_ms) {
  running_.reset();
  due_ms_ = std::max(due_ms_, now_ms + settings_.min_pause_ms);
}

int64_t CheckpointSchedule::wakeupTime() const {
  if (running_) return running_->since_ms + settings_.timeout_ms;
  return settings_.isEnabled() ? due_ms_ : INT64_MAX;
}

}  // namespace thalweg::coordinator
