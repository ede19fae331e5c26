// Handlers may call what is async-signal-safe only. backtrace() is in practice, once its library is loaded, which
// installCrashReport() sees to; it does not allocate then.
#include "common/process/crash_report.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>

#include "common/base/current_work.h"

namespace thalweg {
namespace {

constexpr int kFramesMax = 32;
constexpr int kSampleWaitMs = 500;

void say(const char* text) {
  if (text != nullptr) (void)!write(STDERR_FILENO, text, strlen(text));
}

void onCrash(int number) {
  if (!witnessIsThere()) {
    say("\nthalweg: user code closed descriptors that are not its own\n");
    _exit(kDescriptorsClosedCode);
  }
  const CurrentWork& work = currentWork();
  say("\nthalweg: ");
  say(sigdescr_np(number));
  if (const char* task = work.task.load()) {
    say(" in task '");
    say(task);
    say("'");
  }
  if (const char* op = work.op.load()) {
    say(", operator '");
    say(op);
    say("'");
  }
  say("; the stack:\n");
  void* frames[kFramesMax];
  backtrace_symbols_fd(frames, backtrace(frames, kFramesMax), STDERR_FILENO);
  signal(number, SIG_DFL);
  raise(number);
}

// One sample at a time: the thread asked for, then its answer.
std::atomic<int> sampled_thread{0};
std::atomic<int> sampled_frames{-1};
void* sampled[kFramesMax];

int sampleSignal() { return SIGRTMAX - 2; }

void onSample(int) {
  const int error = errno;
  if (sampled_thread.load() == currentThreadNumber()) {
    const int count = backtrace(sampled, kFramesMax);
    sampled_thread.store(0);
    sampled_frames.store(count);
  }
  errno = error;
}

void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

std::string frameText(void* address) {
  Dl_info info{};
  char text[64];
  std::snprintf(text, sizeof(text), "%p", address);
  if (dladdr(address, &info) == 0) return text;
  std::string line;
  if (info.dli_sname != nullptr) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status), std::free);
    line = status == 0 ? name.get() : info.dli_sname;
  }
  std::snprintf(text, sizeof(text), "+0x%zx", static_cast<size_t>(static_cast<char*>(address) - static_cast<char*>(info.dli_fbase)));
  return line + (line.empty() ? "" : "  ") + "(" + (info.dli_fname != nullptr ? info.dli_fname : "") + text + ")";
}

/// A pipe of nobody's: who closes it closes what is not his.
struct Witness {
  int ends[2] = {-1, -1};
  ino_t file = 0;
};
Witness witness;

}  // namespace

void installCrashReport() {
  void* frames[1];
  (void)backtrace(frames, 1);
  // A stack of its own, for the thread that installs it: others crash on theirs.
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) handle(number, onCrash, static_cast<int>(SA_RESETHAND) | SA_NODEFER);
  handle(sampleSignal(), onSample, SA_RESTART);
}

int currentThreadNumber() { return static_cast<int>(syscall(SYS_gettid)); }

std::string sampleStack(int thread_number) {
  sampled_frames.store(-1);
  sampled_thread.store(thread_number);
  if (syscall(SYS_tgkill, getpid(), thread_number, sampleSignal()) != 0) return "(the thread has ended)\n";
  for (int waited = 0; sampled_frames.load() < 0 && waited < kSampleWaitMs; ++waited) {
    const timespec millisecond{0, 1000000};
    nanosleep(&millisecond, nullptr);
  }
  const int count = sampled_frames.load();
  sampled_thread.store(0);
  if (count < 0) return "(the thread does not answer)\n";
  std::string text;
  for (int i = 2; i < count; ++i) text += "  " + frameText(sampled[i]) + "\n";     // below the handler and its trampoline
  return text;
}

void placeWitness() {
  struct stat found {};
  if (pipe2(witness.ends, O_CLOEXEC) == 0 && fstat(witness.ends[0], &found) == 0) witness.file = found.st_ino;
}

bool witnessIsThere() {
  if (witness.file == 0) return true;
  struct stat found {};
  return fstat(witness.ends[0], &found) == 0 && found.st_ino == witness.file;
}

}  // namespace thalweg
