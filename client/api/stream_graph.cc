#include "client/api/thalweg/stream_graph.h"

#include <algorithm>
#include <set>

#include "client/api/thalweg/exception.h"

namespace thalweg::api {

int StreamGraph::add(StreamNode node) {
  node.id = static_cast<int>(nodes_.size());
  pending_.push_back(node.id);
  nodes_.push_back(std::move(node));
  return nodes_.back().id;
}

void StreamGraph::forget(int id) { std::erase(pending_, id); }

std::vector<int> StreamGraph::pending() const {
  std::set<int> reached;
  std::vector<int> open = pending_;
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    if (!reached.insert(id).second) continue;
    for (const auto& input : node(id).inputs) {
      for (const StreamEdge& edge : input) open.push_back(edge.node);
    }
  }
  return {reached.begin(), reached.end()};
}

void StreamGraph::align(int id, WatermarkAlignment& alignment) {
  auto& group = alignment_groups_[alignment.group];
  if (!group) group = std::make_shared<AlignmentGroup>();
  alignment.source = id;
  alignment.members = group;
  node(id).alignment = alignment;
}

bool StreamGraph::isBatch() const {
  const std::string mode = configuration.getEnum("execution.runtime-mode");
  if (mode != "AUTOMATIC") return mode == "BATCH";
  const std::vector<int> nodes = pending();
  return std::all_of(nodes.begin(), nodes.end(), [this](int id) { return node(id).bounded; });
}

int StreamGraph::defaultParallelism() const {
  return parallelism > 0 ? parallelism : static_cast<int>(configuration.getInt("parallelism.default"));
}

BufferPtr timestampBuffer(const std::vector<EventTime>& timestamps) {
  return Buffer::copyOf({reinterpret_cast<const uint8_t*>(timestamps.data()), timestamps.size() * sizeof(EventTime)});
}

Port& SourceStage::input(int) { checkFailed(__FILE__, __LINE__, "a source has no input"); }

std::string Stage::redistribute(const std::vector<std::string_view>&, int, int) {
  throw UnsupportedOperationException("its state cannot be divided anew: restore it with the parallelism it was taken with");
}

}  // namespace thalweg::api
