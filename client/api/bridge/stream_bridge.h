// StreamBridge: puts planned table queries into the stream graph of a program, and runs those that must run at once.
//
// Each stream that became a table has a number; a plan's scan of it names that number, and the plan's node in the graph
// has the stream's edges as the input of the same number. Threads: one. Lifetime: shared by the environments.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "client/api/bridge/table_links.h"
#include "client/api/table/table_state.h"
#include "client/api/thalweg/stream_table_environment.h"

namespace thalweg::api {

class StreamBridge final : public PlanRunner {
 public:
  explicit StreamBridge(StreamGraphPtr graph) : graph_(std::move(graph)) {}

  /// The number of a stream whose records, and what `times` says of their time, a table reads.
  int addStream(TableSource source, StreamTimes times, ChangelogMode mode);

  bool owns(const std::vector<LogicalNodePtr>& sinks) const override;
  TableResult run(EnvironmentState& environment, std::vector<LogicalNodePtr> sinks, bool is_query) override;

  /// A plan as a node of `graph`, with the inputs it reads.
  int addPlan(StreamGraph& graph, const EnvironmentState& environment, client::PreparedPlans plans, const std::string& name) const;
  StreamGraph& graph() { return *graph_; }

 private:
  struct Stream {
    TableSource source;
    StreamTimes times;
    ChangelogMode mode;
  };
  StreamGraphPtr graph_;
  std::vector<Stream> streams_;
};

StreamBridge& bridgeOf(const EnvironmentState& environment);

}  // namespace thalweg::api
