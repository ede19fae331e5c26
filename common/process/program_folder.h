// ProgramFolder: executables under the digest of their bytes, in a folder of this machine.
//
//   ProgramFolder programs(folder);
//   RETURN_IF_ERROR(programs.open());
//   if (!programs.has(digest)) … RETURN_IF_ERROR(programs.append(digest, upload, offset, bytes, size));
//
// What has arrived in part is under another name until all of it is there, its digest is right, and it is on the disk:
// what has() says stays true after a crash. Threads: one at a time. Errors: IO_ERROR, INVALID_ARGUMENT for bytes that
// are not what was announced, RESOURCE_EXHAUSTED for programs that are too large.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "common/base/status.h"

namespace thalweg {

/// 64 hexadecimal digits of SHA-256.
Result<std::string> digestOfFile(const std::string& path);

class ProgramFolder {
 public:
  static constexpr size_t kPieceBytes = size_t{1} << 20;
  static constexpr uint64_t kProgramBytesMax = uint64_t{2} << 30;

  explicit ProgramFolder(std::string folder) : folder_(std::move(folder)) {}
  /// Makes the folder; drops what arrived in part before.
  Status open();
  bool has(const std::string& digest) const;
  std::string pathOf(const std::string& digest) const { return folder_ + "/" + digest; }
  /// The next piece of an executable of `size` bytes; the last one makes it complete. `upload` tells apart those who bring
  /// the same one at once.
  Status append(const std::string& digest, const std::string& upload, uint64_t offset, std::string_view bytes, uint64_t size);
  /// At most kPieceBytes from `offset`; empty at the end.
  Result<std::string> read(const std::string& digest, uint64_t offset) const;
  /// It was used: the last to be removed.
  void touch(const std::string& digest) const;
  /// Removes all but the `kept` ones and the `unused_max` newest others.
  void removeAllBut(const std::set<std::string>& kept, size_t unused_max) const;

 private:
  Status complete(const std::string& digest, const std::string& part);

  const std::string folder_;
};

}  // namespace thalweg
