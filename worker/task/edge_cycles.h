// Which edges of a batch job may be bounded: those on no cycle.
//
// A batch join reads one input to its end before the other. If one task feeds both, over whatever way, and the edge into the
// input that waits were bounded, the task would wait for room there, and the join for that task: for ever. Such edges are
// asked for as unbounded (TaskInput::unbounded_buffer). Seen without directions, every such way is a cycle, so an edge on no
// cycle cannot be part of one and keeps its bounds.
// Threads: pure functions.
#pragma once

#include "worker/task/task_graph.h"

namespace thalweg::worker {

/// Takes unbounded_buffer back from edges that are on no cycle.
void boundOffCycles(TaskGraph& graph);

}  // namespace thalweg::worker
