// Checkpoints of whole jobs: what is restored goes on as if nothing had happened, exactly once.
#include <algorithm>
#include <thread>

#include "tests/support/temporary_folder.h"
#include "tests/unit/worker/task/fake_ends.h"
#include "worker/task/asio_executor.h"
#include "worker/task/local_job.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

constexpr int64_t kRows = 40'000;
constexpr int32_t kKeys = 50;

/// Sources that stop at `limit` numbers (until it is raised), a keyed sum, a sink.
struct PausableJob {
  std::shared_ptr<std::atomic<int64_t>> limit = std::make_shared<std::atomic<int64_t>>(0);
  std::shared_ptr<Collected> collected = std::make_shared<Collected>();

  TaskGraph graph(int sources, int sums) const {
    NumberSource source{.rows = kRows, .keys = kKeys, .split_rows = 300};
    source.ready = [limit = limit](int64_t number) { return number < limit->load(); };
    TaskInput by_key;
    by_key.upstream = 0;
    by_key.partition = PartitionKind::HASH;
    by_key.keys = {0};
    by_key.types = pairTypes();
    TaskInput to_sink;
    to_sink.upstream = 1;
    to_sink.partition = PartitionKind::REBALANCE;
    TaskGraph graph;
    graph.tasks = {{.name = "source", .parallelism = sources, .source = numberSource(source), .operators = {operatorNode<PassOperator>("pass")}},
                   {.name = "sum", .parallelism = sums, .inputs = {by_key}, .operators = {operatorNode<SumOperator>("sum"), operatorNode<PassOperator>("pass 2")}},
                   {.name = "sink", .parallelism = 1, .inputs = {to_sink}, .operators = {collectSink(collected)}}};
    graph.tasks[2].inputs[0].partition = PartitionKind::SINGLETON;
    return graph;
  }
};

std::map<int32_t, int64_t> expectedSums() {
  std::map<int32_t, int64_t> sums;
  for (int64_t number = 0; number < kRows; ++number) sums[static_cast<int32_t>(number % kKeys)] += number;
  return sums;
}

/// The largest sum seen per key, which is the final one.
std::map<int32_t, int64_t> finalSums(Collected& collected) {
  const std::lock_guard<std::mutex> lock(collected.mutex);
  std::map<int32_t, int64_t> sums;
  for (const Pair& row : collected.rows) sums[row.key] = std::max(sums[row.key], row.number);
  return sums;
}

struct Engine {
  SystemClock clock;
  AsioExecutor executor{clock, {.compute_threads = 4, .io_threads = 1}};
  std::unique_ptr<LocalJob> start(TaskGraph graph, const JobSnapshot* restored = nullptr) {
    JobOptions options;
    options.restored = restored;
    Result<std::unique_ptr<LocalJob>> job = LocalJob::start(std::move(graph), executor, clock, options);
    REQUIRE(job.status().message() == "");
    return std::move(job).value();
  }
};

