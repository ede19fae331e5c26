#include "bench/tier_bench.h"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <cmath>
#include <filesystem>
#include <iomanip>
#include <sstream>

#include "bench/resource_use.h"
#include "common/base/hash.h"
#include "worker/state/hot_keyed_state_store.h"
#include "worker/state/process_memory.h"

namespace thalweg::bench {
namespace {

constexpr size_t kBatchRows = 8192;
constexpr double kMegabyte = 1024.0 * 1024.0;

/// Keys of a run, evenly or by Zipf's law (by rejection, so that no table of weights is needed).
class KeySource {
 public:
  explicit KeySource(const TierOptions& options) : keys_(static_cast<uint64_t>(options.keys)), skew_(options.skew) {}

  uint64_t next() {
    if (skew_ <= 0) return scaled(word());
    const double b = std::pow(2.0, skew_ - 1);
    for (;;) {
      const double u = unit();
      const double v = unit();
      const double x = std::floor(std::pow(u, -1 / (skew_ - 1)));
      const double t = std::pow(1 + 1 / x, skew_ - 1);
      if (v * x * (t - 1) / (b - 1) > t / b || x > static_cast<double>(keys_)) continue;
      return static_cast<uint64_t>(x) * 0x9e3779b97f4a7c15ULL % keys_;
    }
  }

 private:
  uint64_t word() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return state_;
  }
  double unit() { return static_cast<double>((word() >> 11) + 1) / 9007199254740993.0; }
  uint64_t scaled(uint64_t word) const { return static_cast<uint64_t>((static_cast<unsigned __int128>(word) * keys_) >> 64); }

  const uint64_t keys_;
  const double skew_;
  uint64_t state_ = 1;
};

std::string wordOf(uint64_t key) {
  key = __builtin_bswap64(key);
  return {reinterpret_cast<const char*>(&key), sizeof(key)};
}

struct Measured {
  double cpu_seconds = 0;
  uint64_t resident_bytes_max = 0;
};

/// A count in each payload; all counts are checked at the end.
Result<Measured> updateInTier(const TierOptions& options, uint64_t memory_bytes) {
  ASSIGN_OR_RETURN(auto tier, worker::ColdTier::make({.folder = options.folder + "/thalweg-bench-tier", .memory_bytes = memory_bytes}));
  worker::HotKeyedStateStore store({.cold = tier});
  KeyedTableSpec spec;
  spec.name = "counts";
  spec.payload_bytes = static_cast<size_t>(options.payload_bytes) / 8 * 8;
  spec.fixed_keys = true;
  ASSIGN_OR_RETURN(KeyedTable * table, store.openTable(spec));
  KeySource source(options);
  KeyBatch keys;
  keys.fixed = true;
  keys.has_words = true;
  std::vector<char*> payloads(kBatchRows);
  Measured measured;
  const auto update = [&](int64_t rows, auto&& next) -> Status {
    for (int64_t done = 0; done < rows; done += static_cast<int64_t>(kBatchRows)) {
      keys.size = static_cast<size_t>(std::min<int64_t>(rows - done, kBatchRows));
      keys.words.resize(keys.size);
      keys.hashes.resize(keys.size);
      for (size_t i = 0; i < keys.size; ++i) {
        keys.words[i] = next();
        keys.hashes[i] = hashBytes(wordOf(keys.words[i]));
      }
      RETURN_IF_ERROR(table->upsert(0, keys, payloads, {}));
      for (size_t i = 0; i < keys.size; ++i) ++*reinterpret_cast<int64_t*>(payloads[i]);
      RETURN_IF_ERROR(store.relieve());
      measured.resident_bytes_max = std::max(measured.resident_bytes_max, worker::ProcessMemory::now().resident_bytes);
    }
    return {};
  };
  uint64_t fresh = 0;
  RETURN_IF_ERROR(update(options.keys, [&] { return fresh++; }));
  const ResourceUse start = ResourceUse::now();
  RETURN_IF_ERROR(update(options.rows, [&] { return source.next(); }));
  measured.cpu_seconds = ResourceUse::now().since(start).cpu_seconds;
  int64_t total = 0;
  const auto cursor = table->scan(0);
  std::vector<std::pair<std::string_view, char*>> entries;
  do {
    RETURN_IF_ERROR(cursor->next(4096, entries));
    for (const auto& [key, payload] : entries) total += *reinterpret_cast<int64_t*>(payload);
  } while (!entries.empty());
  if (total != options.keys + options.rows) return Status::internal("the counts do not add up: " + std::to_string(total));
  return measured;
}

/// A read and a write for every row, its cache as large as the tier's memory.
Result<double> updateInRocks(const TierOptions& options, uint64_t memory_bytes) {
  const std::string folder = options.folder + "/thalweg-bench-rocks";
  std::filesystem::remove_all(folder);
  rocksdb::Options rocks;
  rocks.create_if_missing = true;
  rocks.compression = rocksdb::kNoCompression;
  rocks.write_buffer_size = std::max<size_t>(memory_bytes / 4, size_t{1} << 20);
  rocksdb::BlockBasedTableOptions blocks;
  blocks.block_cache = rocksdb::NewLRUCache(memory_bytes / 2);
  blocks.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  rocks.table_factory.reset(rocksdb::NewBlockBasedTableFactory(blocks));
  rocksdb::DB* opened = nullptr;
  if (!rocksdb::DB::Open(rocks, folder, &opened).ok()) return Status::io("RocksDB cannot open " + folder);
  const std::unique_ptr<rocksdb::DB> db(opened);
  rocksdb::WriteOptions writing;
  writing.disableWAL = true;
  std::string value(static_cast<size_t>(options.payload_bytes), '\0');
  for (int64_t key = 0; key < options.keys; ++key) {
    if (!db->Put(writing, wordOf(hashBytes(wordOf(static_cast<uint64_t>(key)))), value).ok()) return Status::io("RocksDB cannot write");
  }
  KeySource source(options);
  const ResourceUse start = ResourceUse::now();
  for (int64_t row = 0; row < options.rocks_rows; ++row) {
    const std::string key = wordOf(hashBytes(wordOf(source.next())));
    if (!db->Get(rocksdb::ReadOptions(), key, &value).ok()) return Status::io("RocksDB cannot read");
    ++*reinterpret_cast<int64_t*>(value.data());
    if (!db->Put(writing, key, value).ok()) return Status::io("RocksDB cannot write");
  }
  const double seconds = ResourceUse::now().since(start).cpu_seconds;
  std::filesystem::remove_all(folder);
  return seconds;
}

}  // namespace

