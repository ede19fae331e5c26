// What daemons do at their beginning and end: wait for the signal to stop, and leave word of themselves in a folder.
//
// Threads: blockTermination before any thread is started; the rest any.
#pragma once

#include <string>

#include "common/base/status.h"

namespace thalweg {

/// SIGTERM and SIGINT no longer end the process but waitForTermination(). SIGPIPE is ignored.
void blockTermination();
/// The signal that came.
int waitForTermination();
/// Ends waitForTermination() from within.
void requestTermination();

/// The last `lines_max` lines of a file, at most 64 KiB, as printable text; empty if there is none.
std::string lastLines(const std::string& path, size_t lines_max);
/// Replaces a file: after a crash the old or the new content is there, in full.
Status writeWhole(const std::string& path, std::string_view content);
Result<std::string> readWhole(const std::string& path);
/// Bytes of memory that this process has in use (VmRSS).
size_t residentBytes();
/// The same of another process; 0 if there is none.
size_t residentBytesOf(int pid);
/// `bytes` random bytes in hexadecimal, from the system.
std::string randomHex(size_t bytes);

}  // namespace thalweg