/// `on_disk`: keyed state leaves memory whenever it can, and snapshots are captured beside the work.
void countAcrossRestarts(uint64_t seed, bool on_disk) {
  Random random(seed);
  const auto configured = [&](TaskGraph graph) {
    if (!on_disk) return graph;
    REQUIRE(graph.configuration.set("state.backend.type", "rocksdb").isOk());
    REQUIRE(graph.configuration.set("state.backend.rocksdb.localdir", testing::makeTemporaryFolder()).isOk());
    REQUIRE(graph.configuration.set("taskmanager.memory.process.size", "0 b").isOk());
    return graph;
  };
  for (int round = 0; round < 25; ++round) {
    Engine engine;
    PausableJob first;
    first.limit->store(static_cast<int64_t>(random.nextBelow(kRows)));
    auto job = engine.start(configured(first.graph(3, 4)));
    JobSnapshot snapshot;
    CheckpointId id = 0;
    for (auto more = random.nextBelow(3) + 1; more > 0; --more) {
      for (auto spins = random.nextBelow(30'000); spins > 0; --spins) (void)job->hasEnded();
      Result<JobSnapshot> taken = job->takeCheckpoint(++id);
      REQUIRE(taken.status().message() == "");
      snapshot = *taken;
    }
    job->cancel();
    REQUIRE(job->wait().code() == StatusCode::CANCELLED);
    job.reset();

    PausableJob second;
    second.limit->store(kRows);
    const int sums = round % 2 == 0 ? 4 : static_cast<int>(random.nextBetween(1, 6));
    const int sources = round % 3 == 0 ? static_cast<int>(random.nextBetween(1, 5)) : 3;
    REQUIRE(engine.start(configured(second.graph(sources, sums)), &snapshot)->wait().message() == "");
    REQUIRE(finalSums(*second.collected) == expectedSums());
  }
}

}  // namespace

TEST_CASE("a job restored from a checkpoint taken at any moment counts every row once") { countAcrossRestarts(3, false); }

TEST_CASE("a job restored from a snapshot that was captured beside its work counts every row once") { countAcrossRestarts(4, true); }

TEST_CASE("checkpoints go on after subtasks have finished, and restore them as finished") {
  Engine engine;
  const auto endless = std::make_shared<std::atomic<int64_t>>(10);
  const auto collected = std::make_shared<Collected>();
  const auto graph = [&](const std::shared_ptr<Collected>& into) {
    NumberSource held{.rows = 1000, .keys = kKeys, .split_rows = 1000};
    held.ready = [endless](int64_t number) { return number < endless->load(); };
    SourceNode held_source = numberSource(held);
    held_source.uid = "held source";
    TaskInput from_first{.upstream = 0, .partition = PartitionKind::REBALANCE};
    TaskInput from_second{.upstream = 1, .partition = PartitionKind::REBALANCE};
    TaskGraph result;
    result.tasks = {{.name = "short", .parallelism = 2, .source = numberSource({.rows = 500, .keys = kKeys})},
                    {.name = "held", .parallelism = 1, .source = held_source},
                    {.name = "sink", .parallelism = 2, .inputs = {from_first, from_second}, .operators = {collectSink(into)}}};
    return result;
  };
  auto job = engine.start(graph(collected));
  while (collected->size() < 510) std::this_thread::yield();
  CheckpointId id = 0;
  Result<JobSnapshot> snapshot = job->takeCheckpoint(++id);
  while (snapshot.isOk() && snapshot->tasks["source"].finished != std::vector<bool>{true, true}) snapshot = job->takeCheckpoint(++id);
  REQUIRE(snapshot.isOk());
  REQUIRE(snapshot->tasks["held source"].finished == std::vector<bool>{false});
  REQUIRE(job->takeCheckpoint(1).status().code() == StatusCode::INVALID_ARGUMENT);
  job->cancel();
  job.reset();

  endless->store(1000);
  const auto again = std::make_shared<Collected>();
  REQUIRE(engine.start(graph(again), &*snapshot)->wait().message() == "");
  REQUIRE(again->size() == 990);                  // nothing of the finished source comes twice
  REQUIRE(again->finished == 2);
}

TEST_CASE("operators flush before their snapshot and hear of completed checkpoints") {
  /// Holds rows back until the barrier.
  class HoldOperator : public PieceOperator {
   public:
    Status open(OperatorContext&) override { return {}; }
    Result<Progress> prepareSnapshot(Output& output) override {
      RETURN_IF_ERROR(output.emit(pairBatch(held_)));
      held_.clear();
      return Progress::DONE;
    }

   protected:
    Result<Progress> processRows(int, const Batch& piece, Output&) override {
      for (const Pair& pair : pairsOf(piece)) held_.push_back(pair);
      return Progress::DONE;
    }

   private:
    std::vector<Pair> held_;
  };
  Engine engine;
  const auto collected = std::make_shared<Collected>();
  const auto limit = std::make_shared<std::atomic<int64_t>>(100);
  NumberSource source{.rows = 200, .split_rows = 1000};
  source.ready = [limit](int64_t number) { return number < limit->load(); };
  TaskGraph graph;
  graph.tasks = {{.name = "source", .parallelism = 1, .source = numberSource(source), .operators = {operatorNode<HoldOperator>("hold"), operatorNode<HoldOperator>("hold 2")}},
                 {.name = "sink", .parallelism = 1, .inputs = {{.upstream = 0}}, .operators = {collectSink(collected)}}};
  const auto job = engine.start(graph);
  const auto rows_at_source = [&] {
    for (const OperatorMetricsRow& row : job->metrics()) {
      if (row.uid == "source") return row.metrics.rows_out;
    }
    return uint64_t{0};
  };
  while (rows_at_source() < 100) std::this_thread::yield();
  REQUIRE(collected->size() == 0);
  REQUIRE(job->takeCheckpoint(5).isOk());
  REQUIRE(collected->size() == 100);
  REQUIRE(collected->confirmed == 0);
  REQUIRE(job->takeCheckpoint(6).isOk());
  REQUIRE(job->takeCheckpoint(7).isOk());
  job->confirmCheckpoint(6);
  while (collected->confirmed == 0) std::this_thread::yield();
  REQUIRE(collected->confirmed == 2);
  limit->store(200);
  REQUIRE(job->wait().isOk());
  REQUIRE(job->takeCheckpoint(8).status().code() == StatusCode::CANCELLED);
}

TEST_CASE("a job that stops with a checkpoint reads nothing behind it, and goes on from it") {
  Engine engine;
  std::map<int32_t, int64_t> rows_of_key;
  JobSnapshot snapshot;
  for (int piece = 0; piece < 100; ++piece) {
    PausableJob pausable;
    pausable.limit->store(kRows);
    JobOptions options;
    options.restored = piece == 0 ? nullptr : &snapshot;
    options.hold_after_rows = 3'000;
    auto started = LocalJob::start(pausable.graph(1 + piece % 3, 4), engine.executor, engine.clock, options);
    REQUIRE(started.status().message() == "");
    LocalJob& job = **started;
    const bool held = job.waitForHold();
    if (held) {
      Result<JobSnapshot> taken = job.takeCheckpoint(piece + 1, true);
      REQUIRE(taken.status().message() == "");
      snapshot = *std::move(taken);
      job.stop(piece + 1);
    }
    REQUIRE(job.wait().message() == "");
    for (const Pair& row : pausable.collected->rows) ++rows_of_key[row.key];
    if (!held) break;
  }
  REQUIRE(rows_of_key.size() == kKeys);
  for (const auto& [key, rows] : rows_of_key) REQUIRE(rows == 2 * (kRows / kKeys) - 1);   // the first sum of a key takes nothing back
}

TEST_CASE("an abandoned checkpoint is answered, and the next one completes") {
  Engine engine;
  PausableJob first;
  first.limit->store(100);
  auto job = engine.start(first.graph(2, 2));
  std::atomic<int> answers{0};
  job->triggerCheckpoint(1, [&](const Result<JobSnapshot>&) { ++answers; });
  job->abandonCheckpoint(1, Status::runtime("too slow"));
  REQUIRE(job->takeCheckpoint(2).isOk());
  REQUIRE(answers == 1);
}

TEST_CASE("a snapshot that does not fit the job is refused") {
  Engine engine;
  PausableJob first;
  first.limit->store(1000);
  auto job = engine.start(first.graph(1, 2));
  Result<JobSnapshot> snapshot = job->takeCheckpoint(1);
  REQUIRE(snapshot.isOk());
  job.reset();
  JobOptions options;
  options.restored = &*snapshot;
  TaskGraph other = first.graph(1, 2);
  other.tasks[1].operators[0].uid = "another sum";
  REQUIRE(LocalJob::start(other, engine.executor, engine.clock, options).status().message() ==
          "the snapshot holds state of operator 'sum', which the job does not have; set "
          "'execution.state-recovery.ignore-unclaimed-state' (--allow-non-restored-state) to go on without it");
  options.allow_unclaimed_state = true;
  REQUIRE(LocalJob::start(other, engine.executor, engine.clock, options).isOk());
  options.allow_unclaimed_state = false;
  snapshot->operators["pass 2"][0].own = "state that cannot be split";
  REQUIRE(LocalJob::start(first.graph(1, 3), engine.executor, engine.clock, options).status().code() == StatusCode::NOT_SUPPORTED);
  snapshot->operators["pass 2"][0].own.clear();
  snapshot->operators["sum"][0].keyed = {"damaged", {}};
  REQUIRE(LocalJob::start(first.graph(1, 2), engine.executor, engine.clock, options).status().code() == StatusCode::INVALID_ARGUMENT);
}

}  // namespace thalweg::worker
