// Counts by jemalloc where it is linked, else by the system alone.
#include "worker/state/process_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

extern "C" int mallctl(const char* name, void* old, size_t* old_bytes, void* fresh, size_t fresh_bytes) __attribute__((weak));

namespace thalweg::worker {
namespace {

uint64_t residentBytes() {
  static const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  char text[128];
  const ssize_t got = ::pread(file, text, sizeof(text) - 1, 0);
  if (got <= 0) return 0;
  text[got] = '\0';
  char* at = nullptr;
  (void)std::strtoull(text, &at, 10);                    // the first number is of addresses
  return std::strtoull(at, nullptr, 10) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

uint64_t allocatorCount(const char* name) {
  uint64_t count = 0;
  size_t size = sizeof(count);
  return mallctl(name, &count, &size, nullptr, 0) == 0 ? count : 0;
}

}  // namespace

ProcessMemory ProcessMemory::now() {
  ProcessMemory memory;
  memory.resident_bytes = memory.active_bytes = memory.allocated_bytes = residentBytes();
  if (mallctl == nullptr) return memory;
  uint64_t epoch = 1;
  size_t size = sizeof(epoch);
  if (mallctl("epoch", &epoch, &size, &epoch, size) != 0) return memory;
  const uint64_t held = allocatorCount("stats.resident");
  const uint64_t others = memory.resident_bytes > held ? memory.resident_bytes - held : 0;   // code, stacks
  memory.active_bytes = others + allocatorCount("stats.active");
  memory.allocated_bytes = others + allocatorCount("stats.allocated");
  return memory;
}

void ProcessMemory::trim() {
  if (mallctl != nullptr) (void)mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);   // 4096: all arenas
}

void ProcessMemory::holdBackLess() {
  if (mallctl == nullptr) return;
  ssize_t milliseconds = 200;
  for (const char* name : {"arenas.dirty_decay_ms", "arena.4096.dirty_decay_ms", "arenas.muzzy_decay_ms", "arena.4096.muzzy_decay_ms"}) {
    (void)mallctl(name, nullptr, nullptr, &milliseconds, sizeof(milliseconds));
  }
}

}  // namespace thalweg::worker
