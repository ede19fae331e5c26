// What depends on time and on the order of inputs: wake-ups, idleness, preferred inputs, the surroundings of
// expressions.
#include <algorithm>
#include <thread>

#include "tests/unit/worker/task/fake_ends.h"
#include "worker/task/asio_executor.h"
#include "worker/task/local_job.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

struct Engine {
  ManualClock clock{1000};
  AsioExecutor executor{clock, {.compute_threads = 2, .io_threads = 1, .clock_poll_ms = 1}};
  std::unique_ptr<LocalJob> start(TaskGraph graph, JobOptions options = {}) {
    Result<std::unique_ptr<LocalJob>> job = LocalJob::start(std::move(graph), executor, clock, std::move(options));
    REQUIRE(job.status().message() == "");
    return std::move(job).value();
  }
};

/// A source that gives `rows` rows and is then silent until the test says `done`.
SourceNode heldSource(std::string uid, int64_t rows, std::shared_ptr<std::atomic<bool>> done, int64_t idle_timeout_ms = 0) {
  NumberSource source{.rows = rows + 1, .keys = 1'000'000, .split_rows = rows + 1};
  source.ready = [rows, done](int64_t number) { return number < rows || done->load(); };
  SourceNode node = numberSource(source, idle_timeout_ms);
  node.uid = std::move(uid);
  return node;
}

/// Emits each row 10 ms late.
class DelayOperator : public PieceOperator {
 public:
  Status open(OperatorContext& context) override {
    context_ = &context;
    return {};
  }
  Result<Progress> onWakeup(int64_t now_ms, Output& output) override {
    std::vector<Pair> due;
    while (!held_.empty() && held_.begin()->first <= now_ms) {
      due.push_back({static_cast<int32_t>(now_ms), held_.begin()->second});
      held_.erase(held_.begin());
    }
    if (!held_.empty()) context_->requestWakeup(held_.begin()->first);
    if (!due.empty()) RETURN_IF_ERROR(output.emit(pairBatch(due)));
    return Progress::DONE;
  }

 protected:
  Result<Progress> processRows(int, const Batch& piece, Output&) override {
    for (const Pair& pair : pairsOf(piece)) held_.emplace(context_->nowMillis() + 10, pair.number);
    context_->requestWakeup(held_.begin()->first);
    return Progress::DONE;
  }

 private:
  OperatorContext* context_ = nullptr;
  std::multimap<int64_t, int64_t> held_;
};

void waitForRows(Collected& collected, size_t rows) {
  while (collected.size() < rows) std::this_thread::yield();
}

}  // namespace

TEST_CASE("wake-ups come when the clock says so, and not before") {
  Engine engine;
  const auto collected = std::make_shared<Collected>();
  const auto seen = std::make_shared<Collected>();
  const auto done = std::make_shared<std::atomic<bool>>(false);
  TaskGraph graph;
  graph.tasks = {{.name = "source", .parallelism = 1, .source = heldSource("source", 3, done)},
                 {.name = "seen", .parallelism = 1, .inputs = {{.upstream = 0}}, .operators = {collectSink(seen, {}, "seen")}},
                 {.name = "delay", .parallelism = 1, .inputs = {{.upstream = 0}}, .operators = {operatorNode<DelayOperator>("delay"), collectSink(collected)}}};
  const auto job = engine.start(graph);
  waitForRows(*seen, 3);
  const auto delay_got = [&] {
    for (const OperatorMetricsRow& row : job->metrics()) {
      if (row.uid == "delay") return row.metrics.rows_in;
    }
    return uint64_t{0};
  };
  while (delay_got() < 3) std::this_thread::yield();
  engine.clock.advanceMillis(9);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));    // nothing can be waited for: nothing is to happen
  REQUIRE(collected->size() == 0);
  engine.clock.advanceMillis(1);
  waitForRows(*collected, 3);
  for (const Pair& row : collected->rows) REQUIRE(row.key == 1010);
  job->cancel();
}

TEST_CASE("an idle source stops holding back the watermark, and counts again with its next row") {
  Engine engine;
  const auto collected = std::make_shared<Collected>();
  const auto busy_done = std::make_shared<std::atomic<bool>>(false);
  const auto idle_done = std::make_shared<std::atomic<bool>>(false);
  TaskGraph graph;
  graph.tasks = {
      {.name = "busy", .parallelism = 1, .source = heldSource("busy", 100, busy_done), .operators = {operatorNode<NumberWatermarkOperator>("watermarks 1")}},
      {.name = "idle", .parallelism = 1, .source = heldSource("idle", 5, idle_done, 50), .operators = {operatorNode<NumberWatermarkOperator>("watermarks 2")}},
      {.name = "sink", .parallelism = 1, .inputs = {{.upstream = 0}, {.upstream = 1}}, .operators = {collectSink(collected)}}};
  const auto job = engine.start(graph);
  waitForRows(*collected, 105);
  const auto last_watermark = [&] {
    const std::lock_guard<std::mutex> lock(collected->mutex);
    return collected->watermarks[0].empty() ? kMinWatermark : collected->watermarks[0].back();
  };
  while (last_watermark() < 4) std::this_thread::yield();
  REQUIRE(last_watermark() == 4);                 // the slower of the two
  while (last_watermark() < 99) {
    engine.clock.advanceMillis(10);
    std::this_thread::yield();
  }
  REQUIRE(last_watermark() == 99);
  idle_done->store(true);
  busy_done->store(true);
  while (!job->hasEnded()) engine.clock.advanceMillis(1);
  REQUIRE(job->wait().isOk());
  REQUIRE(last_watermark() == kMaxWatermark);
}

