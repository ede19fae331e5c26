#include "common/base/ids.h"

#include <unordered_set>

#include <catch2/catch.hpp>

using namespace thalweg;

namespace {
struct JobTag {};
struct TaskTag {};
using JobId = Id<JobTag>;
using TaskId = Id<TaskTag, uint32_t>;
}  // namespace

static_assert(!std::is_convertible_v<int64_t, JobId>);
static_assert(!std::is_constructible_v<JobId, TaskId>);
static_assert(sizeof(TaskId) == 4);

TEST_CASE("an id is invalid until it is given a number") {
  CHECK_FALSE(JobId().valid());
  CHECK_FALSE(TaskId().valid());
  CHECK(JobId(0).valid());
}

TEST_CASE("ids compare, count up, print and hash by their number") {
  CHECK(JobId(3) == JobId(3));
  CHECK(JobId(3) < JobId(4));
  CHECK(JobId(3).next() == JobId(4));
  CHECK(JobId(3).toString() == "3");
  std::unordered_set<JobId> seen = {JobId(1), JobId(2), JobId(1)};
  CHECK(seen.size() == 2);
}
