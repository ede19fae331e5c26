// RecordCollector: the stage of a job that gives its records to the program that made the job, where the program is not
// the process that the job runs in. Records travel as batches.
//
// Threads: sendTo() before the job starts, `send` any of its subtasks; receive() one. Lifetime: shared by both ends.
#pragma once

#include <functional>
#include <vector>

#include "common/columnar/batch.h"

namespace thalweg {

class RecordCollector {
 public:
  virtual ~RecordCollector() = default;
  /// The columns of the batches.
  virtual const std::vector<DataType>& types() const = 0;
  /// In a process of the job: its records go to `send` from now on.
  virtual void sendTo(std::function<void(Batch)> send) = 0;
  /// In the program: what came. Blocks while its reader is far behind.
  virtual void receive(const Batch& batch) = 0;
};

}  // namespace thalweg
