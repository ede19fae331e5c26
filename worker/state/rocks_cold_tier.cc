// One RocksDB per process and job, its log off: nothing in it outlives the process. A key is
//   table number (4 bytes) | namespace (8, sign flipped) | key
// all big-endian, so a namespace is a range and its keys stand in order.
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/write_buffer_manager.h>

#include <atomic>
#include <filesystem>

#include "worker/state/cold_tier.h"

extern "C" int mallctl(const char* name, void* old, size_t* old_bytes, void* fresh, size_t fresh_bytes) __attribute__((weak));

namespace thalweg::worker {
namespace {

Status statusOf(const rocksdb::Status& status) {
  return status.ok() ? Status() : Status::io("state on disk: " + status.ToString());
}

void appendBigEndian(std::string& out, uint64_t number, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(number >> (8 * i));
}

/// What the process has allocated, by jemalloc's count; nothing without jemalloc.
std::optional<uint64_t> allocatedBytes() {
  if (mallctl == nullptr) return std::nullopt;
  uint64_t epoch = 1;
  size_t size = sizeof(epoch);
  if (mallctl("epoch", &epoch, &size, &epoch, size) != 0) return std::nullopt;
  size_t allocated = 0;
  size = sizeof(allocated);
  if (mallctl("stats.allocated", &allocated, &size, nullptr, 0) != 0) return std::nullopt;
  return allocated;
}

/// Nothing here outlives the process, so nothing waits for the disk.
class UnsyncedFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  using FSWritableFileOwnerWrapper::FSWritableFileOwnerWrapper;
  rocksdb::IOStatus Sync(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override { return rocksdb::IOStatus::OK(); }
  rocksdb::IOStatus Fsync(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override { return rocksdb::IOStatus::OK(); }
};

class UnsyncedFolder final : public rocksdb::FSDirectory {
 public:
  rocksdb::IOStatus Fsync(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override { return rocksdb::IOStatus::OK(); }
};

class UnsyncedFiles final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "ThalwegUnsyncedFiles"; }
  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options, std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus status = FileSystemWrapper::NewWritableFile(name, options, result, debug);
    if (status.ok()) *result = std::make_unique<UnsyncedFile>(std::move(*result));
    return status;
  }
  rocksdb::IOStatus NewDirectory(const std::string&, const rocksdb::IOOptions&, std::unique_ptr<rocksdb::FSDirectory>* result,
                                 rocksdb::IODebugContext*) override {
    *result = std::make_unique<UnsyncedFolder>();
    return rocksdb::IOStatus::OK();
  }
};

class RocksColdTable final : public ColdTable {
 public:
  RocksColdTable(rocksdb::DB& db, uint32_t number) : db_(db), number_(number) {}

  ~RocksColdTable() override {
    std::string begin;
    std::string end;
    appendBigEndian(begin, number_, 4);
    appendBigEndian(end, uint64_t{number_} + 1, 4);
    (void)db_.DeleteRange(writing(), db_.DefaultColumnFamily(), begin, end);     // the folder goes anyway
  }

  Status write(std::span<const ColdEntry> entries) override {
    rocksdb::WriteBatch batch;
    for (const ColdEntry& entry : entries) RETURN_IF_ERROR(statusOf(batch.Put(keyOf(entry.ns, entry.key), entry.value)));
    return statusOf(db_.Write(writing(), &batch));
  }

  Status take(StateNamespace ns, std::span<const std::string_view> keys, std::vector<std::optional<std::string>>& values) override {
    values.assign(keys.size(), std::nullopt);
    std::vector<std::string> full;
    full.reserve(keys.size());
    for (const std::string_view key : keys) full.push_back(keyOf(ns, key));
    std::vector<rocksdb::Slice> slices(full.begin(), full.end());
    std::vector<rocksdb::PinnableSlice> found(keys.size());
    std::vector<rocksdb::Status> statuses(keys.size());
    db_.MultiGet(rocksdb::ReadOptions(), db_.DefaultColumnFamily(), slices.size(), slices.data(), found.data(), statuses.data());
    rocksdb::WriteBatch batch;
    for (size_t i = 0; i < keys.size(); ++i) {
      if (statuses[i].IsNotFound()) continue;
      RETURN_IF_ERROR(statusOf(statuses[i]));
      values[i] = found[i].ToString();
      RETURN_IF_ERROR(statusOf(batch.Delete(slices[i])));
    }
    return batch.Count() == 0 ? Status() : statusOf(db_.Write(writing(), &batch));
  }

  Status eraseNamespace(StateNamespace ns) override {
    const std::string begin = keyOf(ns, "");
    return statusOf(db_.DeleteRange(writing(), db_.DefaultColumnFamily(), begin, endOf(ns)));
  }

