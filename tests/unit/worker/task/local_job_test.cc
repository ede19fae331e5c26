#include "worker/task/local_job.h"

#include <thread>

#include "tests/unit/worker/task/fake_ends.h"
#include "worker/task/asio_executor.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

struct Engine {
  SystemClock clock;
  AsioExecutor executor{clock, {.compute_threads = 4, .io_threads = 1}};

  std::unique_ptr<LocalJob> start(TaskGraph graph, JobOptions options = {}) {
    Result<std::unique_ptr<LocalJob>> job = LocalJob::start(std::move(graph), executor, clock, std::move(options));
    REQUIRE(job.status().message() == "");
    return std::move(job).value();
  }
  /// Runs to the end, which is to be ok.
  void run(TaskGraph graph) { REQUIRE(start(std::move(graph))->wait().message() == ""); }
};

TaskInput edge(int upstream, PartitionKind partition, int operator_input = 0) {
  TaskInput input;
  input.upstream = upstream;
  input.partition = partition;
  if (partition == PartitionKind::HASH) {
    input.keys = {0};
    input.types = pairTypes();
  }
  input.operator_input = operator_input;
  return input;
}

TaskSpec sourceTask(NumberSource source, int parallelism, std::vector<OperatorNode> operators = {}) {
  return {.name = "source", .parallelism = parallelism, .source = numberSource(std::move(source)), .operators = std::move(operators)};
}

TaskSpec task(std::vector<TaskInput> inputs, int parallelism, std::vector<OperatorNode> operators) {
  return {.name = "task", .parallelism = parallelism, .inputs = std::move(inputs), .operators = std::move(operators)};
}

std::map<int32_t, int64_t> sumsPerKey(int64_t rows, int32_t keys) {
  std::map<int32_t, int64_t> sums;
  for (int64_t number = 0; number < rows; ++number) sums[static_cast<int32_t>(number % keys)] += number;
  return sums;
}

