#include "worker/host/task_children.h"

#include <signal.h>

#include <filesystem>

#include "common/log/log.h"
#include "common/process/daemon.h"

namespace thalweg::worker {
namespace {

constexpr size_t kLastLines = 20;

/// Job ids come over the network and become file names.
bool isPlain(const std::string& id) {
  return !id.empty() && id.size() <= 64 && id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

}  // namespace

std::string TaskChildren::logPath(const AttemptKey& key) const { return options_.folder + "/logs/" + key.toString() + ".log"; }

Status TaskChildren::start(const AttemptKey& key, int process, int slots) {
  if (!isPlain(key.job_id)) return Status::invalid("a job id may have lower-case letters, digits and '-' only");
  if (children_.contains(key)) return Status::alreadyExists("there is a process of " + key.toString());
  ChildOptions child;
  child.command = {options_.task_program,
                   "--coordinator", options_.coordinator,
                   "--worker", options_.id,
                   "--job", key.job_id,
                   "--attempt", std::to_string(key.attempt),
                   "--epoch", std::to_string(key.epoch),
                   "--process", std::to_string(process),
                   "--host", options_.host,
                   "--slots", std::to_string(slots)};
  const RpcSecurity& security = options_.security;
  if (security.usesTls()) {
    child.command.insert(child.command.end(), {"--ca", security.ca_file, "--cert", security.cert_file, "--key", security.key_file});
  }
  if (!security.token.empty()) child.environment["THALWEG_TOKEN"] = security.token;
  if (std::getenv("THALWEG_LOG") == nullptr) child.environment["THALWEG_LOG"] = "info";
  child.output_path = logPath(key);
  child.memory_bytes_max = options_.memory_bytes_total * static_cast<size_t>(slots) / static_cast<size_t>(options_.slots);
  ASSIGN_OR_RETURN(auto started, ChildProcess::spawn(child, [this, key](const ChildExit& exit) { loop_.post([this, key, exit] { onExit(key, exit); }); }));
  logs_.push_back(child.output_path);
  removeOldLogs();
  LOG_INFO("worker.host", "a task process was started", {"job", key.job_id}, {"attempt", key.attempt}, {"pid", started->pid()});
  children_[key] = std::move(started);
  return {};
}

bool TaskChildren::stop(const AttemptKey& key) {
  const auto found = children_.find(key);
  if (found == children_.end()) return false;
  found->second->kill(SIGTERM);
  loop_.postAfter(options_.stop_grace_ms, [weak = std::weak_ptr<ChildProcess>(found->second)] {
    if (const auto child = weak.lock()) child->kill(SIGKILL);
  });
  return true;
}

void TaskChildren::onExit(const AttemptKey& key, const ChildExit& exit) {
  const auto found = children_.find(key);
  if (found == children_.end()) return;
  children_.erase(found);
  LOG_INFO("worker.host", "a task process ended", {"job", key.job_id}, {"attempt", key.attempt}, {"how", exit.toString()});
  exited_(key, exit, exit.isClean() ? std::string() : lastLines(logPath(key), kLastLines));
}

std::vector<AttemptKey> TaskChildren::running() const {
  std::vector<AttemptKey> keys;
  for (const auto& [key, child] : children_) keys.push_back(key);
  return keys;
}

std::string TaskChildren::log(const std::string& job_id, size_t lines) const {
  std::string text;
  for (const std::string& path : logs_) {
    if (!std::filesystem::path(path).filename().string().starts_with(job_id + "-")) continue;
    text += lastLines(path, lines);
    if (!text.empty() && text.back() != '\n') text += '\n';
  }
  return text;
}

void TaskChildren::removeOldLogs() {
  std::error_code ignored;
  while (logs_.size() > static_cast<size_t>(options_.logs_retained) + children_.size() + 1) {
    std::filesystem::remove(logs_.front(), ignored);
    logs_.erase(logs_.begin());
  }
}

}  // namespace thalweg::worker
