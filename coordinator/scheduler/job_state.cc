#include "coordinator/scheduler/job_state.h"

#include <array>

namespace thalweg::coordinator {
namespace {

using enum JobState;

struct Transition {
  JobState from;
  JobState to;
};

constexpr std::array kLegal = {
    Transition{INITIALIZING, CREATED},   Transition{INITIALIZING, FAILED},     Transition{INITIALIZING, CANCELED},
    Transition{CREATED, RUNNING},        Transition{CREATED, CANCELED},        Transition{CREATED, FAILED},
    Transition{CREATED, SUSPENDED},      Transition{RUNNING, FINISHED},        Transition{RUNNING, FAILING},
    Transition{RUNNING, CANCELLING},     Transition{RUNNING, SUSPENDED},       Transition{FAILING, FAILED},
    Transition{FAILING, RESTARTING},     Transition{FAILING, CANCELLING},      Transition{FAILING, SUSPENDED},
    Transition{CANCELLING, CANCELED},    Transition{CANCELLING, SUSPENDED},    Transition{RESTARTING, CREATED},
    Transition{RESTARTING, CANCELED},    Transition{RESTARTING, SUSPENDED},
};

constexpr std::array<std::string_view, kJobStates> kNames = {"INITIALIZING", "CREATED",  "RUNNING",  "FAILING",    "FAILED",
                                                             "CANCELLING",   "CANCELED", "FINISHED", "RESTARTING", "SUSPENDED"};

}  // namespace

std::string_view jobStateName(JobState state) { return kNames[static_cast<size_t>(state)]; }

bool isLegalTransition(JobState from, JobState to) {
  for (const Transition& legal : kLegal) {
    if (legal.from == from && legal.to == to) return true;
  }
  return false;
}

bool isTerminal(JobState state) { return state == FAILED || state == CANCELED || state == FINISHED || state == SUSPENDED; }

}  // namespace thalweg::coordinator
