#include "common/base/failpoint.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include <catch2/catch.hpp>

using namespace thalweg;

#ifdef THALWEG_FAILPOINTS

namespace {

Status step() {
  RETURN_IF_ERROR(THALWEG_FAILPOINT("test.step"));
  return Status::ok();
}

}  // namespace

TEST_CASE("a failpoint without a rule passes") {
  ScopedFailpoint none("");
  CHECK(step().isOk());
  CHECK(failpointHits("test.step") == 0);
}

TEST_CASE("an error rule without a number fails every hit") {
  ScopedFailpoint rule("test.step=error");
  const Status status = step();
  CHECK(status.code() == StatusCode::RUNTIME_ERROR);
  CHECK(status.message().find("test.step") != std::string::npos);
  CHECK_FALSE(step().isOk());
}

TEST_CASE("a numbered rule fails only that hit, and hits are counted") {
  ScopedFailpoint rule("test.step=error@2;other=error");
  CHECK(step().isOk());
  CHECK_FALSE(step().isOk());
  CHECK(step().isOk());
  CHECK(failpointHits("test.step") == 3);
}

TEST_CASE("a sleep rule only holds the thread up") {
  ScopedFailpoint rule("test.step=sleep(0..1)");
  CHECK(step().isOk());
}

TEST_CASE("a crash rule ends the process like kill -9") {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    close(STDERR_FILENO);
    ScopedFailpoint rule("test.step=crash");
    (void)step();
    _exit(0);
  }
  int ended = 0;
  REQUIRE(waitpid(child, &ended, 0) == child);
  CHECK(WIFSIGNALED(ended));
  CHECK(WTERMSIG(ended) == SIGKILL);
}

TEST_CASE("rules that cannot be read are refused and change nothing") {
  ScopedFailpoint rule("test.step=error");
  for (const char* bad : {"test.step", "=error", "a=explode", "a=error@0", "a=error@x", "a=sleep(-1)", "a=sleep(1", "a=sleep(3..2)", "a=sleep(1..)"}) {
    CHECK(setFailpoints(bad).code() == StatusCode::INVALID_ARGUMENT);
  }
  CHECK_FALSE(step().isOk());
}

#endif
