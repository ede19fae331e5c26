// MultiOutput: an Output with several numbered streams behind it, for chains of user functions whose side outputs and
// branches leave a task on edges of their own.
//
// emit() is emitTo(0). Every stream needs its own marks: the task forwards none from one to another. Only the last
// operator of a task may use outputs above 0; an operator finds out with a dynamic_cast of its Output.
// Threads: as Output.
#pragma once

#include "common/runtime_api/operator.h"

namespace thalweg {

class MultiOutput : public Output {
 public:
  virtual Status emitTo(int output, Batch batch) = 0;
};

}  // namespace thalweg
