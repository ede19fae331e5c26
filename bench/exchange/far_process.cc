#include "bench/exchange/far_process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

namespace thalweg::bench {

Result<std::unique_ptr<FarProcess>> FarProcess::start(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), std::filesystem::read_symlink("/proc/self/exe").string());
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) return Status::io("cannot make a pipe");
  const pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(words[0], words.data());
    _exit(127);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return Status::io("cannot start another process");
  }
  return std::unique_ptr<FarProcess>(new FarProcess(pid, fdopen(ends[0], "r")));
}

FarProcess::~FarProcess() {
  std::fclose(output_);
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

Result<std::string> FarProcess::readLine() {
  char line[4096];
  if (std::fgets(line, sizeof(line), output_) == nullptr) return Status::io("the other process ended early");
  std::string text = line;
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace thalweg::bench