Result<std::string> runTierBench(const TierOptions& options) {
  constexpr int64_t kEntryBytes = 8 + 8 + 12;           // key, mark, slots
  const uint64_t idle = worker::ProcessMemory::now().resident_bytes;
  const auto state_bytes = static_cast<double>(options.keys * (options.payload_bytes + kEntryBytes));
  const uint64_t memory_bytes = idle + static_cast<uint64_t>(state_bytes / options.over);
  ASSIGN_OR_RETURN(const Measured tier, updateInTier(options, memory_bytes));
  ASSIGN_OR_RETURN(const double rocks_seconds, updateInRocks(options, memory_bytes - idle));
  const double tier_rate = static_cast<double>(options.rows) / tier.cpu_seconds;
  const double rocks_rate = static_cast<double>(options.rocks_rows) / rocks_seconds;
  std::ostringstream line;
  line << std::fixed << std::setprecision(1) << "{\"bench\": \"tier\", \"keys\": " << options.keys << ", \"payload_bytes\": " << options.payload_bytes
       << ", \"skew\": " << options.skew << ", \"state_mb\": " << state_bytes / kMegabyte << ", \"limit_mb\": " << static_cast<double>(memory_bytes) / kMegabyte
       << ", \"idle_mb\": " << static_cast<double>(idle) / kMegabyte << ", \"resident_max_mb\": " << static_cast<double>(tier.resident_bytes_max) / kMegabyte
       << std::setprecision(0) << ", \"tier_rows_per_cpu_second\": " << tier_rate << ", \"rocks_rows_per_cpu_second\": " << rocks_rate
       << std::setprecision(2) << ", \"ratio\": " << tier_rate / rocks_rate << "}";
  return line.str();
}

}  // namespace thalweg::bench
