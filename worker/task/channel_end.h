// ChannelEnd: the channels into one subtask as its senders see them, wherever the subtask runs.
//
// Senders push (never refused) and ask isFull() before they make more; a sender that finds a channel full leaves itself
// with waitForRoom() and is scheduled when there is room again. In this process a ChannelSet stands behind it, for
// subtasks in other processes the exchange.
// Threads: all methods any; push() of one channel from one thread at a time. Lifetime: the actors named here outlive
// every call.
#pragma once

#include "common/columnar/batch.h"
#include "worker/task/actor.h"

namespace thalweg::worker {

/// Numbers checkpoints, ascending.
using CheckpointId = int64_t;

struct ChannelElement {
  enum class Kind : uint8_t {
    BATCH,    ///< rows and marks; or marks alone
    BARRIER,  ///< what came before belongs to the checkpoint
    IDLE,     ///< the sender expects no rows soon
    ACTIVE,   ///< it is back
    END,      ///< nothing follows
  };
  Kind kind = Kind::BATCH;
  Batch batch = {};
  CheckpointId checkpoint = 0;
};

class ChannelEnd {
 public:
  virtual ~ChannelEnd() = default;
  virtual void push(int channel, ChannelElement element) = 0;
  virtual bool isFull(int channel) const = 0;
  /// The receiver has taken everything that was sent.
  virtual bool isEmpty(int channel) const = 0;
  /// Schedules `sender` when there is room. False, and nothing happens, if there is room already.
  virtual bool waitForRoom(int channel, Actor& sender) = 0;
};

}  // namespace thalweg::worker
