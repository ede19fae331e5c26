// FaultyFileSystem: this machine's files, of which some calls fail as on a disk that is full or a folder that is not ours.
//
//   FaultyFileSystem files;
//   files.fail(Fault::DISK_FULL);         // until fail(Fault::NONE); after(3): the first three changes still succeed
//
// Threads: any.
#pragma once

#include <atomic>

#include "common/fs/file_system.h"

namespace thalweg::testing {

enum class Fault {
  NONE,
  DISK_FULL,          ///< appends fail
  SYNC_FAILS,         ///< what was appended may be lost
  READ_ONLY,          ///< nothing is made, renamed or removed
  DENIED,             ///< the same, with another word
};

class FaultyFileSystem final : public FileSystem {
 public:
  void fail(Fault fault) { after(0, fault); }
  void after(int changes, Fault fault) {
    left_.store(changes);
    fault_.store(fault);
  }
  /// Calls that failed so far.
  int failed() const { return failed_.load(); }

  Result<FileInfo> stat(const std::string& path) override { return files_.stat(path); }
  Result<std::vector<FileInfo>> list(const std::string& folder) override { return files_.list(folder); }
  Result<std::unique_ptr<ReadableFile>> openForReading(const std::string& path) override { return files_.openForReading(path); }
  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override;
  Result<std::unique_ptr<WritableFile>> reopen(const std::string& path, int64_t size_bytes) override;
  Status createFolders(const std::string& folder) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status link(const std::string& from, const std::string& to) override;
  Status remove(const std::string& path) override;
  Status syncFolder(const std::string& folder) override;

  /// Of files: ok, or why the call fails.
  Status check(Fault fault, const std::string& action, const std::string& path);

 private:
  Status checkChange(const std::string& action, const std::string& path);

  FileSystem& files_ = localFileSystem();
  std::atomic<Fault> fault_{Fault::NONE};
  std::atomic<int> left_{0};
  std::atomic<int> failed_{0};
};

}  // namespace thalweg::testing
