// Which files a filesystem table consists of, and what their paths say.
//
// A file, or all files below a folder; names that begin with `.` or `_` are hidden, with all below them. Partition
// values stand in the folders' names (`day=2024-01-01`), with bytes escaped as %XX.
// Errors: IO_ERROR, NOT_FOUND naming the path.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/fs/file_system.h"

namespace thalweg::worker {

/// Whether what stands below a folder is asked for.
using FolderTest = std::function<Result<bool>(const std::string& folder)>;

/// Files below `root` in the order of their paths; without those of folders that `wanted` refuses.
Result<std::vector<FileInfo>> listTableFiles(FileSystem& files, const std::string& root, const FolderTest& wanted = {});

/// `k=v` folders between `root` and the file, unescaped.
std::map<std::string, std::string> partitionValuesOf(const std::string& root, const std::string& path);

std::string unescapePathName(std::string_view name);

}  // namespace thalweg::worker
