#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <iomanip>
#include <sstream>
#include <thread>

#include "bench/resource_use.h"
#include "bench/tier_bench.h"
#include "common/base/hash.h"
#include "common/time/clock.h"
#include "worker/state/hot_keyed_state_store.h"
#include "worker/state/process_memory.h"
#include "worker/task/asio_executor.h"

namespace thalweg::bench {
namespace {

constexpr size_t kBatchRows = 8192;
constexpr size_t kSliceWork = 100'000;          // as a subtask does
constexpr double kMegabyte = 1024.0 * 1024.0;

/// A store with one table of numbered keys.
struct NumberedStore {
  NumberedStore(const TierOptions& options, std::shared_ptr<worker::ColdTier> tier) : store({.cold = std::move(tier)}) {
    spec.name = "counts";
    spec.payload_bytes = static_cast<size_t>(options.payload_bytes) / 8 * 8;
    spec.fixed_keys = true;
    keys.fixed = keys.has_words = true;
  }

  Status open() {
    ASSIGN_OR_RETURN(table, store.openTable(spec));
    return {};
  }

  /// Every `step`-th key.
  Status update(int64_t key_count, int64_t step) {
    for (int64_t key = 0; key < key_count;) RETURN_IF_ERROR(updateBatch(key, key_count, step));
    return {};
  }

  /// From `key` on, which goes on.
  Status updateBatch(int64_t& key, int64_t key_count, int64_t step) {
    payloads.resize(kBatchRows);
    keys.words.clear();
    keys.hashes.clear();
    for (; key < key_count && keys.words.size() < kBatchRows; key += step) {
      // As they come, not as they were made.
      const uint64_t mixed = static_cast<uint64_t>(key) * 7919 / static_cast<uint64_t>(step) * static_cast<uint64_t>(step) % static_cast<uint64_t>(key_count);
      const uint64_t word = step == 1 ? static_cast<uint64_t>(key) : mixed;
      const uint64_t big_endian = __builtin_bswap64(word);
      keys.words.push_back(word);
      keys.hashes.push_back(hashBytes({reinterpret_cast<const char*>(&big_endian), sizeof(big_endian)}));
    }
    keys.size = keys.words.size();
    RETURN_IF_ERROR(table->upsert(0, keys, payloads, {}));
    for (size_t i = 0; i < keys.size; ++i) ++*reinterpret_cast<int64_t*>(payloads[i]);
    return store.relieve();
  }

  worker::HotKeyedStateStore store;
  KeyedTableSpec spec;
  KeyBatch keys;
  KeyedTable* table = nullptr;
  std::vector<char*> payloads;
};

/// Of the calling thread: what a machine that is busy with other things does not change.
double threadCpuMs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

double partOf(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<size_t>(part * static_cast<double>(values.size())))];
}

/// Snapshots beside updates of a tenth of the keys, in slices as a subtask takes them: CPU time of the one thread that does both.
Result<std::string> snapshotsBesideWork(NumberedStore& store, int64_t key_count) {
  constexpr int kSnapshots = 10;
  constexpr double kBetweenSlicesMs = 4;
  std::vector<double> begins;
  std::vector<double> slices;
  std::vector<double> totals;
  std::vector<double> durations;
  double alone_ms = 0;
  double beside_ms = 0;
  double alone_rows = 0;
  double beside_rows = 0;
  int64_t key = 0;
  const auto work = [&](double& ms, double& rows) -> Status {
    if (key >= key_count) key = 0;
    const double begin = threadCpuMs();
    RETURN_IF_ERROR(store.updateBatch(key, key_count, 10));
    ms += threadCpuMs() - begin;
    rows += static_cast<double>(store.keys.size);
    return {};
  };
  for (int i = 0; i < kSnapshots; ++i) {
    for (int64_t rows = 0; rows < key_count / 5; rows += static_cast<int64_t>(kBatchRows)) RETURN_IF_ERROR(work(alone_ms, alone_rows));
    const ResourceUse start = ResourceUse::now();
    double begin = threadCpuMs();
    RETURN_IF_ERROR(store.store.beginSnapshot({}));
    begins.push_back(threadCpuMs() - begin);
    double total = begins.back();
    for (double worked_ms = 0;;) {
      begin = threadCpuMs();
      const worker::CaptureProgress progress = store.store.captureSome(kSliceWork);
      slices.push_back(threadCpuMs() - begin);
      total += slices.back();
      if (progress == worker::CaptureProgress::READY) break;
      for (worked_ms = 0; worked_ms < kBetweenSlicesMs;) {
        const double before = beside_ms;
        RETURN_IF_ERROR(work(beside_ms, beside_rows));
        worked_ms += beside_ms - before;
      }
    }
    begin = threadCpuMs();
    RETURN_IF_ERROR(store.store.takeSnapshot().status());
    total += threadCpuMs() - begin;
    beside_ms += total;
    totals.push_back(total);
    durations.push_back(ResourceUse::now().since(start).wall_seconds * 1000);
  }
  std::ostringstream line;
  line << std::fixed << std::setprecision(2) << ", \"beside_snapshots\": " << kSnapshots << ", \"beside_begin_cpu_ms_max\": " << partOf(begins, 1)
       << ", \"beside_slices\": " << slices.size() << ", \"beside_slice_cpu_ms_p50\": " << partOf(slices, 0.5) << ", \"beside_slice_cpu_ms_p99\": "
       << partOf(slices, 0.99) << ", \"beside_slice_cpu_ms_max\": " << partOf(slices, 1) << ", \"beside_capture_cpu_ms_p50\": " << partOf(totals, 0.5)
       << ", \"beside_wall_ms_p50\": " << partOf(durations, 0.5) << std::setprecision(0) << ", \"rows_per_thread_second\": " << alone_rows / alone_ms * 1000
       << ", \"rows_per_thread_second_during\": " << beside_rows / beside_ms * 1000;
  return line.str();
}

}  // namespace

