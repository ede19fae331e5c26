#include "client/shell/interrupt.h"

#include <csignal>

namespace thalweg::shell {
namespace {

volatile std::sig_atomic_t pressed = 0;

void onSignal(int) { pressed = 1; }

}  // namespace

void catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = onSignal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return pressed != 0; }

void clearInterrupt() { pressed = 0; }

}  // namespace thalweg::shell
