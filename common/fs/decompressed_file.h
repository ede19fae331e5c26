// DecompressedFile: the bytes that were compressed into a file, from their beginning on.
//
// Which compression it is, is told by the file's name: .gz and .gzip, .deflate (zlib), .zst and .zstd, .bz2, .xz. Files
// made of several compressed pieces one behind the other are read whole.
// Errors: IO_ERROR naming the path, for a file that is damaged or ends too early.
// Threads: one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/fs/file_system.h"

namespace thalweg {

class DecompressedFile {
 public:
  virtual ~DecompressedFile() = default;
  /// Fills some of `target` with the bytes that follow; none only at the end.
  virtual Result<size_t> read(std::span<uint8_t> target) = 0;
};

enum class Compression : uint8_t { NONE, ZLIB, ZSTD, BZIP2, XZ };

/// What the name tells.
Compression compressionOf(std::string_view path);

/// Null if the name tells of no compression.
Result<std::unique_ptr<DecompressedFile>> openDecompressed(FileSystem& files, const std::string& path);

}  // namespace thalweg
