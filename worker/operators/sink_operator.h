// SinkOperator: a SinkWriter as the last operator of a chain, with its two-phase commit.
//
// What stage() returned waits in order until its checkpoint (or the job's end) makes it durable, then is committed.
// A restored attempt commits again what the checkpoint says was staged: commits are idempotent.
#pragma once

#include <memory>

#include "common/runtime_api/operator.h"
#include "common/runtime_api/sink.h"

namespace thalweg::worker {

std::unique_ptr<Operator> makeSinkOperator(std::unique_ptr<SinkWriter> writer);

}  // namespace thalweg::worker