TEST_CASE("an input that is preferred is read to its end first, even in a diamond") {
  /// Emits how many rows of input 1 had been seen, for each row of input 0.
  class BuildProbeOperator : public PieceOperator {
   public:
    Status open(OperatorContext&) override { return {}; }
    int preferredInput() const override { return 1; }

   protected:
    Result<Progress> processRows(int input, const Batch& piece, Output& output) override {
      if (input == 1) {
        built_ += static_cast<int64_t>(piece.rows());
        return Progress::DONE;
      }
      std::vector<Pair> rows;
      for (const Pair& pair : pairsOf(piece)) rows.push_back({pair.key, built_});
      RETURN_IF_ERROR(output.emit(pairBatch(rows)));
      return Progress::DONE;
    }

   private:
    int64_t built_ = 0;
  };
  Engine engine;
  const auto collected = std::make_shared<Collected>();
  TaskGraph graph;
  graph.batch_mode = true;
  graph.tasks = {{.name = "source", .parallelism = 1, .source = numberSource({.rows = 100'000, .split_rows = 100'000})},
                 {.name = "pass", .parallelism = 1, .inputs = {{.upstream = 0}}, .operators = {operatorNode<PassOperator>("pass")}},
                 {.name = "join",
                  .parallelism = 1,
                  .inputs = {{.upstream = 0, .operator_input = 0, .unbounded_buffer = true}, {.upstream = 1, .operator_input = 1}},
                  .operators = {operatorNode<BuildProbeOperator>("join"), collectSink(collected)}}};
  JobOptions options;
  options.channel_limits = {.batches_max = 2, .bytes_max = 10'000};
  REQUIRE(engine.start(graph, options)->wait().isOk());
  REQUIRE(collected->rows.size() == 100'000);
  for (const Pair& row : collected->rows) REQUIRE(row.number == 100'000);
}

TEST_CASE("operators find zone, time, seed and place in their context") {
  struct Seen {
    std::mutex mutex;
    std::map<std::string, uint64_t> randoms;
    int64_t start_ms = 0;
    std::string zone;
    bool batch = false;
  };
  class LookOperator : public PassOperator {
   public:
    explicit LookOperator(std::shared_ptr<Seen> seen) : seen_(std::move(seen)) {}
    Status open(OperatorContext& context) override {
      const std::lock_guard<std::mutex> lock(seen_->mutex);
      EvalContext& eval = context.evalContext();
      seen_->randoms[context.operatorName() + std::to_string(context.subtaskIndex())] = eval.random();
      seen_->start_ms = eval.query_start_ms;
      seen_->zone = eval.session_zone->id();
      seen_->batch = eval.batch_mode && context.batchMode();
      REQUIRE(context.parallelism() == 2);
      REQUIRE(context.maxParallelism() == 64);
      REQUIRE(context.nowMillis() == eval.now_ms());
      REQUIRE(context.executor() != nullptr);
      return {};
    }

   private:
    std::shared_ptr<Seen> seen_;
  };
  const auto run = [](uint64_t seed) {
    Engine engine;
    const auto seen = std::make_shared<Seen>();
    TaskGraph graph;
    graph.max_parallelism = 64;
    graph.batch_mode = true;
    REQUIRE(graph.configuration.set("table.local-time-zone", "Asia/Tokyo").isOk());
    graph.tasks = {{.name = "source", .parallelism = 2, .source = numberSource({.rows = 10}), .operators = {operatorNode<LookOperator>("a", seen), operatorNode<LookOperator>("b", seen)}}};
    JobOptions options;
    options.random_seed = seed;
    REQUIRE(engine.start(graph, options)->wait().isOk());
    REQUIRE(seen->start_ms == 1000);
    REQUIRE(seen->zone == "Asia/Tokyo");
    REQUIRE(seen->batch);
    return seen->randoms;
  };
  const auto randoms = run(1);
  std::set<uint64_t> distinct;
  for (const auto& [place, number] : randoms) distinct.insert(number);
  REQUIRE(distinct.size() == 4);
  REQUIRE(run(1) == randoms);
  REQUIRE(run(2) != randoms);
}

}  // namespace thalweg::worker
