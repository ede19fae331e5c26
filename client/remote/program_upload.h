// uploadProgram: brings an executable into a coordinator's store, piece by piece, unless it is there already.
//
// Threads: the caller's, which waits. Errors: IO_ERROR, RESOURCE_EXHAUSTED for programs that are too large.
#pragma once

#include <functional>
#include <string>

#include "common/plan/shipped_program.h"
#include "common/rpc/rpc_channel.h"

namespace thalweg::client {

/// Digest, size and name of the executable at `path`. `progress` hears of the bytes that are there so far.
Result<ShippedProgram> uploadProgram(RpcChannel& channel, const std::string& path, const std::function<void(uint64_t bytes, uint64_t size)>& progress);

}  // namespace thalweg::client
