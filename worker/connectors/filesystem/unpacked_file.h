// What stands in a file, compressed or not, by offset.
//
// Of a compressed file offsets are those of the bytes that were compressed. They can only be read forward: reading before
// what was read last begins again. Errors: those of the file system and of decompressing, naming the path. Threads: one.
#pragma once

#include "common/fs/file_system.h"

namespace thalweg::worker {

/// The size of what a compressed file holds is not known: then sizeBytes() is kUnknownBytes.
inline constexpr int64_t kUnknownBytes = int64_t{1} << 62;

Result<std::unique_ptr<ReadableFile>> openUnpacked(FileSystem& files, const std::string& path);

}  // namespace thalweg::worker
