// ExchangePeer: the stream to one other process of the job.
//
// Frames sent before the stream is there wait for it. Threads: any. Lifetime: shared; attach() once.
#pragma once

#include <memory>
#include <vector>

#include "common/base/mutex.h"
#include "common/rpc/rpc_stream.h"

namespace thalweg::worker {

class ExchangePeer {
 public:
  explicit ExchangePeer(int process) : process_(process) {}
  int process() const { return process_; }
  void send(std::vector<BufferPtr> frame) EXCLUDES(mutex_);
  /// False: there is a stream already.
  bool attach(std::shared_ptr<RpcStream> stream) EXCLUDES(mutex_);
  void close() EXCLUDES(mutex_);
  size_t queuedBytes() const EXCLUDES(mutex_);

 private:
  const int process_;
  mutable Mutex mutex_;
  std::shared_ptr<RpcStream> stream_ GUARDED_BY(mutex_);
  std::vector<std::vector<BufferPtr>> early_ GUARDED_BY(mutex_);
};

}  // namespace thalweg::worker
