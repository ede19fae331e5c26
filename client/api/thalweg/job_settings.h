// RestartStrategies and CheckpointConfig: Flink's methods for what are settings by key (docs/reference).
//
//   env.enableCheckpointing(10'000);
//   env.getCheckpointConfig().setCheckpointStorage("/var/checkpoints");
//   env.setRestartStrategy(RestartStrategies::fixedDelayRestart(3, Duration::ofSeconds(1)));
//
// Each writes its key into the environment's configuration; the last word counts. Threads: one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/values.h"
#include "common/config/configuration.h"

namespace thalweg::api {

using RestartStrategy = std::vector<std::pair<std::string, std::string>>;

struct RestartStrategies {
  static RestartStrategy noRestart() { return {{"restart-strategy.type", "none"}}; }
  static RestartStrategy fixedDelayRestart(int attempts, Duration delay) {
    return {{"restart-strategy.type", "fixed-delay"},
            {"restart-strategy.fixed-delay.attempts", std::to_string(attempts)},
            {"restart-strategy.fixed-delay.delay", millis(delay)}};
  }
  static RestartStrategy failureRateRestart(int failures_max, Duration interval, Duration delay) {
    return {{"restart-strategy.type", "failure-rate"},
            {"restart-strategy.failure-rate.max-failures-per-interval", std::to_string(failures_max)},
            {"restart-strategy.failure-rate.failure-rate-interval", millis(interval)},
            {"restart-strategy.failure-rate.delay", millis(delay)}};
  }
  static RestartStrategy exponentialDelayRestart(Duration first, Duration most, double factor) {
    return {{"restart-strategy.type", "exponential-delay"},
            {"restart-strategy.exponential-delay.initial-backoff", millis(first)},
            {"restart-strategy.exponential-delay.max-backoff", millis(most)},
            {"restart-strategy.exponential-delay.backoff-multiplier", std::to_string(factor)}};
  }
  static std::string millis(Duration duration) { return std::to_string(duration.toMillis()) + " ms"; }
};

class CheckpointConfig {
 public:
  explicit CheckpointConfig(Configuration& configuration) : configuration_(configuration) {}
  CheckpointConfig& setCheckpointInterval(int64_t ms) {
    if (ms < 10) throw ValidationException("a checkpoint interval must be at least 10 ms, not " + std::to_string(ms));
    return set("execution.checkpointing.interval", std::to_string(ms) + " ms");
  }
  /// The folder that checkpoints go to.
  CheckpointConfig& setCheckpointStorage(const std::string& folder) { return set("execution.checkpointing.dir", folder); }
  CheckpointConfig& setMinPauseBetweenCheckpoints(int64_t ms) { return set("execution.checkpointing.min-pause", std::to_string(ms) + " ms"); }
  CheckpointConfig& setCheckpointTimeout(int64_t ms) { return set("execution.checkpointing.timeout", std::to_string(ms) + " ms"); }
  CheckpointConfig& setTolerableCheckpointFailureNumber(int count) {
    return set("execution.checkpointing.tolerable-failed-checkpoints", std::to_string(count));
  }
  /// RETAIN_ON_CANCELLATION, DELETE_ON_CANCELLATION or NO_EXTERNALIZED_CHECKPOINTS.
  CheckpointConfig& setExternalizedCheckpointRetention(const std::string& retention) {
    return set("execution.checkpointing.externalized-checkpoint-retention", retention);
  }

 private:
  CheckpointConfig& set(const std::string& key, const std::string& value) {
    throwIfFailed(configuration_.set(key, value));
    return *this;
  }
  Configuration& configuration_;
};

}  // namespace thalweg::api