Result<std::string> runSnapshotBench(const TierOptions& options) {
  const std::string folder = options.folder + "/thalweg-bench-snapshot";
  worker::AsioExecutor executor(systemClock());
  ASSIGN_OR_RETURN(auto tier, worker::ColdTier::make({.folder = folder, .memory_bytes = uint64_t{64} << 30, .executor = &executor}));
  NumberedStore first(options, tier);
  RETURN_IF_ERROR(first.open());
  RETURN_IF_ERROR(first.update(options.keys, 1));
  std::ostringstream line;
  line << std::fixed << std::setprecision(1) << "{\"bench\": \"snapshot\", \"keys\": " << options.keys << ", \"payload_bytes\": " << options.payload_bytes;
  worker::KeyedSnapshot snapshot;
  const auto measure = [&](const char* name) -> Status {
    const uint64_t resident = worker::ProcessMemory::now().resident_bytes;
    const ResourceUse start = ResourceUse::now();
    double slice_ms_max = 0;
    RETURN_IF_ERROR(first.store.beginSnapshot({}));
    const double begin_ms = ResourceUse::now().since(start).wall_seconds * 1000;
    for (;;) {
      const ResourceUse slice_start = ResourceUse::now();
      const worker::CaptureProgress progress = first.store.captureSome(kSliceWork);
      slice_ms_max = std::max(slice_ms_max, ResourceUse::now().since(slice_start).wall_seconds * 1000);
      if (progress == worker::CaptureProgress::READY) break;
      if (progress == worker::CaptureProgress::WRITING) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSIGN_OR_RETURN(snapshot, first.store.takeSnapshot());
    const ResourceUse used = ResourceUse::now().since(start);
    uint64_t bytes = 0;
    for (const auto& run : snapshot.runs) bytes += run->sizeBytes();
    line << ", \"" << name << "_ms\": " << used.wall_seconds * 1000 << ", \"" << name << "_cpu_ms\": " << used.cpu_seconds * 1000 << ", \"" << name << "_begin_ms\": "
         << begin_ms << ", \"" << name << "_slice_ms_max\": " << slice_ms_max << ", \"" << name << "_resident_more_mb\": "
         << (static_cast<double>(worker::ProcessMemory::now().resident_bytes) - static_cast<double>(resident)) / kMegabyte << ", \"" << name
         << "_runs_mb\": " << static_cast<double>(bytes) / kMegabyte;
    return {};
  };
  RETURN_IF_ERROR(measure("all"));
  RETURN_IF_ERROR(first.update(options.keys, 10));
  RETURN_IF_ERROR(measure("tenth"));
  ASSIGN_OR_RETURN(const std::string beside, snapshotsBesideWork(first, options.keys));
  line << beside;
  for (const bool to_other_parallelism : {false, true}) {
    ASSIGN_OR_RETURN(auto other, worker::ColdTier::make({.folder = folder + "-again", .memory_bytes = uint64_t{64} << 30}));
    worker::HotStateOptions restored;
    restored.cold = other;
    if (to_other_parallelism) restored.key_groups = {0, 64};
    worker::HotKeyedStateStore store(restored);
    const ResourceUse start = ResourceUse::now();
    for (const auto& run : snapshot.runs) RETURN_IF_ERROR(run->verify());
    RETURN_IF_ERROR(store.restore({&snapshot, 1}));
    RETURN_IF_ERROR(store.openTable(first.spec).status());
    line << (to_other_parallelism ? ", \"restore_half_ms\": " : ", \"restore_ms\": ") << ResourceUse::now().since(start).wall_seconds * 1000;
  }
  line << "}";
  return line.str();
}

}  // namespace thalweg::bench
