// startStreamJob: runs a job made of user chains and planned table operators inside this process.
//
// The tasks come cut already; what they hold is either made by the client (a factory) or described by a plan node that
// this room knows how to make. Rows leave a task on numbered outputs (MultiOutput).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "client/embedded/embedded_job.h"
#include "client/embedded/task_graph_builder.h"
#include "common/plan/shipped_program.h"
#include "common/runtime_api/operator.h"
#include "common/runtime_api/source.h"

namespace thalweg::client {

enum class StreamExchange : uint8_t { FORWARD, HASH, REBALANCE, BROADCAST, SINGLETON, ROUTED };

struct StreamTaskInput {
  int from_task = 0;
  int from_output = 0;
  StreamExchange exchange = StreamExchange::FORWARD;
  std::vector<int> keys = {};                ///< HASH: columns; ROUTED: the one with the receiver's number
  std::vector<DataType> types = {};          ///< columns of the edge
  int operator_input = 0;
  bool unbounded_buffer = false;
};

struct StreamOperator {
  std::string uid;
  std::string name;
  /// A planned operator, or a factory of the client's.
  std::variant<PlanNodePtr, OperatorFactory> make;
  /// What tells two of the client's operators apart besides uid and name, line by line; may be null.
  std::function<std::vector<std::string>()> details = nullptr;
};

struct StreamSource {
  std::string uid;
  std::string name;
  std::function<Result<std::unique_ptr<SourceReader>>()> make_reader;    ///< per subtask, after its operators
  std::vector<std::string> splits;
  std::function<Result<std::unique_ptr<SplitEnumerator>>()> make_enumerator = nullptr;     ///< instead of `splits`
};

struct StreamTask {
  std::string name;
  int parallelism = 1;
  std::optional<StreamSource> source = {};
  PlanNodePtr plan_source = nullptr;         ///< instead of `source`
  std::vector<StreamTaskInput> inputs = {};
  std::vector<StreamOperator> operators = {};
};

struct StreamJob {
  std::vector<StreamTask> tasks;             ///< upstream before downstream
  Configuration configuration;
  int max_parallelism = 128;
  bool batch_mode = false;
  int ordinal = 0;                           ///< tells apart equal jobs of one environment
  /// Columns of the rows that a task collects for the program (CollectSpec); none: no task does.
  std::optional<std::vector<DataType>> collected_types = std::nullopt;
};

Result<BuiltTaskGraph> buildStreamJob(StreamJob job);
/// Line by line what the job is, as coordinator/compiler/graph_fingerprint.h has it for planned ones.
std::string streamJobText(const StreamJob& job);
JobOutline outlineOf(const StreamJob& job);

Result<std::shared_ptr<EmbeddedJob>> startStreamJob(StreamJob job);

}  // namespace thalweg::client
