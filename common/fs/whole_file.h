// A whole file as text. Errors: IO_ERROR. Threads: as the file.
#pragma once

#include <string>

#include "common/fs/file_system.h"

namespace thalweg {

/// All of it, as long as it was when it was opened; less if it became shorter since.
Result<std::string> readWhole(ReadableFile& file);

}  // namespace thalweg
