#include "common/log/log.h"

#include <vector>

#include "common/base/ids.h"

#include <catch2/catch.hpp>

using namespace thalweg;

namespace {

/// Collects what is logged during a test, at the given levels.
class CapturedLog {
 public:
  explicit CapturedLog(std::string_view levels) {
    REQUIRE(setLogLevels(levels).isOk());
    setLogSink([this](const LogLine& line) {
      std::string text(line.component);
      text += ": ";
      text += line.message;
      for (const LogField& field : line.fields) text += " " + std::string(field.key) + "=" + field.value;
      lines.push_back(text);
    });
  }
  ~CapturedLog() {
    setLogSink({});
    (void)setLogLevels("");
  }

  std::vector<std::string> lines;
};

struct JobTag {};

}  // namespace

TEST_CASE("only warnings and errors are logged unless more is asked for") {
  CapturedLog log("");
  LOG_INFO("worker.task", "started");
  LOG_WARN("worker.task", "slow");
  LOG_ERROR("worker.task", "failed");
  CHECK(log.lines == std::vector<std::string>{"worker.task: slow", "worker.task: failed"});
}

TEST_CASE("fields of every kind are written as text") {
  CapturedLog log("info");
  const std::string name = "q7";
  LOG_INFO("client", "job ended", {"name", name}, {"job", Id<JobTag>(7)}, {"rows", 42}, {"ok", true},
           {"status", Status::io("disk full")});
  REQUIRE(log.lines.size() == 1);
  CHECK(log.lines[0] == "client: job ended name=q7 job=7 rows=42 ok=true status=IO_ERROR: disk full");
}

TEST_CASE("a component's level covers those below it, and the longest name wins") {
  CapturedLog log("off,worker=info,worker.exchange=debug");
  LOG_DEBUG("worker.exchange", "a");
  LOG_DEBUG("worker.exchange.credit", "b");
  LOG_DEBUG("worker.task", "c");
  LOG_INFO("worker.task", "d");
  LOG_ERROR("workers", "e");
  CHECK(log.lines == std::vector<std::string>{"worker.exchange: a", "worker.exchange.credit: b", "worker.task: d"});
}

TEST_CASE("fields of a line that is off are not evaluated") {
  CapturedLog log("warn");
  int evaluated = 0;
  LOG_DEBUG("client", "x", {"n", ++evaluated});
  CHECK(evaluated == 0);
}

TEST_CASE("levels that do not exist are refused by name") {
  const Status status = setLogLevels("loud");
  CHECK(status.code() == StatusCode::INVALID_ARGUMENT);
  CHECK(status.message().find("'loud'") != std::string::npos);
}
