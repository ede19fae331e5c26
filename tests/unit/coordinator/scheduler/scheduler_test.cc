// States, slots and restarts, without processes.
#include <set>

#include "coordinator/scheduler/job_state.h"
#include "coordinator/scheduler/restart_strategy.h"
#include "coordinator/scheduler/slot_pool.h"

#include <catch2/catch.hpp>

namespace thalweg::coordinator {
namespace {

JobState stateAt(int number) { return static_cast<JobState>(number); }

TEST_CASE("nothing leaves a state that is the last, and every other leads to one") {
  for (int from = 0; from < kJobStates; ++from) {
    std::set<JobState> reached{stateAt(from)};
    for (size_t before = 0; before != reached.size();) {
      before = reached.size();
      for (const JobState each : std::set<JobState>(reached)) {
        for (int to = 0; to < kJobStates; ++to) {
          if (isLegalTransition(each, stateAt(to))) reached.insert(stateAt(to));
        }
      }
    }
    INFO(jobStateName(stateAt(from)));
    if (isTerminal(stateAt(from))) CHECK(reached.size() == 1);
    else CHECK(reached.contains(JobState::CANCELED));
  }
}

TEST_CASE("slots are spread, given back as a whole, and missed by number") {
  SlotPool pool({});
  pool.addWorker("a", 2, 0);
  pool.addWorker("b", 2, 0);
  const auto first = pool.take("one", 2, 0);
  REQUIRE(first.isOk());
  CHECK(std::set<std::string>(first->begin(), first->end()).size() == 2);
  const auto missing = pool.take("two", 3, 0);
  REQUIRE_FALSE(missing.isOk());
  CHECK(missing.status().message().starts_with("1 of 3 slots are missing"));
  pool.giveBack("one");
  CHECK(pool.freeSlots() == 4);
}

TEST_CASE("a silent worker gets nothing new, and is dead in the end") {
  SlotPool pool({.suspect_after_ms = 1000, .dead_after_ms = 5000});
  pool.addWorker("a", 1, 0);
  CHECK_FALSE(pool.take("job", 1, 1000).isOk());
  CHECK(pool.deadWorkers(4999).empty());
  CHECK(pool.deadWorkers(5000) == std::vector<std::string>{"a"});
  pool.onHeartbeat("a", 5000);
  CHECK(pool.take("job", 1, 5001).isOk());
}

std::unique_ptr<RestartStrategy> strategy(std::map<std::string, std::string> settings) {
  auto made = RestartStrategy::make(settings, 1);
  REQUIRE(made.isOk());
  return std::move(*made);
}

TEST_CASE("restarts follow their strategy") {
  CHECK_FALSE(strategy({})->pauseAfterFailure(0));
  const auto fixed = strategy({{"restart-strategy.type", "fixed-delay"}, {"restart-strategy.fixed-delay.attempts", "2"}, {"restart-strategy.fixed-delay.delay", "7 ms"}});
  CHECK(fixed->pauseAfterFailure(0) == 7);
  CHECK(fixed->pauseAfterFailure(0) == 7);
  CHECK_FALSE(fixed->pauseAfterFailure(0));
  const auto rate = strategy({{"restart-strategy.type", "failure-rate"}, {"restart-strategy.failure-rate.failure-rate-interval", "100 ms"}});
  CHECK(rate->pauseAfterFailure(0) == 1000);
  CHECK(rate->pauseAfterFailure(101) == 1000);
  CHECK_FALSE(rate->pauseAfterFailure(150));
  const auto growing = strategy({{"restart-strategy.type", "exponential-delay"},
                                 {"restart-strategy.exponential-delay.initial-backoff", "10 ms"},
                                 {"restart-strategy.exponential-delay.backoff-multiplier", "2"},
                                 {"restart-strategy.exponential-delay.jitter-factor", "0"},
                                 {"restart-strategy.exponential-delay.max-backoff", "30 ms"},
                                 {"restart-strategy.exponential-delay.reset-backoff-threshold", "1 s"}});
  CHECK(growing->pauseAfterFailure(0) == 10);
  CHECK(growing->pauseAfterFailure(20) == 20);
  CHECK(growing->pauseAfterFailure(40) == 30);
  CHECK(growing->pauseAfterFailure(5000) == 10);
  CHECK_FALSE(RestartStrategy::make({{"restart-strategy.type", "never"}}, 1).isOk());
}

}  // namespace
}  // namespace thalweg::coordinator
