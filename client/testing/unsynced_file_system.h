// This machine's files, without waiting for the disk: for tests that write many checkpoints and survive no crash.
//
// Threads: any.
#pragma once

#include "common/fs/file_system.h"

namespace thalweg::testing {

FileSystem& unsyncedFiles();

}  // namespace thalweg::testing
