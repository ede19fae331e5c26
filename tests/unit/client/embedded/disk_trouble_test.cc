// A disk that is full, a folder that is read-only, not ours or gone: the checkpoint fails and says why, the job goes on as
// often as it is allowed to, and what was complete before stays complete.
#include <filesystem>
#include <thread>

#include "client/embedded/job_checkpoints.h"
#include "common/checkpoint/checkpoint_folder.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/worker/task/fake_ends.h"
#include "worker/task/asio_executor.h"

#include <catch2/catch.hpp>

namespace thalweg::client {

namespace {

using testing::Fault;
using worker::LocalJob;
using worker::TaskGraph;

constexpr int64_t kRows = 4000;

/// A source that stops at `limit`, a keyed sum, a sink; with checkpoints every few milliseconds.
struct Job {
  explicit Job(std::string checkpoint_folder, int64_t tolerated) : folder(std::move(checkpoint_folder)) {
    settings.interval_ms = 1;
    settings.tolerable_failures = tolerated;
    settings.folder = folder;
    settings.retention = coordinator::CheckpointRetention::RETAIN_ON_CANCELLATION;
  }
  ~Job() {
    if (job) end();                                      // also where a check has failed
  }

  TaskGraph graph() const {
    worker::NumberSource source{.rows = kRows, .keys = 50, .split_rows = 100};
    source.ready = [limit = limit](int64_t number) { return number < limit->load(); };
    worker::TaskInput by_key;
    by_key.upstream = 0;
    by_key.partition = worker::PartitionKind::HASH;
    by_key.keys = {0};
    by_key.types = worker::pairTypes();
    worker::TaskInput to_sink;
    to_sink.upstream = 1;
    to_sink.partition = worker::PartitionKind::SINGLETON;
    TaskGraph made;
    made.tasks = {{.name = "source", .parallelism = 1, .source = worker::numberSource(source), .operators = {worker::operatorNode<worker::PassOperator>("pass")}},
                  {.name = "sum", .parallelism = 2, .inputs = {by_key}, .operators = {worker::operatorNode<worker::SumOperator>("sum")}},
                  {.name = "sink", .parallelism = 1, .inputs = {to_sink}, .operators = {worker::collectSink(collected)}}};
    return made;
  }

  /// Starts, or starts again; from the newest checkpoint if there is one.
  void start() {
    worker::SnapshotLabel label;
    label.job_id = label.job_name = "job";
    checkpoints = std::make_shared<JobCheckpoints>(settings, label, files, executor, clock);
    auto found = checkpoints->findStart();
    REQUIRE(found.status().message() == "");
    start_from = *found;
    worker::JobOptions options;
    options.restored = start_from.get();
    auto started = LocalJob::start(graph(), executor, clock, options);
    REQUIRE(started.status().message() == "");
    job = *std::move(started);
    checkpoints->attach(job.get());
  }

  std::vector<int64_t> complete() {
    std::vector<int64_t> ids;
    const auto stored = listCheckpoints(localFileSystem(), folder + "/job");
    for (const StoredCheckpoint& each : *stored) ids.push_back(each.id);
    return ids;
  }
  int64_t newest() {
    const auto ids = complete();
    return ids.empty() ? 0 : ids.front();
  }
  void waitForCheckpoint(int64_t above) {
    while (newest() <= above) std::this_thread::yield();
  }
  void end() {
    job->cancel();
    (void)job->wait();
    checkpoints->detach();
    job.reset();
  }

  const std::string folder;
  coordinator::CheckpointSettings settings;
  testing::FaultyFileSystem files;
  SystemClock clock;
  worker::AsioExecutor executor{clock, {.compute_threads = 2, .io_threads = 1}};
  std::shared_ptr<std::atomic<int64_t>> limit = std::make_shared<std::atomic<int64_t>>(kRows / 2);
  std::shared_ptr<worker::Collected> collected = std::make_shared<worker::Collected>();
  std::shared_ptr<const worker::JobSnapshot> start_from;
  std::shared_ptr<JobCheckpoints> checkpoints;
  std::unique_ptr<LocalJob> job;
};

/// Files that come and go meanwhile are no obstacle.
void removeWhileWritten(const std::string& folder) {
  std::error_code error;
  do std::filesystem::remove_all(folder, error);
  while (error);
}

/// Restarts from what is on the disk and checks that every row counts once.
void finishAndCheck(const std::string& folder) {
  Job again(folder, 0);
  again.limit->store(kRows);
  again.settings.interval_ms = 0;
  again.start();
  REQUIRE(again.start_from != nullptr);
  REQUIRE(again.job->wait().message() == "");
  std::map<int32_t, int64_t> expected;
  for (int64_t number = 0; number < kRows; ++number) expected[static_cast<int32_t>(number % 50)] += number;
  REQUIRE(again.collected->lastPerKey() == expected);
  again.checkpoints->detach();
}

}  // namespace

TEST_CASE("a disk in trouble costs checkpoints, not the job, as long as that is tolerated") {
  for (const Fault fault : {Fault::DISK_FULL, Fault::SYNC_FAILS, Fault::READ_ONLY, Fault::DENIED}) {
    for (const int changes_before : {0, 1, 2, 3}) {
      const testing::TemporaryFolder place;
      const std::string& folder = place.path();
      Job job(folder, 1'000'000);
      job.start();
      job.waitForCheckpoint(1);                          // one that can be seen may still fail; the one before it is durable
      const int failed = job.files.failed();
      job.files.after(changes_before, fault);
      while (job.files.failed() < failed + 3) std::this_thread::yield();
      REQUIRE(!job.job->hasEnded());
      job.waitForCheckpoint(0);                          // what was complete is there; no other can become so
      job.files.fail(Fault::NONE);
      job.waitForCheckpoint(job.newest());               // and it goes on
      job.files.after(changes_before, fault);
      job.end();
      finishAndCheck(folder);
    }
  }
}

TEST_CASE("a checkpoint folder that is deleted under a running job is made again") {
  const testing::TemporaryFolder place;
  const std::string& folder = place.path();
  Job job(folder, 1'000'000);
  job.start();
  job.waitForCheckpoint(0);
  const int64_t before = job.newest();
  removeWhileWritten(folder);
  job.waitForCheckpoint(before);
  job.end();
  finishAndCheck(folder);
}

TEST_CASE("a checkpoint that fails without tolerance fails the job, naming file and reason") {
  const std::vector<std::pair<Fault, std::string>> faults = {{Fault::DISK_FULL, "No space left on device"},
                                                             {Fault::READ_ONLY, "Read-only file system"},
                                                             {Fault::DENIED, "Permission denied"}};
  for (const auto& [fault, words] : faults) {
    const testing::TemporaryFolder place;
    const std::string& folder = place.path();
    Job job(folder, 0);
    job.start();
    job.waitForCheckpoint(1);                            // so that the one before it is durable
    job.files.fail(fault);
    const Status ended = job.job->wait();
    INFO(ended.message());
    REQUIRE(ended.message().find(words) != std::string::npos);
    REQUIRE(ended.message().find(folder) != std::string::npos);
    job.end();
    REQUIRE(job.newest() > 0);
    job.files.fail(Fault::NONE);
    finishAndCheck(folder);
  }
}

}  // namespace thalweg::client
