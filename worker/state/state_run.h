// StateRun: entries of one keyed table in a file, sorted, written once and then only read.
//
//   ASSIGN_OR_RETURN(auto writer, RunWriter::create(files, path, fixed_keys, entries_max));
//   RETURN_IF_ERROR(writer->add(ns, hash, key, value));        // ascending; no value: the key is gone
//   ASSIGN_OR_RETURN(std::shared_ptr<const StateRun> run, writer->finish());
//   RETURN_IF_ERROR(run->find(*run->segment(ns), keys, visit));
//
// Order: by namespace, then hash of the key, then key. The high bits of a hash choose the key group, so a run is sorted
// by key group, too, and a key's block follows from its hash: in memory are 12 bytes a block (2 KiB) and a filter.
// The bytes are specified at the head of the .cc.
// Errors: IO_ERROR naming the file, also when a block's checksum does not fit. Threads: a run any, a RunReader one owner.
// Lifetime: the file of a writer goes with its run, one that was opened stays.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/mutex.h"
#include "common/fs/file_system.h"
#include "common/runtime_api/state.h"
#include "worker/state/run_filter.h"

namespace thalweg::worker {

/// A key to be looked for.
struct RunKey {
  uint64_t hash = 0;
  std::string_view key;
  uint32_t row = 0;                  ///< the caller's
};
inline bool standsBefore(const RunKey& a, const RunKey& b) { return a.hash != b.hash ? a.hash < b.hash : a.key < b.key; }

struct RunEntry {
  uint64_t hash = 0;
  std::string_view key;
  std::optional<std::string_view> value;       ///< none: erased
};

/// The entries of one namespace: blocks [first_block, end_block).
struct RunSegment {
  StateNamespace ns = 0;
  uint32_t first_block = 0;
  uint32_t end_block = 0;
  uint64_t entries = 0;
};

class StateRun {
 public:
  ~StateRun();
  StateRun(const StateRun&) = delete;
  StateRun& operator=(const StateRun&) = delete;

  /// Reads the file's end; INVALID_ARGUMENT if it is damaged.
  static Result<std::shared_ptr<const StateRun>> open(FileSystem& files, std::string path, bool owns_file = false,
                                                      std::shared_ptr<const void> owner = nullptr);
  /// Reads all of it.
  Status verify() const;

  const std::string& path() const { return path_; }
  uint64_t sizeBytes() const { return size_bytes_; }
  bool hasFixedKeys() const { return fixed_keys_; }
  uint64_t entries() const;
  const std::vector<RunSegment>& segments() const { return segments_; }

  /// Calls `visit` for those of `keys` (distinct, sorted) that stand in the segment. What it is given lives for the call.
  using Visitor = std::function<Status(const RunKey& key, std::optional<std::string_view> value)>;
  Status find(const RunSegment& segment, std::span<const RunKey> keys, const Visitor& visit) const;

  /// Makes `path` in `files` the same file, by a link or else a copy. `durable`: its bytes, not its name, are so when this returns.
  Status storeAs(FileSystem& files, const std::string& path, bool durable) const;
  /// It stands in a checkpoint under this name, too, to be linked from.
  void noteStored(const std::string& path) const;
  size_t memoryBytes() const;

 private:
  friend class RunWriter;
  friend class RunReader;
  StateRun(FileSystem& files, std::string path, bool owns_file, std::shared_ptr<const void> owner)
      : files_(files), path_(std::move(path)), owns_file_(owns_file), owner_(std::move(owner)) {}

  struct Wanted {
    uint32_t key;                    // in the span
    uint32_t block;
  };
  uint32_t blockOf(const RunSegment& segment, uint64_t hash, uint32_t from) const;
  /// Blocks [begin, end) into `bytes`; each is checked.
  Status readBlocks(ReadableFile& file, uint32_t begin, uint32_t end, std::string& bytes) const;
  std::string_view blockIn(const std::string& bytes, uint32_t begin, uint32_t block) const;
  Status damaged(std::string_view what) const;
  Status copyTo(FileSystem& files, const std::string& path, bool durable) const;

  FileSystem& files_;
  const std::string path_;
  const bool owns_file_;
  const std::shared_ptr<const void> owner_;            // of the folder
  std::unique_ptr<ReadableFile> file_;                 // positioned reads: any thread
  uint64_t size_bytes_ = 0;
  bool fixed_keys_ = false;
  std::vector<RunSegment> segments_;                   // by namespace
  std::vector<uint32_t> first_hashes_;                 // a block: the high half of its first key's hash
  std::vector<uint64_t> offsets_;                      // a block, and the end
  std::unique_ptr<RunFilter> filter_;
  mutable Mutex mutex_;
  mutable bool synced_ GUARDED_BY(mutex_) = false;
  mutable std::string stored_path_ GUARDED_BY(mutex_); // where it was copied to last: may be gone
};

/// Reads a segment to its end, from some place on before all keys with hashes of at least `from`. Threads: one owner.
class RunReader {
 public:
  RunReader(std::shared_ptr<const StateRun> run, const RunSegment& segment, uint64_t from = 0);

  /// Null at the end. The entry lives until the next call.
  Result<const RunEntry*> next();

 private:
  static constexpr size_t kReadBytes = size_t{128} << 10;
  Status fill();

  std::shared_ptr<const StateRun> run_;
  uint32_t next_block_;
  uint32_t end_block_;
  uint32_t at_block_;
  uint32_t first_ = 0;
  std::string bytes_;                // blocks [first_, next_block_)
  std::string_view block_;           // what is left of the present one
  RunEntry entry_;
};

}  // namespace thalweg::worker
