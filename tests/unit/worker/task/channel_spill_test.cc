// Edges of batch jobs: which may be bounded, and what waits in a file.
#include "worker/task/channel_set.h"

#include "tests/support/temporary_folder.h"
#include "tests/unit/worker/task/fake_operators.h"
#include "worker/state/cold_spill_space.h"
#include "worker/task/edge_cycles.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

TaskSpec taskOf(const std::vector<int>& upstreams) {
  TaskSpec task;
  for (const int upstream : upstreams) {
    task.inputs.push_back({.upstream = upstream, .operator_input = static_cast<int>(task.inputs.size()), .unbounded_buffer = upstreams.size() > 1});
  }
  return task;
}

std::vector<bool> unboundedOf(const TaskGraph& graph, size_t task) {
  std::vector<bool> unbounded;
  for (const TaskInput& input : graph.tasks[task].inputs) unbounded.push_back(input.unbounded_buffer);
  return unbounded;
}

std::vector<int64_t> numbersOf(const Batch& batch) {
  std::vector<int64_t> numbers;
  for (const Pair& pair : pairsOf(batch)) numbers.push_back(pair.number);
  return numbers;
}

}  // namespace

TEST_CASE("joins of separate sources have bounded edges") {
  TaskGraph graph;
  graph.tasks = {taskOf({}), taskOf({}), taskOf({0, 1}), taskOf({}), taskOf({2, 3})};
  boundOffCycles(graph);
  REQUIRE(unboundedOf(graph, 2) == std::vector<bool>{false, false});
  REQUIRE(unboundedOf(graph, 4) == std::vector<bool>{false, false});
}

TEST_CASE("a task that feeds both sides of a join keeps unbounded edges, over others too") {
  TaskGraph graph;
  graph.tasks = {taskOf({}), taskOf({0}), taskOf({}), taskOf({1, 2}), taskOf({0, 3})};
  boundOffCycles(graph);
  REQUIRE(unboundedOf(graph, 3) == std::vector<bool>{true, false});
  REQUIRE(unboundedOf(graph, 4) == std::vector<bool>{true, true});
}

TEST_CASE("two joins that wait for each other's sources keep unbounded edges") {
  TaskGraph graph;
  graph.tasks = {taskOf({}), taskOf({}), taskOf({0, 1}), taskOf({1, 0})};
  boundOffCycles(graph);
  REQUIRE(unboundedOf(graph, 2) == std::vector<bool>{true, true});
  REQUIRE(unboundedOf(graph, 3) == std::vector<bool>{true, true});
}

TEST_CASE("a task that feeds one join twice keeps unbounded edges") {
  TaskGraph graph;
  graph.tasks = {taskOf({}), taskOf({0, 0})};
  boundOffCycles(graph);
  REQUIRE(unboundedOf(graph, 1) == std::vector<bool>{true, true});
}

TEST_CASE("what waits in an unbounded channel while memory is short comes out in order") {
  const auto tier = ColdTier::make({.folder = testing::makeTemporaryFolder() + "/cold", .memory_bytes = 0, .when_needed = true});
  REQUIRE(tier.isOk());
  const auto space = std::make_shared<ColdSpillSpace>(*tier);
  for (const bool spills : {false, true}) {
    ChannelSet channels({{0, true}, {1, false}}, 2, {}, spills ? space : nullptr);
    int64_t pushed = 0;
    int64_t popped = 0;
    for (int round = 0; round < 50; ++round) {
      for (int i = 0; i < round % 5; ++i) channels.push(0, {.batch = pairBatch({{1, pushed++}})});
      for (int i = 0; i < round % 3; ++i) {
        const auto element = channels.pop(0);
        if (!element) break;
        REQUIRE(numbersOf(element->element.batch) == std::vector<int64_t>{popped++});
      }
    }
    channels.push(0, {.kind = ChannelElement::Kind::END});
    while (popped < pushed) {
      REQUIRE(channels.nextRows(0) == size_t{1});
      REQUIRE(numbersOf(channels.pop(0)->element.batch) == std::vector<int64_t>{popped++});
    }
    REQUIRE(channels.pop(0)->element.kind == ChannelElement::Kind::END);
    REQUIRE(channels.queuedBytes() == 0);
    REQUIRE(channels.failure().isOk());
  }
}

}  // namespace thalweg::worker
