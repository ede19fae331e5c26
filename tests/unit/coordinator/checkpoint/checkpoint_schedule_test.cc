// The rules of checkpoints over time.
#include "coordinator/checkpoint/checkpoint_schedule.h"

#include <catch2/catch.hpp>

namespace thalweg::coordinator {

namespace {

CheckpointSettings every(int64_t interval_ms) {
  CheckpointSettings settings;
  settings.interval_ms = interval_ms;
  settings.timeout_ms = 500;
  return settings;
}

}  // namespace

TEST_CASE("checkpoints begin an interval apart, one at a time") {
  CheckpointSchedule schedule(every(100), 8, {}, 1000);
  REQUIRE(schedule.wakeupTime() == 1100);
  REQUIRE_FALSE(schedule.begin(1099));
  REQUIRE(schedule.begin(1100) == 8);
  REQUIRE_FALSE(schedule.begin(1200));
  REQUIRE(schedule.onCompleted(8, 1250).empty());
  REQUIRE(schedule.begin(1250) == 9);                // an interval after the beginning of the last
}

TEST_CASE("without an interval only what is asked for begins") {
  CheckpointSchedule schedule(every(0), 1, {}, 0);
  REQUIRE_FALSE(schedule.begin(INT64_MAX));
  REQUIRE(schedule.wakeupTime() == INT64_MAX);
  REQUIRE(schedule.beginNow(5, true) == 1);
  REQUIRE_FALSE(schedule.beginNow(5));
  REQUIRE(schedule.onCompleted(1, 6).empty());
  REQUIRE(schedule.retained().empty());
}

TEST_CASE("the pause between two is kept") {
  CheckpointSettings settings = every(100);
  settings.min_pause_ms = 80;
  CheckpointSchedule schedule(settings, 1, {}, 0);
  REQUIRE(schedule.begin(100) == 1);
  REQUIRE(schedule.onCompleted(1, 190).empty());
  REQUIRE_FALSE(schedule.begin(269));
  REQUIRE(schedule.begin(270) == 2);
}

TEST_CASE("only as many as are to be retained stay, those of earlier runs included") {
  CheckpointSettings settings = every(10);
  settings.retained_max = 2;
  CheckpointSchedule schedule(settings, 6, {3, 5}, 0);
  REQUIRE(schedule.beginNow(0) == 6);
  REQUIRE(schedule.onCompleted(6, 1) == std::vector<int64_t>{3});
  REQUIRE(schedule.beginNow(2, true) == 7);
  REQUIRE(schedule.onCompleted(7, 3).empty());
  REQUIRE(schedule.retained() == std::deque<int64_t>{5, 6});
}

TEST_CASE("failures in a row beyond the tolerable number fail the job") {
  CheckpointSettings settings = every(10);
  settings.tolerable_failures = 1;
  CheckpointSchedule schedule(settings, 1, {}, 0);
  const Status reason = Status::io("the disk is full");
  REQUIRE(schedule.beginNow(0) == 1);
  REQUIRE(schedule.expired(499) == std::nullopt);
  REQUIRE(schedule.expired(500) == 1);
  REQUIRE(schedule.onFailed(1, reason, 500).isOk());
  REQUIRE(schedule.beginNow(500) == 2);
  REQUIRE(schedule.onCompleted(2, 510).empty());
  REQUIRE(schedule.beginNow(520) == 3);
  REQUIRE(schedule.onFailed(3, reason, 530).isOk());
  REQUIRE(schedule.beginNow(530, true) == 4);        // a savepoint counts for neither
  REQUIRE(schedule.onFailed(4, reason, 540).isOk());
  REQUIRE(schedule.beginNow(540) == 5);
  const Status fatal = schedule.onFailed(5, reason, 550);
  REQUIRE(fatal.code() == StatusCode::IO_ERROR);
  REQUIRE(fatal.message().find("checkpoint 5 failed") != std::string::npos);
  REQUIRE(fatal.message().find("the disk is full") != std::string::npos);
}

TEST_CASE("what is kept after a job's end is what its retention says") {
  CheckpointSettings settings;
  REQUIRE_FALSE(settings.keepsAfter(JobEnd::FAILED));
  settings.retention = CheckpointRetention::DELETE_ON_CANCELLATION;
  REQUIRE(settings.keepsAfter(JobEnd::FAILED));
  REQUIRE_FALSE(settings.keepsAfter(JobEnd::CANCELLED));
  settings.retention = CheckpointRetention::RETAIN_ON_CANCELLATION;
  REQUIRE(settings.keepsAfter(JobEnd::CANCELLED));
  REQUIRE_FALSE(settings.keepsAfter(JobEnd::FINISHED));
}

}  // namespace thalweg::coordinator
