#include "worker/state/cold_tier.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <charconv>
#include <set>

#include "common/fs/durable_folders.h"
#include "worker/state/process_memory.h"

namespace thalweg::worker {

namespace {

constexpr uint64_t kShortPercent = 65;   // room for what is in flight, for fragments, and for moving out
constexpr uint64_t kTrimPercent = 90;
constexpr uint64_t kSeverePercent = 105;
constexpr std::string_view kFolderPrefix = "state-";

constexpr const char* kLockName = "lock";

/// Whether nobody holds the folder's lock. A folder without one may be about to get it.
bool isUnlocked(const std::string& folder) {
  const int file = ::open(joinPath(folder, kLockName).c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  const bool free = ::flock(file, LOCK_EX | LOCK_NB) == 0;
  ::close(file);
  return free;
}

/// Files first; what cannot be removed stays.
void removeFolder(FileSystem& files, const std::string& folder) {
  if (const auto entries = files.list(folder); entries.isOk()) {
    for (const FileInfo& entry : *entries) (void)files.remove(entry.path);
  }
  (void)files.remove(folder);
}

}  // namespace

struct ColdTier::Folder {
  Folder(FileSystem& file_system, std::string path_, int lock_file) : files(file_system), path(std::move(path_)), lock(lock_file) {}
  ~Folder() {
    removeFolder(files, path);
    if (lock >= 0) ::close(lock);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  FileSystem& files;
  const std::string path;
  const int lock;                    // a descriptor: others see that the process lives
};

/// Of one folder once a process: one that ended badly does not come back.
static void removeStaleOnce(FileSystem& files, const std::string& folder) {
  static Mutex mutex;
  static std::set<std::string> looked_at;           // under the lock
  {
    const MutexLock lock(mutex);
    if (!looked_at.insert(folder).second) return;
  }
  removeStaleColdFolders(files, folder);
}

Result<std::shared_ptr<ColdTier>> ColdTier::make(ColdTierOptions options) {
  if (options.files == nullptr) options.files = &localFileSystem();
  std::shared_ptr<ColdTier> tier(new ColdTier(std::move(options)));
  if (!tier->options_.when_needed) RETURN_IF_ERROR(tier->folder().status());
  return tier;
}

Result<std::shared_ptr<const ColdTier::Folder>> ColdTier::folder() {
  const MutexLock guard(mutex_);
  if (folder_) return folder_;
  removeStaleOnce(*options_.files, folderOf(options_.folder));
  RETURN_IF_ERROR(options_.files->createFolders(options_.folder).withContext("the folder of state on disk"));
  if (options_.memory_bytes > 0 && !options_.keeps_all) ProcessMemory::holdBackLess();
  const int lock = ::open(joinPath(options_.folder, kLockName).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock >= 0) (void)::flock(lock, LOCK_EX | LOCK_NB);     // goes with the process, however it ends
  folder_ = std::make_shared<const Folder>(*options_.files, options_.folder, lock);
  return folder_;
}

Result<std::string> ColdTier::newPath(std::string_view prefix) {
  RETURN_IF_ERROR(folder().status());
  return joinPath(options_.folder, std::string(prefix) + std::to_string(next_run_.fetch_add(1)));
}

Result<std::unique_ptr<RunWriter>> ColdTier::createRun(bool fixed_keys, size_t entries_max) {
  ASSIGN_OR_RETURN(std::shared_ptr<const Folder> owner, folder());
  ASSIGN_OR_RETURN(std::string path, newPath("run-"));
  return RunWriter::create(*options_.files, std::move(path), fixed_keys, entries_max, std::move(owner));
}

Result<std::shared_ptr<const StateRun>> ColdTier::adopt(const StateRun& run) {
  ASSIGN_OR_RETURN(std::shared_ptr<const Folder> owner, folder());
  ASSIGN_OR_RETURN(const std::string path, newPath("run-"));
  RETURN_IF_ERROR(run.storeAs(*options_.files, path, false));
  ASSIGN_OR_RETURN(std::shared_ptr<const StateRun> adopted, StateRun::open(*options_.files, path, true, std::move(owner)));
  adopted->noteStored(run.path());
  return adopted;
}

void ColdTier::runBlocking(std::function<void()> work) {
  if (options_.executor == nullptr) return work();
  options_.executor->postBlocking(std::move(work));
}

Pressure ColdTier::pressure() {
  if (options_.keeps_all) return Pressure::NONE;
  if (options_.memory_bytes == 0) return Pressure::ALWAYS;
  const ProcessMemory memory = ProcessMemory::now();
  trim(memory);
  const auto free = static_cast<uint64_t>(std::max<int64_t>(0, free_bytes_.load(std::memory_order_relaxed)));
  if (memory.active_bytes > options_.memory_bytes / 100 * kSeverePercent) return Pressure::SEVERE;
  return memory.allocated_bytes > options_.memory_bytes / 100 * kShortPercent + free ? Pressure::SHORT : Pressure::NONE;
}

/// The allocator keeps pages for later that the limit may not have room for.
void ColdTier::trim(const ProcessMemory& memory) const {
  const bool is_near = memory.resident_bytes > options_.memory_bytes / 100 * kTrimPercent;
  if (is_near && memory.resident_bytes - memory.active_bytes > options_.memory_bytes / 16) ProcessMemory::trim();
}

void ColdTier::giveBack() {
  if (options_.memory_bytes > 0) trim(ProcessMemory::now());
}

std::string coldFoldersOf(const std::string& parent) { return joinPath(parent, "thalweg-" + std::to_string(::getuid())); }

std::string coldFolderName(int job_of_process) {
  return std::string(kFolderPrefix) + std::to_string(::getpid()) + "-" + std::to_string(job_of_process);
}

void removeStaleColdFolders(FileSystem& files, const std::string& folder) {
  const auto entries = files.list(folder);
  if (!entries.isOk()) return;
  for (const FileInfo& entry : *entries) {
    std::string_view name = fileNameOf(entry.path);
    if (!entry.is_folder || !name.starts_with(kFolderPrefix)) continue;
    name.remove_prefix(kFolderPrefix.size());
    int process = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
    if (error != std::errc() || end == name.data() + name.size() || *end != '-' || process <= 0) continue;
    if (::kill(process, 0) == 0 || errno != ESRCH || !isUnlocked(entry.path)) continue;       // it lives, or may elsewhere
    removeFolder(files, entry.path);
  }
}

}  // namespace thalweg::worker
