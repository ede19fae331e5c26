// The exchange itself between two processes: one channel, whose sender pushes batches as fast as there is room for them
// and whose receiver takes them.
//
// Threads: each call blocks its caller until the channel has ended.
#pragma once

#include <functional>
#include <string>

#include "common/columnar/batch.h"
#include "common/rpc/rpc_options.h"

namespace thalweg::bench {

RpcSecurity securityOf(const std::string& certificates);

/// Two BIGINT columns.
Batch rowsToSend(int64_t rows);

/// Tells the port once it listens; takes the rows of one channel, tells when it has all, and only then ends the stream.
Status takeExchange(const std::string& certificates, const std::function<void(int port)>& listening, const std::function<void()>& taken);

/// Sends the batch so often; `wait` comes back when the other side has taken the last one.
Status sendExchange(const std::string& certificates, int port, const Batch& batch, int64_t count, const std::function<Status()>& wait);

}  // namespace thalweg::bench
