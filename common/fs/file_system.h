// FileSystem: the seam behind which files live. Nothing of ours opens, lists, renames or removes a file but through it.
//
// Paths are absolute, separated by `/`, without a scheme; `file:` URLs are resolved by pathOfUrl(). Writers write a
// file under a hidden name, sync() it, rename() it to its final name and sync the folder: a reader sees all of it or
// nothing. Errors: IO_ERROR (NOT_FOUND where a path does not exist) naming the path and the cause.
// Calls may block for as long as the disk does. Threads: FileSystem any; readAt() any; writable files one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/status.h"

namespace thalweg {

struct FileInfo {
  std::string path;
  bool is_folder = false;
  int64_t size_bytes = 0;
  int64_t modified_ms = 0;  ///< since 1970
};

class ReadableFile {
 public:
  virtual ~ReadableFile() = default;
  virtual int64_t sizeBytes() const = 0;
  /// Fills `target` from `offset` on; fewer bytes only at the end of the file.
  virtual Result<size_t> readAt(int64_t offset, std::span<uint8_t> target) = 0;
};

class WritableFile {
 public:
  virtual ~WritableFile() = default;  ///< closes, if close() did not
  virtual Status append(std::string_view bytes) = 0;
  /// Everything appended is on the disk when this returns.
  virtual Status sync() = 0;
  virtual Status close() = 0;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual Result<FileInfo> stat(const std::string& path) = 0;
  /// What stands directly in the folder, in the order of names.
  virtual Result<std::vector<FileInfo>> list(const std::string& folder) = 0;
  virtual Result<std::unique_ptr<ReadableFile>> openForReading(const std::string& path) = 0;
  /// A new file; one that exists is replaced.
  virtual Result<std::unique_ptr<WritableFile>> create(const std::string& path) = 0;
  /// An existing file, to write on behind its first `size_bytes`: what follows them is cut off. IO_ERROR if it is shorter.
  virtual Result<std::unique_ptr<WritableFile>> reopen(const std::string& path, int64_t size_bytes) = 0;
  /// The folder and those above it, as far as they do not exist.
  virtual Status createFolders(const std::string& folder) = 0;
  /// At once, replacing a file at `to`.
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  /// A second name of the same file; an error if `to` exists, or where there is no such thing (copy it then).
  virtual Status link(const std::string& from, const std::string& to);
  /// A file or an empty folder; NOT_FOUND if there is none.
  virtual Status remove(const std::string& path) = 0;
  /// Renames and new files in the folder survive a crash after this.
  virtual Status syncFolder(const std::string& folder) = 0;
};

/// This machine's files. One instance for the process.
FileSystem& localFileSystem();

/// The path in a `file:` URL (`file:/a`, `file:///a`), or the text itself if it has no scheme, without `/` at its end.
/// Another scheme is NOT_SUPPORTED.
Result<std::string> pathOfUrl(std::string_view url);
/// `folder/name`
std::string joinPath(std::string_view folder, std::string_view name);
/// What follows the last `/`.
std::string_view fileNameOf(std::string_view path);
/// What precedes it; "/" for what stands at the root.
std::string folderOf(std::string_view path);

}  // namespace thalweg
