// What a task process says of itself when user code in it crashes, and of a thread of it that does not come back.
//
// A crash is told on standard error: the signal, the task and operator at work (common/base/current_work.h), the stack.
// The process then ends by the same signal. Threads: installCrashReport() before others start; sampleStack() any, one at
// a time.
#pragma once

#include <string>

namespace thalweg {

/// SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT are told. Not those on a stack that has overflowed.
void installCrashReport();

/// The number by which the system knows the calling thread.
int currentThreadNumber();
/// The stack of a thread of this process, a line a frame, innermost first; says so if the thread does not answer.
std::string sampleStack(int thread_number);

/// The exit code of a process in which user code closed descriptors that the engine needs.
constexpr int kDescriptorsClosedCode = 121;
/// Opens a descriptor that nobody uses.
void placeWitness();
/// False if it was closed: user code closed descriptors that are not its own.
bool witnessIsThere();

}  // namespace thalweg
