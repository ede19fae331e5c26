// ColdTier: where the entries of keyed tables go that do not fit in memory, and the judge of whether they do.
//
//   ASSIGN_OR_RETURN(auto tier, ColdTier::make({.folder = folder, .memory_bytes = budget, .executor = &executor}));
//   if (tier->pressure() != Pressure::NONE) …                 // entries should leave memory
//   ASSIGN_OR_RETURN(auto writer, tier->createRun(fixed_keys, entries_max));
//
// One for all tables of a job in a process. What is here is not durable: checkpoints link or copy it.
// Errors: IO_ERROR naming the file. Threads: any. Lifetime: shared; the folder goes when tier and runs are gone.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "common/base/mutex.h"
#include "common/base/status.h"
#include "common/fs/file_system.h"
#include "common/runtime_api/executor.h"
#include "worker/state/process_memory.h"
#include "worker/state/run_writer.h"

namespace thalweg::worker {

enum class Pressure : uint8_t {
  NONE,      ///< memory is enough
  SHORT,     ///< some entries should leave
  SEVERE,    ///< many, and what the tables hold in reserve
  ALWAYS,    ///< everything leaves at once (tests)
};

struct ColdTierOptions {
  std::string folder;                ///< made, and removed in the end
  uint64_t memory_bytes = 0;         ///< of the whole process, near which entries leave; 0: always (for tests)
  bool keeps_all = false;            ///< nothing leaves memory: runs are for snapshots only
  Executor* executor = nullptr;      ///< merges runs; null: the caller does
  FileSystem* files = nullptr;       ///< null: this machine's
  bool when_needed = false;          ///< the folder is made with the first file in it
};

class ColdTier {
 public:
  /// With the first folder of a process beside others, those that dead processes left there are removed.
  static Result<std::shared_ptr<ColdTier>> make(ColdTierOptions options);
  ColdTier(const ColdTier&) = delete;
  ColdTier& operator=(const ColdTier&) = delete;

  /// A new file in the folder, gone with its run.
  Result<std::unique_ptr<RunWriter>> createRun(bool fixed_keys, size_t entries_max);
  /// The run as a file of the folder, which others cannot take away.
  Result<std::shared_ptr<const StateRun>> adopt(const StateRun& run);
  /// A path in the folder that nobody else gets; the file is its maker's to remove.
  Result<std::string> newPath(std::string_view prefix);
  FileSystem& files() const { return *options_.files; }
  /// Soon, where blocking is allowed; at once without an executor.
  void runBlocking(std::function<void()> work);

  /// Looks at the whole process, which takes some microseconds.
  Pressure pressure();
  bool evictsAlways() const { return options_.memory_bytes == 0 && !options_.keeps_all; }
  bool keepsAll() const { return options_.keeps_all; }
  uint64_t memoryBytes() const { return options_.memory_bytes; }

  /// What a store's tables hold: memory, and the part of it in which no entry is.
  void account(int64_t held_bytes_more, int64_t free_bytes_more) {
    held_bytes_.fetch_add(held_bytes_more, std::memory_order_relaxed);
    free_bytes_.fetch_add(free_bytes_more, std::memory_order_relaxed);
  }
  /// Entries have left memory: the system gets what the allocator holds back, if the limit is near.
  void giveBack();
  int64_t heldBytes() const { return held_bytes_.load(std::memory_order_relaxed); }

 private:
  struct Folder;
  void trim(const ProcessMemory& memory) const;
  explicit ColdTier(ColdTierOptions options) : options_(std::move(options)) {}
  Result<std::shared_ptr<const Folder>> folder() EXCLUDES(mutex_);

  const ColdTierOptions options_;
  Mutex mutex_;
  std::shared_ptr<const Folder> folder_ GUARDED_BY(mutex_);      // removed with the last run in it
  std::atomic<uint64_t> next_run_{0};
  std::atomic<int64_t> held_bytes_{0};
  std::atomic<int64_t> free_bytes_{0};
};

/// The one folder in `parent` (which may be large, and everybody's) for the folders of ColdTiers of this user's processes.
std::string coldFoldersOf(const std::string& parent);
std::string coldFolderName(int job_of_process);
/// Removes the folders in `folder` that ColdTiers of processes have left which are gone. A folder's name is
/// coldFolderName(); one whose process lives, and whatever has another name, stays.
void removeStaleColdFolders(FileSystem& files, const std::string& folder);

}  // namespace thalweg::worker
