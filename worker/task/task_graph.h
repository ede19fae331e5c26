// TaskGraph: a job as the worker runs it — tasks, each a chain of operators, and the edges between them.
//
//   TaskGraph graph;
//   graph.tasks.push_back({.name = "Source: orders", .parallelism = 4, .source = SourceNode{…}, .operators = {calc}});
//   graph.tasks.push_back({.name = "GroupAggregate -> Sink", .parallelism = 4,
//                          .inputs = {{.upstream = 0, .partition = PartitionKind::HASH, .keys = {0}, .types = types}},
//                          .operators = {aggregate, sink}});
//   RETURN_IF_ERROR(graph.validate());
//
// A chain is a head and operators behind it. The head is either a source or the task's inputs; the first operator may
// have several inputs, the others have one. What the last operator (or the source, if there are none) emits goes to
// every task that names this one as upstream: shared sources and sub-plans are edges, not copies.
// Factories are called once per subtask and attempt, one at a time, from LocalJob::start.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/config/configuration.h"
#include "common/runtime_api/operator.h"
#include "common/runtime_api/outlet.h"
#include "common/runtime_api/source.h"

namespace thalweg::worker {

/// Which subtask of the receiver gets a row. Marks and barriers go to every subtask that has a channel.
enum class PartitionKind : uint8_t {
  FORWARD,    ///< subtask i to subtask i; equal parallelism
  HASH,       ///< by the key group of `keys`
  REBALANCE,  ///< batch by batch in turn
  BROADCAST,  ///< each row to every subtask
  SINGLETON,  ///< all to the one subtask of the receiver
  ROUTED,     ///< to the subtask whose number (modulo their count) stands in the INT column keys[0]
};

struct TaskInput {
  int upstream = -1;                       ///< position in TaskGraph::tasks, smaller than the receiver's own
  PartitionKind partition = PartitionKind::FORWARD;
  std::vector<int> keys = {};              ///< HASH: columns
  std::vector<DataType> types = {};        ///< HASH: column types of the edge
  int upstream_output = 0;                 ///< which of the sender's streams (MultiOutput)
  int operator_input = 0;                  ///< input of the first operator; several edges may feed one
  bool unbounded_buffer = false;           ///< never full: breaks the diamonds of preferred inputs
};

struct OperatorNode {
  std::string uid;                         ///< stable and unique in the job: names its state
  std::string name;                        ///< for people
  OperatorFactory make;
  std::shared_ptr<Outlet> outlet = nullptr;///< what it gives to besides the next operator: the task heeds when it is full
  std::optional<std::string> computed_inputs = std::nullopt;   ///< what its keyed state depends on (computed_inputs.h), if known
};

struct SourceNode {
  std::string uid;
  std::string name;
  std::function<Result<std::unique_ptr<SourceReader>>()> make_reader;           ///< per subtask
  std::function<Result<std::unique_ptr<SplitEnumerator>>()> make_enumerator;    ///< one
  int64_t idle_timeout_ms = 0;             ///< without rows for so long the source counts as idle; 0: never
};

struct TaskSpec {
  std::string name;
  int parallelism = 1;
  std::optional<SourceNode> source = std::nullopt;
  std::vector<TaskInput> inputs = {};
  std::vector<OperatorNode> operators = {};
  /// Inputs of the first operator.
  int inputCount() const;
};

struct TaskGraph {
  std::vector<TaskSpec> tasks;             ///< upstream before downstream
  int max_parallelism = 128;
  bool batch_mode = false;
  Configuration configuration = {};

  /// Whether the graph hangs together; an INTERNAL error names what does not, since plans never come out so.
  Status validate() const;
};

}  // namespace thalweg::worker