  Status read(StateNamespace ns, const std::string* after, size_t limit, std::vector<ColdEntry>& entries) override {
    entries.clear();
    const std::string end = endOf(ns);
    const rocksdb::Slice bound(end);
    rocksdb::ReadOptions options;
    options.iterate_upper_bound = &bound;
    const std::unique_ptr<rocksdb::Iterator> at(db_.NewIterator(options));
    const std::string begin = keyOf(ns, after ? *after : "");
    at->Seek(begin);
    if (after && at->Valid() && at->key() == begin) at->Next();
    for (; at->Valid() && entries.size() < limit; at->Next()) {
      entries.push_back({ns, at->key().ToString().substr(kPrefixBytes), at->value().ToString()});
    }
    return statusOf(at->status());
  }

 private:
  static constexpr size_t kPrefixBytes = 12;

  static rocksdb::WriteOptions writing() {
    rocksdb::WriteOptions options;
    options.disableWAL = true;
    return options;
  }
  std::string keyOf(StateNamespace ns, std::string_view key) const {
    std::string full;
    full.reserve(kPrefixBytes + key.size());
    appendBigEndian(full, number_, 4);
    appendBigEndian(full, static_cast<uint64_t>(ns) ^ uint64_t{1} << 63, 8);
    return full += key;
  }
  /// What is behind all keys of the namespace.
  std::string endOf(StateNamespace ns) const {
    std::string end;
    const uint64_t next = (static_cast<uint64_t>(ns) ^ uint64_t{1} << 63) + 1;
    appendBigEndian(end, uint64_t{number_} + (next == 0 ? 1 : 0), 4);
    appendBigEndian(end, next, 8);
    return end;
  }

  rocksdb::DB& db_;
  const uint32_t number_;
};

class RocksColdTier final : public ColdTier {
 public:
  RocksColdTier(std::unique_ptr<rocksdb::DB> db, RocksColdTierOptions options) : db_(std::move(db)), options_(std::move(options)) {}
  ~RocksColdTier() override {
    db_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(options_.folder, ignored);
  }

  std::unique_ptr<ColdTable> openTable() override { return std::make_unique<RocksColdTable>(*db_, tables_.fetch_add(1)); }

  bool isShort() override {
    if (options_.memory_bytes == 0) return true;
    if (asked_.fetch_add(1, std::memory_order_relaxed) % kAskEvery != 0) return false;
    const auto allocated = allocatedBytes();
    return allocated && *allocated > options_.memory_bytes / 100 * kFullPercent;
  }

  void giveBack() override {
    if (mallctl != nullptr) (void)mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);   // 4096: all arenas
  }

 private:
  static constexpr uint64_t kAskEvery = 16;      // batches: moving out is worth it for many entries only
  static constexpr uint64_t kFullPercent = 75;   // room for what is in flight and for moving out

  std::unique_ptr<rocksdb::DB> db_;
  const RocksColdTierOptions options_;
  std::atomic<uint32_t> tables_{0};
  std::atomic<uint64_t> asked_{0};
};

}  // namespace

Result<std::shared_ptr<ColdTier>> makeRocksColdTier(const RocksColdTierOptions& options) {
  std::error_code error;
  std::filesystem::create_directories(options.folder, error);
  if (error) return Status::io("cannot make the folder of state on disk '" + options.folder + "': " + error.message());
  rocksdb::Options rocks;
  static const std::unique_ptr<rocksdb::Env> unsynced = rocksdb::NewCompositeEnv(std::make_shared<UnsyncedFiles>(rocksdb::FileSystem::Default()));
  rocks.env = unsynced.get();
  rocks.create_if_missing = true;
  rocks.write_buffer_size = std::clamp<uint64_t>(options.memory_bytes / 16, uint64_t{1} << 20, uint64_t{32} << 20);
  rocks.max_write_buffer_number = 2;
  rocks.max_background_jobs = 2;
  rocks.compression = rocksdb::kNoCompression;
  rocks.max_open_files = 256;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(std::clamp<uint64_t>(options.memory_bytes / 8, uint64_t{1} << 20, uint64_t{256} << 20));
  table.cache_index_and_filter_blocks = true;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  rocks.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  rocksdb::DB* db = nullptr;
  RETURN_IF_ERROR(statusOf(rocksdb::DB::Open(rocks, options.folder, &db)));
  return std::shared_ptr<ColdTier>(std::make_shared<RocksColdTier>(std::unique_ptr<rocksdb::DB>(db), options));
}

}  // namespace thalweg::worker
