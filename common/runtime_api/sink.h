// SinkWriter: how data leaves, one per subtask. Runs as the last operator of a chain.
//
// write() takes batches in order; stage() is called at a barrier and returns what the checkpoint must remember of
// written but uncommitted output; commit() when that checkpoint completed (or at the end of a bounded job, or for
// each batch in embedded jobs without checkpoints after finish()). A writer without staged output returns "".
#pragma once

#include <memory>
#include <string>

#include "common/runtime_api/operator.h"

namespace thalweg {

class SinkWriter {
 public:
  virtual ~SinkWriter() = default;
  virtual Status open(OperatorContext& context) = 0;
  virtual Status write(const Batch& batch) = 0;
  virtual Status onWatermark(EventTime watermark) { (void)watermark; return {}; }
  virtual Result<std::string> stage() { return std::string(); }
  virtual Status commit(const std::string& staged) { (void)staged; return {}; }
  /// End of input: everything written becomes visible after the following stage() and commit().
  virtual Status finish() { return {}; }
  virtual void close() {}
};

}  // namespace thalweg
