// What a checkpoint or savepoint holds, for people and for programs: `thalweg state info` and `thalweg state read`.
//
// A checkpoint holds bytes; what they mean is known to the operator that wrote them. With the script of the job, which is planned
// and not run, entries are rows with names and types (worker/operators/state_view.h). Without it, and of operators that give no
// rows, keys and payloads are shown as the bytes they are (docs/protocol/state.md), in hexadecimal, and keys that are text as text.
// Errors: those of the checkpoint's reader; NOT_FOUND for an operator that is not in it. Threads: any; calls block.
#pragma once

#include <ostream>
#include <string>

#include "common/fs/file_system.h"

namespace thalweg::client {

/// Job, sources and operators, with tables, their keys and values, and sizes. `script`: of the job, or empty.
Status writeStateInfo(FileSystem& files, const std::string& path, const std::string& script, std::ostream& out);

enum class StateFormat : uint8_t {
  CSV,    ///< a heading, then a line for each entry
  JSON,   ///< an object a line
};

struct StateRequest {
  std::string path;
  std::string operator_name;         ///< its uid, or text that is in the name or uid of no other
  std::string table;                 ///< one of its tables; empty: all, each with a heading of its own
  std::string script;                ///< of the job; empty: bytes are shown
  StateFormat format = StateFormat::CSV;
};
/// The entries of the keyed state of one operator.
Status writeStateEntries(FileSystem& files, const StateRequest& request, std::ostream& out);

}  // namespace thalweg::client
