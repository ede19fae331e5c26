// Speed and size of the hot tier: `test_worker_state "[.bench]"`.
#include "worker/state/hot_keyed_table.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>

#include "common/base/random.h"
#include "tests/unit/worker/state/key_batches.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr size_t kBatchRows = 8192;

double seconds(SteadyClock::time_point since) { return std::chrono::duration<double>(SteadyClock::now() - since).count(); }

/// VmHWM (peak) and VmRSS of this process in bytes.
size_t residentBytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field)) return std::stoull(line.substr(field.size() + 1)) * 1024;
  }
  return 0;
}

void measureUpserts(uint64_t distinct, size_t payload_bytes, size_t rows) {
  KeyedTableSpec spec = numberTable("t", true);
  spec.payload_bytes = payload_bytes;
  HotKeyedTable table(std::move(spec), {});
  Random random(1);
  std::vector<KeyBatch> batches;
  for (size_t i = 0; i < std::max<size_t>(1, std::min<size_t>(rows, 4 * distinct) / kBatchRows); ++i) {
    std::vector<uint64_t> words(kBatchRows);
    for (uint64_t& word : words) word = random.nextBelow(distinct);
    batches.push_back(fixedKeys(words));
  }
  std::vector<char*> payloads(kBatchRows);
  for (const KeyBatch& batch : batches) (void)table.upsert(0, batch, payloads, {});
  const auto begin = SteadyClock::now();
  size_t done = 0;
  while (done < rows) {
    for (const KeyBatch& batch : batches) {
      (void)table.upsert(0, batch, payloads, {});
      for (char* payload : payloads) ++numberAt(payload);
      done += kBatchRows;
    }
  }
  std::printf("%9zu keys, payload %2zu: %6.1f M upserts/s, %.1f bytes/key\n", table.size(), payload_bytes,
              static_cast<double>(done) / seconds(begin) / 1e6, static_cast<double>(table.memoryBytes()) / static_cast<double>(table.size()));
}

}  // namespace

TEST_CASE("upserts per second", "[.bench]") {
  for (const uint64_t distinct : {1'000u, 100'000u, 1'000'000u, 10'000'000u}) measureUpserts(distinct, 8, 40'000'000);
  measureUpserts(1'000'000, 24, 40'000'000);
}

TEST_CASE("bytes per key at ten million keys, growth included", "[.bench]") {
  for (const size_t payload_bytes : {8u, 24u}) {
    const auto pool = std::make_shared<MemoryPool>("bench");
    const size_t before = residentBytes("VmRSS:");
    const MemoryPool::Scope scope(pool);
    KeyedTableSpec spec = numberTable("t", true);
    spec.payload_bytes = payload_bytes;
    HotKeyedTable table(std::move(spec), {});
    std::vector<char*> payloads(kBatchRows);
    std::vector<uint64_t> words(kBatchRows);
    constexpr uint64_t kKeys = 10'000'000;
    const auto begin = SteadyClock::now();
    for (uint64_t key = 0; key < kKeys; key += kBatchRows) {
      for (size_t i = 0; i < kBatchRows; ++i) words[i] = key + i;
      (void)table.upsert(0, fixedKeys(words), payloads, {});
    }
    const double elapsed = seconds(begin);
    const double keys = static_cast<double>(table.size());
    std::printf("payload %2zu: peak %.1f bytes/key accounted, %.1f resident; end %.1f; %.1f M new keys/s\n", payload_bytes,
                static_cast<double>(pool->peakBytes()) / keys, static_cast<double>(residentBytes("VmHWM:") - before) / keys,
                static_cast<double>(table.memoryBytes()) / keys, keys / elapsed / 1e6);
  }
}

}  // namespace thalweg::worker
