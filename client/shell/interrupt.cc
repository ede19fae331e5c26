#include "client/shell/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "common/base/check.h"

namespace thalweg::shell {
namespace {

volatile std::sig_atomic_t pressed = 0;
int pipe_ends[2] = {-1, -1};

/// Any thread may be the one that is interrupted; the pipe wakes the one that waits for input.
void onSignal(int) {
  const int kept = errno;
  pressed = 1;
  [[maybe_unused]] const ssize_t written = write(pipe_ends[1], "", 1);
  errno = kept;
}

}  // namespace

void catchInterrupts() {
  if (pipe_ends[0] == -1) CHECK(pipe2(pipe_ends, O_NONBLOCK | O_CLOEXEC) == 0);
  struct sigaction action = {};
  action.sa_handler = onSignal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return pressed != 0; }

void clearInterrupt() {
  char bytes[64];
  while (pipe_ends[0] != -1 && read(pipe_ends[0], bytes, sizeof(bytes)) > 0) {
  }
  pressed = 0;
}

int interruptDescriptor() { return pipe_ends[0]; }

}  // namespace thalweg::shell
