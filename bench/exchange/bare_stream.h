// The plain gRPC stream that the exchange is measured against: the same frames as byte buffers, default settings, nothing
// looked at. And its round trip.
//
// Threads: each call blocks its caller until the stream has ended.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/base/buffer.h"
#include "common/base/status.h"

namespace thalweg::bench {

/// Tells the port once it listens; takes one stream, or sends each of its messages back, and tells when it has ended.
Status takeBareStream(const std::string& certificates, bool echo, const std::function<void(int port)>& listening, const std::function<void()>& taken);

/// Sends `count` frames that are put together of these pieces.
Status sendBareStream(const std::string& certificates, int port, const std::vector<BufferPtr>& frame, int64_t count);

/// One message of `bytes` there and back, so often; nanoseconds of each.
Result<std::vector<int64_t>> bareRoundTrips(const std::string& certificates, int port, size_t bytes, int64_t count);

}  // namespace thalweg::bench
