#include "common/base/failpoint.h"

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "common/base/mutex.h"

namespace thalweg {

namespace failpoint_internal {
std::atomic<bool> armed{true};
}

namespace {

enum class FailpointAction {
  ERROR,  ///< yields a RUNTIME_ERROR
  CRASH,  ///< kills the process without any clean-up
  SLEEP,  ///< holds the thread up
};

struct FailpointRule {
  FailpointAction action = FailpointAction::ERROR;
  int64_t sleep_ms = 0;
  int64_t sleep_ms_max = 0;  ///< hits wait between the two, each for a time of its own
  int64_t hit_number = 0;  ///< 0: every hit
};

struct FailpointTable {
  Mutex mutex;
  bool environment_read GUARDED_BY(mutex) = false;
  std::map<std::string, FailpointRule, std::less<>> rules GUARDED_BY(mutex);
  std::map<std::string, int64_t, std::less<>> hits GUARDED_BY(mutex);
};

FailpointTable& table() {
  static auto* const instance = new FailpointTable;  // never destroyed: threads may still hit at exit
  return *instance;
}

std::optional<int64_t> parseNumber(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

Result<std::pair<std::string, FailpointRule>> parseRule(std::string_view text) {
  const auto refuse = [&] {
    return Status::invalid("expected a failpoint rule 'name=error|crash|sleep(ms)|sleep(ms..ms)[@n]', found '" + std::string(text) +
                           "'");
  };
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return refuse();
  std::string_view action = text.substr(equals + 1);
  FailpointRule rule;
  if (const size_t at = action.find('@'); at != std::string_view::npos) {
    const std::optional<int64_t> number = parseNumber(action.substr(at + 1));
    if (!number || *number == 0) return refuse();
    rule.hit_number = *number;
    action = action.substr(0, at);
  }
  if (action == "crash") {
    rule.action = FailpointAction::CRASH;
  } else if (action.starts_with("sleep(") && action.ends_with(")")) {
    const std::string_view span = action.substr(6, action.size() - 7);
    const size_t dots = span.find("..");
    const std::optional<int64_t> millis = parseNumber(span.substr(0, dots));
    const std::optional<int64_t> most = dots == std::string_view::npos ? millis : parseNumber(span.substr(dots + 2));
    if (!millis || !most || *most < *millis) return refuse();
    rule.sleep_ms_max = *most;
    rule.action = FailpointAction::SLEEP;
    rule.sleep_ms = *millis;
  } else if (action != "error") {
    return refuse();
  }
  return std::pair(std::string(text.substr(0, equals)), rule);
}

Status setRulesLocked(FailpointTable& t, std::string_view text) REQUIRES(t.mutex) {
  std::map<std::string, FailpointRule, std::less<>> rules;
  while (!text.empty()) {
    const size_t end = std::min(text.find(';'), text.size());
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (one.empty()) continue;
    ASSIGN_OR_RETURN(auto rule, parseRule(one));
    rules.insert_or_assign(std::move(rule.first), rule.second);
  }
  t.environment_read = true;
  t.rules = std::move(rules);
  t.hits.clear();
  failpoint_internal::armed.store(!t.rules.empty(), std::memory_order_relaxed);
  return Status::ok();
}

void readEnvironmentLocked(FailpointTable& t) REQUIRES(t.mutex) {
  const char* const text = std::getenv("THALWEG_FAILPOINTS");
  const Status status = setRulesLocked(t, text ? text : "");
  CHECK_MSG(status.isOk(), "THALWEG_FAILPOINTS: " + status.message());
}

/// Counts the hit and says what is due, without holding the lock afterwards.
std::optional<FailpointRule> countHit(std::string_view name) {
  FailpointTable& t = table();
  MutexLock lock(t.mutex);
  if (!t.environment_read) readEnvironmentLocked(t);
  if (t.rules.empty()) return std::nullopt;
  auto hits = t.hits.find(name);
  if (hits == t.hits.end()) hits = t.hits.emplace(std::string(name), 0).first;
  ++hits->second;
  const auto rule = t.rules.find(name);
  if (rule == t.rules.end()) return std::nullopt;
  if (rule->second.hit_number != 0 && rule->second.hit_number != hits->second) return std::nullopt;
  FailpointRule due = rule->second;
  if (due.sleep_ms_max > due.sleep_ms) due.sleep_ms += hits->second * 7919 % (due.sleep_ms_max - due.sleep_ms + 1);
  return due;
}

}  // namespace

Status setFailpoints(std::string_view rules) {
  FailpointTable& t = table();
  MutexLock lock(t.mutex);
  return setRulesLocked(t, rules);
}

int64_t failpointHits(std::string_view name) {
  FailpointTable& t = table();
  MutexLock lock(t.mutex);
  const auto hits = t.hits.find(name);
  return hits == t.hits.end() ? 0 : hits->second;
}

ScopedFailpoint::ScopedFailpoint(std::string_view rules) {
  const Status status = setFailpoints(rules);
  CHECK_MSG(status.isOk(), status.message());
}

ScopedFailpoint::~ScopedFailpoint() {
  const Status status = setFailpoints("");
  CHECK(status.isOk());
}

Status failpoint_internal::hit(std::string_view name) {
  const std::optional<FailpointRule> rule = countHit(name);
  if (!rule) return Status::ok();
  switch (rule->action) {
    case FailpointAction::ERROR: return Status::runtime("failpoint '" + std::string(name) + "' was told to fail");
    case FailpointAction::CRASH:
      std::fprintf(stderr, "failpoint '%.*s' was told to crash\n", static_cast<int>(name.size()), name.data());
      std::fflush(stderr);
      std::raise(SIGKILL);
      std::abort();
    case FailpointAction::SLEEP:
      std::this_thread::sleep_for(std::chrono::milliseconds(rule->sleep_ms));
      return Status::ok();
  }
  return Status::ok();
}

}  // namespace thalweg