std::vector<int64_t> sortedNumbers(Collected& collected) {
  std::vector<int64_t> numbers;
  for (const Pair& row : collected.rows) numbers.push_back(row.number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<int64_t> numbersUpTo(int64_t rows, size_t copies = 1) {
  std::vector<int64_t> numbers;
  for (int64_t number = 0; number < rows; ++number) numbers.insert(numbers.end(), copies, number);
  return numbers;
}

}  // namespace

TEST_CASE("a chain of a source, an operator and a sink runs to its end") {
  for (const int parallelism : {1, 4}) {
    Engine engine;
    const auto collected = std::make_shared<Collected>();
    TaskGraph graph;
    graph.tasks = {sourceTask({.rows = 100'000}, parallelism, {operatorNode<PassOperator>("pass"), collectSink(collected)})};
    engine.run(graph);
    REQUIRE(sortedNumbers(*collected) == numbersUpTo(100'000));
    REQUIRE(collected->opened == parallelism);
    REQUIRE(collected->open == 0);
    REQUIRE(collected->finished == parallelism);
    REQUIRE(collected->watermarks.size() == static_cast<size_t>(parallelism));
    for (const auto& [subtask, watermarks] : collected->watermarks) REQUIRE(watermarks == std::vector<EventTime>{kMaxWatermark});
  }
}

TEST_CASE("hashed rows meet their key's state, in order") {
  for (const int parallelism : {1, 4}) {
    Engine engine;
    const auto collected = std::make_shared<Collected>();
    TaskGraph graph;
    graph.tasks = {sourceTask({.rows = 50'000, .keys = 100}, 1),
                   task({edge(0, PartitionKind::HASH)}, parallelism, {operatorNode<SumOperator>("sum"), collectSink(collected)})};
    engine.run(graph);
    REQUIRE(collected->lastPerKey() == sumsPerKey(50'000, 100));
    std::map<int32_t, int> owner;
    std::map<int32_t, int64_t> last;
    for (size_t i = 0; i < collected->rows.size(); ++i) {
      const Pair& row = collected->rows[i];
      REQUIRE(owner.emplace(row.key, collected->subtask_of_row[i]).first->second == collected->subtask_of_row[i]);
      REQUIRE(row.number >= last[row.key]);    // sums of ascending numbers, from one sender: never out of order
      last[row.key] = row.number;
    }
    REQUIRE(collected->rows.size() == 100 + 2 * (50'000 - 100));
  }
}

TEST_CASE("every kind of edge delivers the rows it should") {
  const auto run = [](PartitionKind kind, int from, int to) {
    Engine engine;
    const auto collected = std::make_shared<Collected>();
    TaskGraph graph;
    graph.tasks = {sourceTask({.rows = 20'000}, from), task({edge(0, kind)}, to, {collectSink(collected)})};
    engine.run(graph);
    REQUIRE(collected->finished == to);
    for (int subtask = 0; subtask < to; ++subtask) REQUIRE(collected->watermarks[subtask] == std::vector<EventTime>{kMaxWatermark});
    return collected;
  };
  REQUIRE(sortedNumbers(*run(PartitionKind::FORWARD, 3, 3)) == numbersUpTo(20'000));
  REQUIRE(sortedNumbers(*run(PartitionKind::HASH, 3, 5)) == numbersUpTo(20'000));
  REQUIRE(sortedNumbers(*run(PartitionKind::SINGLETON, 3, 1)) == numbersUpTo(20'000));
  REQUIRE(sortedNumbers(*run(PartitionKind::BROADCAST, 2, 3)) == numbersUpTo(20'000, 3));
  const auto balanced = run(PartitionKind::REBALANCE, 2, 4);
  REQUIRE(sortedNumbers(*balanced) == numbersUpTo(20'000));
  REQUIRE(std::set<int>(balanced->subtask_of_row.begin(), balanced->subtask_of_row.end()).size() == 4);
}

TEST_CASE("a task's output feeds several consumers, and an input takes several edges") {
  Engine engine;
  const auto left = std::make_shared<Collected>();
  const auto both = std::make_shared<Collected>();
  TaskGraph graph;
  graph.tasks = {sourceTask({.rows = 10'000}, 2),
                 task({edge(0, PartitionKind::FORWARD)}, 2, {operatorNode<PassOperator>("pass")}),
                 task({edge(0, PartitionKind::REBALANCE), edge(1, PartitionKind::HASH)}, 3, {collectSink(both, {}, "both")}),
                 task({edge(0, PartitionKind::SINGLETON)}, 1, {collectSink(left, {}, "left")})};
  engine.run(graph);
  REQUIRE(sortedNumbers(*left) == numbersUpTo(10'000));
  REQUIRE(sortedNumbers(*both) == numbersUpTo(10'000, 2));
}

TEST_CASE("a failing operator ends the job with its error, and everything is closed") {
  for (const bool throws : {false, true}) {
    Engine engine;
    const auto collected = std::make_shared<Collected>();
    SinkBehaviour behaviour;
    behaviour.on_batch = [&](const Batch& batch) -> Status {
      for (const Pair& pair : pairsOf(batch)) {
        if (pair.number < 5'000) continue;
        if (throws) throw std::runtime_error("it broke");
        return Status::runtime("it broke");
      }
      return {};
    };
    TaskGraph graph;
    graph.tasks = {sourceTask({.rows = 1'000'000'000}, 2),
                   task({edge(0, PartitionKind::HASH)}, 3, {operatorNode<SumOperator>("sum"), collectSink(collected, behaviour)})};
    const Status status = engine.start(graph)->wait();
    REQUIRE(status.message() == (throws ? "unexpected exception: it broke" : "it broke"));
    REQUIRE(collected->open == 0);
    REQUIRE(collected->opened <= 3);
  }
}

TEST_CASE("an error in open or in a factory is the job's") {
  class UnopenableOperator : public PassOperator {
   public:
    Status open(OperatorContext&) override { return Status::notSupported("no such thing"); }
  };
  Engine engine;
  TaskGraph graph;
  graph.tasks = {sourceTask({.rows = 100}, 2, {operatorNode<UnopenableOperator>("broken")})};
  REQUIRE(engine.start(graph)->wait().message() == "no such thing");
  graph.tasks[0].operators[0].make = [] { return Result<std::unique_ptr<Operator>>(Status::invalid("not made")); };
  REQUIRE(LocalJob::start(graph, engine.executor, engine.clock).status().message() == "not made");
  graph.tasks[0].parallelism = 0;
  REQUIRE(LocalJob::start(graph, engine.executor, engine.clock).status().code() == StatusCode::INTERNAL);
}

TEST_CASE("a job can be cancelled at any moment") {
  Random random(7);
  Engine engine;
  for (int round = 0; round < 60; ++round) {
    const auto collected = std::make_shared<Collected>();
    TaskGraph graph;
    graph.tasks = {sourceTask({.rows = 1'000'000'000, .split_rows = 100}, 3, {operatorNode<PassOperator>("pass")}),
                   task({edge(0, PartitionKind::HASH)}, 4, {operatorNode<SumOperator>("sum")}),
                   task({edge(1, PartitionKind::REBALANCE)}, 2, {collectSink(collected)})};
    const auto job = engine.start(graph);
    const auto spins = random.nextBelow(200'000);
    for (uint64_t i = 0; i < spins; ++i) (void)job->hasEnded();
    if (round % 2 == 0) {
      job->cancel();
      REQUIRE(job->wait().code() == StatusCode::CANCELLED);
      REQUIRE(collected->open == 0);
    }                                         // else the destructor does it
  }
}

TEST_CASE("a slow sink holds its source back: queued bytes stay within the limits") {
  Engine engine;
  const auto collected = std::make_shared<Collected>();
  std::atomic<bool> slow{true};
  SinkBehaviour behaviour;
  behaviour.on_batch = [&](const Batch&) -> Status {
    if (slow) std::this_thread::sleep_for(std::chrono::microseconds(300));   // the sink being slow is the test
    return {};
  };
  TaskGraph graph;
  graph.tasks = {sourceTask({.rows = 1'000'000'000, .split_rows = 1'000'000}, 2),
                 task({edge(0, PartitionKind::HASH)}, 2, {operatorNode<PassOperator>("pass")}),
                 task({edge(1, PartitionKind::SINGLETON)}, 1, {collectSink(collected, behaviour)})};
  JobOptions options;
  options.channel_limits = {.batches_max = 4, .bytes_max = size_t{1} << 20};
  const auto job = engine.start(graph, options);
  size_t peak_queued = 0;
  while (collected->size() < 300'000) peak_queued = std::max(peak_queued, job->queuedBytes());
  job->cancel();
  (void)job->wait();
  // 6 channels of 4 batches of 8 Ki rows of 12 bytes; and what one slice may add on top.
  REQUIRE(peak_queued > 0);
  REQUIRE(peak_queued <= 6 * (size_t{4} + 8) * 8192 * 12);
}

TEST_CASE("an operator that stops at full outputs loses and reorders nothing, wherever it stands in its chain") {
  for (const size_t rows_a_batch : {1u, 100u}) {
    Engine engine;
    const auto collected = std::make_shared<Collected>();
    TaskGraph graph;
    graph.tasks = {sourceTask({.rows = 20'000, .split_rows = 1'000'000}, 1,
                              {operatorNode<SortByNumberOperator>("sort 1", rows_a_batch), operatorNode<SortByNumberOperator>("sort 2", size_t{7}),
                               operatorNode<PassOperator>("pass")}),
                   task({edge(0, PartitionKind::FORWARD)}, 1, {operatorNode<SortByNumberOperator>("sort 3", rows_a_batch), collectSink(collected)})};
    JobOptions options;
    options.channel_limits = {.batches_max = 1, .bytes_max = 100};
    REQUIRE(engine.start(graph, options)->wait().isOk());
    REQUIRE(collected->rows.size() == 20'000);
    for (size_t i = 0; i < collected->rows.size(); ++i) REQUIRE(collected->rows[i].number == static_cast<int64_t>(i));
  }
}

TEST_CASE("batches of one or seven rows give the same answers") {
  for (const char* batch_rows : {"1", "7"}) {
    Engine engine;
    const auto collected = std::make_shared<Collected>();
    TaskGraph graph;
    REQUIRE(graph.configuration.set("thalweg.exec.batch-rows", batch_rows).isOk());
    graph.tasks = {sourceTask({.rows = 3'000}, 2, {operatorNode<NumberWatermarkOperator>("watermarks")}),
                   task({edge(0, PartitionKind::HASH)}, 3, {operatorNode<SumOperator>("sum"), collectSink(collected)})};
    engine.run(graph);
    REQUIRE(collected->lastPerKey() == sumsPerKey(3'000, 10));
    for (const auto& [subtask, rows] : collected->largest_batch) REQUIRE(rows <= 7);
  }
}

TEST_CASE("watermarks ascend at every subtask and never run ahead of a row") {
  Engine engine;
  const auto collected = std::make_shared<Collected>();
  TaskGraph graph;
  graph.tasks = {sourceTask({.rows = 20'000, .split_rows = 50}, 3, {operatorNode<NumberWatermarkOperator>("watermarks")}),
                 task({edge(0, PartitionKind::HASH)}, 4, {collectSink(collected)})};
  engine.run(graph);
  for (const auto& [subtask, watermarks] : collected->watermarks) {
    for (size_t i = 1; i < watermarks.size(); ++i) REQUIRE(watermarks[i] > watermarks[i - 1]);
    REQUIRE(watermarks.back() == kMaxWatermark);
  }
}

TEST_CASE("metrics count rows in and out of every operator") {
  Engine engine;
  const auto collected = std::make_shared<Collected>();
  TaskGraph graph;
  graph.tasks = {sourceTask({.rows = 5'000}, 2, {operatorNode<PassOperator>("pass")}),
                 task({edge(0, PartitionKind::HASH)}, 2, {operatorNode<SumOperator>("sum"), collectSink(collected)})};
  const auto job = engine.start(graph);
  REQUIRE(job->wait().isOk());
  std::map<std::string, OperatorMetrics> totals;
  for (const OperatorMetricsRow& row : job->metrics()) {
    totals[row.uid].rows_in += row.metrics.rows_in;
    totals[row.uid].rows_out += row.metrics.rows_out;
    totals[row.uid].watermark = row.metrics.watermark;
  }
  REQUIRE(totals["source"].rows_out == 5'000);
  REQUIRE(totals["pass"].rows_in == 5'000);
  REQUIRE(totals["pass"].rows_out == 5'000);
  REQUIRE(totals["sum"].rows_in == 5'000);
  REQUIRE(totals["sum"].rows_out == 10 + 2 * 4'990);
  REQUIRE(totals["sink"].rows_in == 10 + 2 * 4'990);
  REQUIRE(totals["sink"].rows_out == 0);
  REQUIRE(totals["sink"].watermark == kMaxWatermark);
}

TEST_CASE("sinks commit when every subtask has finished, and not when the job fails") {
  Engine engine;
  const auto collected = std::make_shared<Collected>();
  const auto other = std::make_shared<Collected>();
  std::atomic<bool> fails{false};
  SinkBehaviour slow;
  slow.commits = true;
  slow.on_batch = [&](const Batch&) {
    REQUIRE(collected->committed == 0);
    return fails ? Status::runtime("late failure") : Status();
  };
  TaskGraph graph;
  graph.tasks = {sourceTask({.rows = 1'000}, 2),
                 task({edge(0, PartitionKind::REBALANCE)}, 2, {collectSink(collected, {.commits = true})}),
                 task({edge(0, PartitionKind::FORWARD)}, 2, {collectSink(other, slow, "slow sink")})};
  engine.run(graph);
  REQUIRE(collected->committed == 2);
  REQUIRE(other->committed == 2);
  REQUIRE(collected->open == 0);
  fails = true;
  collected->committed = 0;
  REQUIRE(engine.start(graph)->wait().message() == "late failure");
  REQUIRE(collected->committed == 0);
  REQUIRE(collected->open == 0);
}

TEST_CASE("a thousand subtasks run beside each other") {
  Engine engine;
  const auto collected = std::make_shared<Collected>();
  TaskGraph graph;
  graph.max_parallelism = 1000;
  graph.tasks = {sourceTask({.rows = 50'000, .split_rows = 10}, 500),
                 task({edge(0, PartitionKind::FORWARD)}, 500, {operatorNode<PassOperator>("pass")}),
                 task({edge(1, PartitionKind::HASH)}, 100, {collectSink(collected)})};
  engine.run(graph);
  REQUIRE(sortedNumbers(*collected) == numbersUpTo(50'000));
}

}  // namespace thalweg::worker
