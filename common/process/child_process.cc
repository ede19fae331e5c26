#include "common/process/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <thread>

#include "common/base/mutex.h"

extern char** environ;

namespace thalweg {
namespace {

/// Everything the child needs, made before the fork: after it only async-signal-safe calls are allowed.
struct Prepared {
  explicit Prepared(const ChildOptions& options) {
    for (const std::string& word : options.command) arguments.push_back(const_cast<char*>(word.c_str()));
    if (!options.called_as.empty()) arguments[0] = const_cast<char*>(options.called_as.c_str());
    arguments.push_back(nullptr);
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string text = *entry;
      if (options.environment.count(text.substr(0, text.find('='))) == 0) variables.push_back(text);
    }
    for (const auto& [key, value] : options.environment) variables.push_back(key + "=" + value);
    for (std::string& variable : variables) environment.push_back(variable.data());
    environment.push_back(nullptr);
  }
  std::vector<char*> arguments;
  std::vector<std::string> variables;
  std::vector<char*> environment;
};

[[noreturn]] void becomeChild(const ChildOptions& options, Prepared& prepared, int output, int parent, int failure) {
  if (options.dies_with_parent) {
    setpgid(0, 0);                            // what it forks is ended with it
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
  } else {
    setsid();
  }
  const int none = open("/dev/null", O_RDWR);
  dup2(none, STDIN_FILENO);
  dup2(output >= 0 ? output : none, STDOUT_FILENO);
  dup2(output >= 0 ? output : none, STDERR_FILENO);
  const int kept = failure == 3 ? 3 : dup2(failure, 3);
  fcntl(kept, F_SETFD, FD_CLOEXEC);
  syscall(SYS_close_range, 4U, ~0U, 0U);
  sigset_t signals;
  sigemptyset(&signals);
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  signal(SIGPIPE, SIG_DFL);
  if (options.memory_bytes_max > 0) {
    const rlimit limit{options.memory_bytes_max, options.memory_bytes_max};
    setrlimit(RLIMIT_DATA, &limit);
  }
  int error = 0;
  if (!options.working_directory.empty() && chdir(options.working_directory.c_str()) != 0) error = errno;
  if (error == 0) {
    execve(options.command[0].c_str(), prepared.arguments.data(), prepared.environment.data());
    error = errno;
  }
  (void)!write(kept, &error, sizeof(error));
  _exit(127);
}

Result<int> start(const ChildOptions& options) {
  Prepared prepared(options);
  int output = -1;
  if (!options.output_path.empty()) {
    output = open(options.output_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (output < 0) return Status::io("cannot write " + options.output_path + ": " + std::strerror(errno));
  }
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) {
    const int error = errno;
    if (output >= 0) close(output);
    return Status::exhausted(std::string("no pipe for a child: ") + std::strerror(error));
  }
  const int parent = getpid();
  const int pid = fork();
  if (pid == 0) becomeChild(options, prepared, output, parent, failure[1]);
  const int fork_error = errno;
  if (output >= 0) close(output);
  close(failure[1]);
  int error = 0;
  const bool failed = pid > 0 && read(failure[0], &error, sizeof(error)) == sizeof(error);
  close(failure[0]);
  if (pid < 0) return Status::exhausted(std::string("cannot start a process: ") + std::strerror(fork_error));
  if (!failed) return pid;
  waitpid(pid, nullptr, 0);
  return Status::io("cannot start " + options.command[0] + ": " + std::strerror(error));
}

}  // namespace

std::string ChildExit::toString() const {
  if (signal != 0) return "was killed by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  return "exited with code " + std::to_string(code);
}

struct ChildProcess::Watch {
  Mutex mutex;
  bool reaped GUARDED_BY(mutex) = false;
  std::thread thread;
};

Result<std::unique_ptr<ChildProcess>> ChildProcess::spawn(const ChildOptions& options, std::function<void(ChildExit)> on_exit) {
  ASSIGN_OR_RETURN(const int pid, start(options));
  auto watch = std::make_shared<Watch>();
  watch->thread = std::thread([watch = watch.get(), pid, group = options.dies_with_parent, told = std::move(on_exit)] {
    siginfo_t info{};
    while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
    if (group) ::kill(-pid, SIGKILL);         // its children, which nobody else knows
    int status = 0;
    {
      const MutexLock lock(watch->mutex);   // between the child's end and its reaping its number is still its own
      waitpid(pid, &status, 0);
      watch->reaped = true;
    }
    ChildExit exit;
    if (WIFSIGNALED(status)) exit.signal = WTERMSIG(status);
    else exit.code = WEXITSTATUS(status);
    told(exit);
  });
  return std::unique_ptr<ChildProcess>(new ChildProcess(pid, std::move(watch)));
}

ChildProcess::~ChildProcess() {
  kill(SIGKILL);
  watch_->thread.join();
}

void ChildProcess::kill(int signal) {
  const MutexLock lock(watch_->mutex);
  if (!watch_->reaped) ::kill(pid_, signal);
}

Result<int> spawnDetached(const ChildOptions& options) {
  ChildOptions detached = options;
  detached.dies_with_parent = false;
  return start(detached);
}

std::string programBeside(const std::string& name) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (self.parent_path() / name).string();
}

}  // namespace thalweg
