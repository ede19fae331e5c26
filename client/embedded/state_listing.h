// What a checkpoint or savepoint holds, for people and for programs: `thalweg state info` and `thalweg state read`.
//
// Keys and payloads are shown as the bytes they are (docs/protocol/state.md), in hexadecimal, and keys that are text as text:
// what they mean is known to the operator that wrote them.
// Errors: those of the checkpoint's reader; NOT_FOUND for an operator that is not in it. Threads: any; calls block.
#pragma once

#include <ostream>
#include <string>

#include "common/fs/file_system.h"

namespace thalweg::client {

/// Job, sources and operators, with tables, keys and sizes.
Status writeStateInfo(FileSystem& files, const std::string& path, std::ostream& out);

enum class StateFormat : uint8_t {
  CSV,    ///< a heading, then a line for each entry
  JSON,   ///< an object a line
};

/// The entries of the keyed state of one operator. `name`: its uid, or text that is in the name or uid of no other.
Status writeStateEntries(FileSystem& files, const std::string& path, const std::string& name, StateFormat format, std::ostream& out);

}  // namespace thalweg::client
