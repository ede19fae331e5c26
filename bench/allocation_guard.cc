// A guard without a clock: five queries may not take more memory allocations an event than they are known to need, and must
// send as many rows as they are known to send.
//
// What makes this engine slow again is most often work a row where there was work a batch: a string, a vector, a node of a
// tree for every row. That shows as allocations. The limits are twice what was counted when they were set; batches may be
// cut differently from run to run, which moves the counts by a few per cent. Rows are exact: what a query sends without
// mini-batch does not depend on batches, and rows sent in vain (updates that change nothing) are work for all that follows.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <new>

#include "bench/json_line.h"
#include "bench/nexmark_job.h"

namespace {

std::atomic<uint64_t> allocations{0};

void* counted(size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}

struct Limit {
  const char* query;
  double per_thousand_events;
  int64_t rows_out;
};

constexpr Limit kLimits[] = {
    {"q0", 80, 184'000}, {"q5", 120, 5}, {"q17", 200, 356'012}, {"q20", 430, 30'466}, {"q22", 105, 184'000},
};
constexpr int64_t kEvents = 200'000;

}  // namespace

void* operator new(size_t bytes) { return counted(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

/// Buffers of columns come from here.
extern "C" void* aligned_alloc(size_t alignment, size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
}

namespace {

struct Count {
  double per_thousand_events = 0;
  int64_t rows_out = 0;
};

/// What one query cost and sent, or a failure.
thalweg::Result<Count> countOf(const char* folder, const char* query) {
  thalweg::bench::NexmarkOptions options;
  options.folder = folder;
  options.events = kEvents;
  options.parallelism = 1;
  const uint64_t before = allocations.load();
  ASSIGN_OR_RETURN(const std::string line, thalweg::bench::runNexmarkQuery(options, query));
  const uint64_t taken = allocations.load() - before;
  return Count{static_cast<double>(taken) * 1000 / static_cast<double>(kEvents), static_cast<int64_t>(thalweg::bench::number(line, "rows_out"))};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  // The first query of a process also pays for registries and shared texts.
  if (const auto first = countOf(argv[1], "source"); !first.isOk()) {
    std::cout << first.status().message() << '\n';
    return 1;
  }
  int code = 0;
  for (const Limit& limit : kLimits) {
    const auto found = countOf(argv[1], limit.query);
    if (!found.isOk()) {
      std::cout << limit.query << ": " << found.status().message() << '\n';
      return 1;
    }
    const bool holds = found->per_thousand_events <= limit.per_thousand_events;
    std::cout << std::fixed << std::setprecision(1) << limit.query << ": " << found->per_thousand_events << " allocations a thousand events, at most "
              << limit.per_thousand_events << (holds ? "" : "  TOO MANY") << ", " << found->rows_out << " rows"
              << (found->rows_out == limit.rows_out ? "" : ", expected " + std::to_string(limit.rows_out)) << std::endl;
    if (!holds || found->rows_out != limit.rows_out) code = 1;
  }
  return code;
}
