#include "worker/host/task_children.h"

#include <signal.h>

#include <filesystem>

#include "common/log/log.h"
#include "common/process/crash_report.h"
#include "common/process/daemon.h"
#include "common/rpc/program_start.h"

namespace thalweg::worker {
namespace {

constexpr size_t kLastLines = 40;
constexpr uintmax_t kLogBytesMax = uintmax_t{64} << 20;

/// Job ids come over the network and become file names.
bool isPlain(const std::string& id) {
  return !id.empty() && id.size() <= 64 && id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

}  // namespace

std::string TaskChildren::logPath(const AttemptKey& key) const { return options_.folder + "/logs/" + key.toString() + ".log"; }

void TaskChildren::callTask(ChildOptions& child, const AttemptKey& key, int process, int slots) const {
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
}

Status TaskChildren::callProgram(ChildOptions& child, const AttemptKey& key, int process, int slots, const ChildProgram& program) const {
  std::error_code error;
  if (!std::filesystem::is_directory(program.working_directory, error)) {
    return Status::io("the directory in which the program was submitted, " + program.working_directory +
                      ", does not exist here; run it from one that exists on every worker, '/' for instance");
  }
  ProgramStart start;
  start.mode = ProgramStart::Mode::TASK;
  start.coordinator = options_.coordinator;
  start.security = options_.security;
  for (std::string* file : {&start.security.ca_file, &start.security.cert_file, &start.security.key_file}) {
    if (!file->empty()) *file = std::filesystem::absolute(*file, error).string();
  }
  start.program = program.program;
  start.plan_time_ms = program.plan_time_ms;
  start.worker_id = options_.id;
  start.job_id = key.job_id;
  start.attempt = key.attempt;
  start.epoch = key.epoch;
  start.process = process;
  start.host = options_.host;
  start.slots = slots;
  child.command = {program.path};
  child.command.insert(child.command.end(), program.program.arguments.begin(), program.program.arguments.end());
  child.called_as = program.program.name;
  child.working_directory = program.working_directory;
  child.environment = program.program.environment;
  child.environment[ProgramStart::kVariable] = start.encode();
  return {};
}

Status TaskChildren::start(const AttemptKey& key, int process, int slots, const ChildProgram* program) {
  if (!isPlain(key.job_id)) return Status::invalid("a job id may have lower-case letters, digits and '-' only");
  if (children_.contains(key)) return Status::alreadyExists("there is a process of " + key.toString());
  ChildOptions child;
  if (program == nullptr) callTask(child, key, process, slots);
  else RETURN_IF_ERROR(callProgram(child, key, process, slots, *program));
  if (std::getenv("THALWEG_LOG") == nullptr) child.environment["THALWEG_LOG"] = "info";
  child.output_path = logPath(key);
  child.memory_bytes_max = options_.memory_bytes_total * static_cast<size_t>(slots) / static_cast<size_t>(options_.slots);
  ASSIGN_OR_RETURN(auto started, ChildProcess::spawn(child, [this, key](const ChildExit& exit) { loop_.post([this, key, exit] { onExit(key, exit); }); }));
  logs_.push_back(child.output_path);
  removeOldLogs();
  LOG_INFO("worker.host", "a task process was started", {"job", key.job_id}, {"attempt", key.attempt}, {"pid", started->pid()});
  children_[key] = {std::move(started), child.memory_bytes_max};
  return {};
}

bool TaskChildren::stop(const AttemptKey& key) {
  const auto found = children_.find(key);
  if (found == children_.end()) return false;
  found->second.stopped = true;
  found->second.process->kill(SIGTERM);
  loop_.postAfter(options_.stop_grace_ms, [weak = std::weak_ptr<ChildProcess>(found->second.process), killed = found->second.killed] {
    const auto child = weak.lock();
    if (!child) return;
    *killed = true;
    child->kill(SIGKILL);
  });
  return true;
}

void TaskChildren::onExit(const AttemptKey& key, const ChildExit& exit) {
  const auto found = children_.find(key);
  if (found == children_.end()) return;
  ChildEnd end{exit, found->second.stopped, *found->second.killed, found->second.cause};
  if (exit.code == kDescriptorsClosedCode) end.cause = "ended because user code closed descriptors that are not its own";
  children_.erase(found);
  LOG_INFO("worker.host", "a task process ended", {"job", key.job_id}, {"attempt", key.attempt}, {"how", end.toString()});
  if (!end.isClean()) end.last_lines = lastLines(logPath(key), kLastLines);
  exited_(key, end);
}

void TaskChildren::watch() {
  for (auto& [key, child] : children_) {
    const size_t resident = residentBytesOf(child.process->pid());
    if (child.memory_bytes_max > 0 && resident > child.memory_bytes_max && child.cause.empty()) {
      child.cause = "had taken " + std::to_string(resident >> 20) + " MB of memory, over its limit of " + std::to_string(child.memory_bytes_max >> 20) +
                    " MB (its slots' share of 'taskmanager.memory.process.size'), and was killed";
      child.process->kill(SIGKILL);
    }
    std::error_code error;
    const auto log_bytes = std::filesystem::file_size(logPath(key), error);
    if (error || log_bytes <= kLogBytesMax) continue;
    std::filesystem::resize_file(logPath(key), 0, error);     // the process appends
    LOG_WARN("worker.host", "the log of a task process was emptied: it had grown too long", {"job", key.job_id}, {"bytes", log_bytes});
  }
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
