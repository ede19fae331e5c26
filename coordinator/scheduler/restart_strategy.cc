#include "coordinator/scheduler/restart_strategy.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <deque>
#include <limits>

#include "common/config/config_value.h"

namespace thalweg::coordinator {
namespace {

class NoRestart final : public RestartStrategy {
 public:
  std::optional<int64_t> pauseAfterFailure(int64_t) override { return std::nullopt; }
};

class FixedDelay final : public RestartStrategy {
 public:
  FixedDelay(int64_t attempts, int64_t delay_ms) : left_(attempts), delay_ms_(delay_ms) {}
  std::optional<int64_t> pauseAfterFailure(int64_t) override {
    if (left_ <= 0) return std::nullopt;
    --left_;
    return delay_ms_;
  }

 private:
  int64_t left_;
  int64_t delay_ms_;
};

class FailureRate final : public RestartStrategy {
 public:
  FailureRate(int64_t failures_max, int64_t interval_ms, int64_t delay_ms)
      : failures_max_(static_cast<size_t>(failures_max)), interval_ms_(interval_ms), delay_ms_(delay_ms) {}
  std::optional<int64_t> pauseAfterFailure(int64_t now_ms) override {
    while (!failures_.empty() && now_ms - failures_.front() > interval_ms_) failures_.pop_front();
    failures_.push_back(now_ms);
    if (failures_.size() > failures_max_) return std::nullopt;
    return delay_ms_;
  }

 private:
  size_t failures_max_;
  int64_t interval_ms_;
  int64_t delay_ms_;
  std::deque<int64_t> failures_;
};

struct Backoff {
  int64_t initial_ms = 1000;
  int64_t max_ms = 60000;
  double multiplier = 1.5;
  int64_t reset_after_ms = 3600000;
  double jitter = 0.1;
  int64_t attempts_max = std::numeric_limits<int64_t>::max();
};

class ExponentialDelay final : public RestartStrategy {
 public:
  ExponentialDelay(Backoff backoff, uint64_t seed) : backoff_(backoff), random_(seed) {}
  std::optional<int64_t> pauseAfterFailure(int64_t now_ms) override {
    if (last_ms_ && now_ms - *last_ms_ >= backoff_.reset_after_ms + static_cast<int64_t>(next_ms_)) {
      next_ms_ = 0;
      attempts_ = 0;
    }
    last_ms_ = now_ms;
    if (++attempts_ > backoff_.attempts_max) return std::nullopt;
    next_ms_ = next_ms_ == 0 ? static_cast<double>(backoff_.initial_ms) : std::min(next_ms_ * backoff_.multiplier, static_cast<double>(backoff_.max_ms));
    const double chance = static_cast<double>(random_.nextBits() >> 11) / 9007199254740992.0;
    const double pause = next_ms_ * (1 + backoff_.jitter * (2 * chance - 1));
    return std::min(static_cast<int64_t>(std::llround(pause)), backoff_.max_ms);
  }

 private:
  const Backoff backoff_;
  Random random_;
  std::optional<int64_t> last_ms_;
  double next_ms_ = 0;
  int64_t attempts_ = 0;
};

/// Reads values under a prefix.
class Reader {
 public:
  Reader(const std::map<std::string, std::string>& settings, std::string prefix) : settings_(settings), prefix_(std::move(prefix)) {}

  int64_t millis(const std::string& key, int64_t otherwise) {
    const auto text = find(key);
    if (!text) return otherwise;
    const auto value = parseConfigDuration(*text);
    if (!value.isOk()) return note(key, value.status(), otherwise);
    return std::chrono::duration_cast<std::chrono::milliseconds>(*value).count();
  }
  int64_t integer(const std::string& key, int64_t otherwise) {
    const auto text = find(key);
    return text ? std::strtoll(text->c_str(), nullptr, 10) : otherwise;
  }
  double real(const std::string& key, double otherwise) {
    const auto text = find(key);
    return text ? std::strtod(text->c_str(), nullptr) : otherwise;
  }
  const Status& status() const { return status_; }

 private:
  std::optional<std::string> find(const std::string& key) const {
    const auto found = settings_.find(prefix_ + key);
    if (found == settings_.end()) return std::nullopt;
    return found->second;
  }
  int64_t note(const std::string& key, const Status& status, int64_t otherwise) {
    if (status_.isOk()) status_ = status.withContext(prefix_ + key);
    return otherwise;
  }
  const std::map<std::string, std::string>& settings_;
  const std::string prefix_;
  Status status_;
};

}  // namespace

Result<std::unique_ptr<RestartStrategy>> RestartStrategy::make(const std::map<std::string, std::string>& settings, uint64_t seed) {
  const auto chosen = settings.find("restart-strategy.type");
  std::string type = chosen != settings.end() ? chosen->second : settings.contains("execution.checkpointing.interval") ? "exponential-delay" : "none";
  for (char& c : type) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (type == "fixeddelay") type = "fixed-delay";
  if (type == "failurerate") type = "failure-rate";
  if (type == "exponentialdelay") type = "exponential-delay";
  std::unique_ptr<RestartStrategy> strategy;
  Reader read(settings, "restart-strategy." + type + ".");
  if (type == "none" || type == "off" || type == "disable" || type.empty()) {
    strategy = std::make_unique<NoRestart>();
  } else if (type == "fixed-delay") {
    strategy = std::make_unique<FixedDelay>(read.integer("attempts", 1), read.millis("delay", 1000));
  } else if (type == "failure-rate") {
    strategy = std::make_unique<FailureRate>(read.integer("max-failures-per-interval", 1), read.millis("failure-rate-interval", 60000), read.millis("delay", 1000));
  } else if (type == "exponential-delay") {
    Backoff backoff;
    backoff.initial_ms = read.millis("initial-backoff", backoff.initial_ms);
    backoff.max_ms = read.millis("max-backoff", backoff.max_ms);
    backoff.multiplier = read.real("backoff-multiplier", backoff.multiplier);
    backoff.reset_after_ms = read.millis("reset-backoff-threshold", backoff.reset_after_ms);
    backoff.jitter = read.real("jitter-factor", backoff.jitter);
    backoff.attempts_max = read.integer("attempts-before-reset-backoff", backoff.attempts_max);
    strategy = std::make_unique<ExponentialDelay>(backoff, seed);
  } else {
    return Status::invalid("restart-strategy.type: expected none, fixed-delay, exponential-delay or failure-rate, found '" + type + "'");
  }
  RETURN_IF_ERROR(read.status());
  return strategy;
}

}  // namespace thalweg::coordinator
