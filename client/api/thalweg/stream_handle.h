// StreamHandle: what every stream of a program has — the graph it stands in, and the edges that a reader of it gets.
//
// A handle is a value: copying it copies no data. The edges say which outputs of which nodes it stands for (several
// after a union) and how their rows are to be dealt out.
// Lifetime: shares the graph. Threads: one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "client/api/thalweg/collected_records.h"
#include "client/api/thalweg/stream_graph.h"

namespace thalweg::api {

using StreamGraphPtr = std::shared_ptr<StreamGraph>;

/// One output of one node, and how rows leave it.
struct StreamOrigin {
  int node = -1;
  int tag = 0;
  Partition partition = Partition::ANY;
};

template <typename T>
class StreamHandle {
 public:
  using Record = T;
  StreamHandle(StreamGraphPtr graph, std::vector<StreamOrigin> origins) : graph_(std::move(graph)), origins_(std::move(origins)) {}

  const StreamGraphPtr& graph() const { return graph_; }
  const std::vector<StreamOrigin>& origins() const { return origins_; }
  /// How records become columns. Of a union: that of its first stream.
  RecordTypePtr<T> type() const {
    const StreamOrigin& origin = origins_[0];
    return std::static_pointer_cast<const RecordType<T>>(graph_->node(origin.node).types.at(static_cast<size_t>(origin.tag)));
  }
  /// The edges for a node that reads this stream.
  std::vector<StreamEdge> edges() const {
    std::vector<StreamEdge> edges;
    for (const StreamOrigin& origin : origins_) {
      auto type = std::static_pointer_cast<const RecordType<T>>(graph_->node(origin.node).types.at(static_cast<size_t>(origin.tag)));
      edges.push_back({origin.node, origin.tag, origin.partition, link_of_(std::move(type))});
    }
    return edges;
  }
  const std::string& name() const { return graph_->node(origins_[0].node).name; }
  bool isBounded() const { return graph_->node(origins_[0].node).bounded; }

 protected:
  using LinkOf = std::function<StreamLinkPtr(RecordTypePtr<T>)>;
  StreamGraphPtr graph_;
  std::vector<StreamOrigin> origins_;
  LinkOf link_of_ = [](RecordTypePtr<T> type) -> StreamLinkPtr { return std::make_shared<PlainLink<T>>(std::move(type)); };
};

/// A node of the graph that can be named and placed: what operators and sinks have in common. `Self` is the handle.
template <typename Self>
class NodeSettings {
 public:
  Self& name(const std::string& name) { return set([&](StreamNode& node) { node.name = name; }); }
  /// Names the operator's state in snapshots; must be unique in the program.
  Self& uid(const std::string& uid) { return set([&](StreamNode& node) { node.uid = uid; }); }
  Self& setParallelism(int parallelism) {
    if (parallelism < 1) throw ValidationException("the parallelism of an operator must be at least 1, not " + std::to_string(parallelism));
    return set([&](StreamNode& node) {
      if (node.parallelism_max > 0 && parallelism > node.parallelism_max) {
        throw ValidationException("operator '" + node.name + "' cannot run in parallel: its parallelism must be " + std::to_string(node.parallelism_max));
      }
      node.parallelism = parallelism;
    });
  }
  Self& setMaxParallelism(int parallelism) { return set([&](StreamNode& node) { node.max_parallelism = parallelism; }); }
  /// Fused with neither the operator before nor those behind.
  Self& disableChaining() { return set([](StreamNode& node) { node.chain_to_input = node.chain_output = false; }); }
  /// Begins a chain of its own.
  Self& startNewChain() { return set([](StreamNode& node) { node.chain_to_input = false; }); }
  Self& slotSharingGroup(const std::string& group) { return set([&](StreamNode& node) { node.slot_group = group; }); }
  Self& setDescription(const std::string&) { return static_cast<Self&>(*this); }

 private:
  template <typename Change>
  Self& set(Change&& change) {
    auto& self = static_cast<Self&>(*this);
    change(self.settingsNode());
    return self;
  }
};

/// The end of a stream.
class DataStreamSink : public NodeSettings<DataStreamSink> {
 public:
  DataStreamSink(StreamGraphPtr graph, int node) : graph_(std::move(graph)), node_(node) {}
  StreamNode& settingsNode() { return graph_->node(node_); }

 private:
  StreamGraphPtr graph_;
  int node_;
};

}  // namespace thalweg::api
