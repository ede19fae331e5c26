// createFoldersDurably: folders that are found again after a crash.
//
// Errors: IO_ERROR naming the path. Threads: any; blocks.
#pragma once

#include <string>

#include "common/fs/file_system.h"

namespace thalweg {

/// Like FileSystem::createFolders, and every folder that got a new entry is synced.
Status createFoldersDurably(FileSystem& files, const std::string& folder);

}  // namespace thalweg
