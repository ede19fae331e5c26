// SinkWriter: how data leaves, one per subtask. Runs as the last operator of a chain.
//
// write() takes batches in order; stage() is called at a barrier and returns what the checkpoint must remember of
// written but uncommitted output; commit() when that checkpoint completed (or at the end of a bounded job, or for
// each batch in embedded jobs without checkpoints after finish()). A writer without staged output returns "".
// What is being written at a barrier and goes on after it is no staged output: snapshotOpen() describes it, and
// restore() of a later attempt takes it up again. commit() may come twice for the same output, also in another process.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

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
  /// Right after stage(), when a checkpoint is taken: appends what describes the output under way. Nothing: none.
  virtual Status snapshotOpen(std::string& out) { (void)out; return {}; }
  /// After open() and the commits of staged output: what snapshotOpen() wrote, of several subtasks after a change of
  /// parallelism (each is given to one subtask). Comes in every restored attempt, if need be with no parts.
  virtual Status restore(std::span<const std::string_view> parts) { (void)parts; return {}; }
  /// End of input: everything written becomes visible after the following stage() and commit().
  virtual Status finish() { return {}; }
  virtual void close() {}
};

}  // namespace thalweg
