// ForgetfulFileSystem: files in memory that a crash takes back to what was synced, for tests of what must survive.
//
//   files.crashAfter(7);                  // the seventh change and all that follow fail
//   …write something…
//   auto after = files.afterCrash(Survives::SYNCED_ONLY);      // the disk that the next start finds
//
// A file's content survives if it was synced, a name in a folder if the folder was. Disks may keep more than that; in
// between is Survives::NAMES: names are there, contents that were not synced are not.
// Threads: one.
#pragma once

#include <map>
#include <memory>
#include <set>

#include "common/fs/file_system.h"

namespace thalweg::testing {

enum class Survives { SYNCED_ONLY, NAMES, EVERYTHING };

class ForgetfulFileSystem final : public FileSystem {
 public:
  ForgetfulFileSystem();

  /// Changes from the `count`-th on fail; 0: none does.
  void crashAfter(int count) { crash_at_ = changes_ + count; }
  int changes() const { return changes_; }
  std::unique_ptr<ForgetfulFileSystem> afterCrash(Survives survives) const;

  Result<FileInfo> stat(const std::string& path) override;
  Result<std::vector<FileInfo>> list(const std::string& folder) override;
  Result<std::unique_ptr<ReadableFile>> openForReading(const std::string& path) override;
  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override;
  Result<std::unique_ptr<WritableFile>> reopen(const std::string& path, int64_t size_bytes) override;
  Status createFolders(const std::string& folder) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status link(const std::string& from, const std::string& to) override;
  Status remove(const std::string& path) override;
  Status syncFolder(const std::string& folder) override;

 private:
  friend class ForgetfulFile;
  /// A file or a folder.
  struct Node {
    bool is_folder = false;
    std::string content;
    std::string synced;
    std::map<std::string, std::shared_ptr<Node>> names;
    std::map<std::string, std::shared_ptr<Node>> synced_names;
  };

  static std::shared_ptr<Node> newFolder();
  Status change();
  std::shared_ptr<Node> find(const std::string& path) const;
  Result<std::shared_ptr<Node>> folderWith(const std::string& path) const;
  static std::shared_ptr<Node> survivor(const Node& node, Survives survives);

  std::shared_ptr<Node> root_;
  int changes_ = 0;
  int crash_at_ = 0;
};

}  // namespace thalweg::testing
