// CheckpointReader: opens a checkpoint or savepoint and gives its bytes, each checked against its checksum.
//
//   ASSIGN_OR_RETURN(auto checkpoint, CheckpointReader::open(files, "/checkpoints/job/chk-17"));
//   ASSIGN_OR_RETURN(std::string bytes, checkpoint.read(checkpoint.manifest().operators[0].parts[0].keyed));
//
// Errors: NOT_FOUND if there is none, INVALID_ARGUMENT naming the file that is damaged, cut short or of an unknown
// version. Threads: one owner; calls block. Lifetime: borrows the file system.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "common/checkpoint/checkpoint_manifest.h"
#include "common/fs/file_system.h"

namespace thalweg {

class CheckpointReader {
 public:
  /// `path`: the folder, or the manifest in it; a `file:` URL too.
  static Result<CheckpointReader> open(FileSystem& files, const std::string& path);

  /// Of a manifest that came another way; `folder` is where its files are.
  static CheckpointReader of(FileSystem& files, std::string folder, CheckpointManifest manifest) {
    return CheckpointReader(files, std::move(folder), std::move(manifest));
  }

  const CheckpointManifest& manifest() const { return manifest_; }
  const std::string& folder() const { return folder_; }
  Result<std::string> read(const StoredBytes& stored);
  /// Of a file that is whole by its length; INVALID_ARGUMENT if it is not.
  Result<std::string> pathOfWhole(int64_t file);
  FileSystem& files() { return *files_; }

 private:
  CheckpointReader(FileSystem& files, std::string folder, CheckpointManifest manifest)
      : files_(&files), folder_(std::move(folder)), manifest_(std::move(manifest)) {}
  std::string pathOf(int64_t file) const;

  FileSystem* files_;
  std::string folder_;
  CheckpointManifest manifest_;
  std::map<int64_t, std::unique_ptr<ReadableFile>> open_;
};

}  // namespace thalweg
