// ExchangeFrame: one message between two processes of a job — its header as a plain struct, and its body.
//
// Bytes: docs/protocol/exchange.md. Decoding accepts bytes from anywhere: what it returns is in range, though not
// necessarily meant for somebody. Threads: values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/buffer.h"
#include "common/base/status.h"
#include "worker/task/subtask_id.h"

namespace thalweg::worker {

struct ExchangeFrame {
  enum class Kind : uint8_t {
    HELLO = 1,          ///< first, from who opened the stream: body is the attempt; first = its process
    BATCH = 2,          ///< body: the batch; first = kFilledChannel: the channel is full with it
    CONTROL = 3,        ///< first = ChannelElement::Kind, second = checkpoint
    CREDIT = 4,         ///< to the sender of the channel: first batches and second bytes were taken
    SPLIT_REQUEST = 5,  ///< receiver = the reader; first = parallelism, second = the checkpoint it passed
    SPLIT_ANSWER = 6,   ///< receiver = the reader; first = availability, second = retry in ms; body: the split
    SPLIT_FAILURE = 7,  ///< receiver = the reader; first = status code; body: the message
  };
  Kind kind = Kind::HELLO;
  SubtaskId receiver = {};
  int channel = 0;
  int64_t first = 0;
  int64_t second = 0;

  static constexpr size_t kHeaderBytes = 64;   ///< the body follows, aligned
  static constexpr int kTasksMax = 1 << 20;
  static constexpr int64_t kFilledChannel = 1;

  BufferPtr header() const;
  std::vector<BufferPtr> withBody(std::string_view body) const;
  static Result<ExchangeFrame> decode(const BufferPtr& message);
};

/// What stands behind the header.
std::string_view bodyOf(const BufferPtr& message);

}  // namespace thalweg::worker
