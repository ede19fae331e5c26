#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "client/api/thalweg/connected_streams.h"
#include "client/api/thalweg/file_source.h"
#include "tests/unit/client/api/captured_output.h"
#include "tests/unit/client/api/readings.h"

#include <catch2/catch.hpp>

namespace thalweg::api {
namespace {

/// Says which subtask saw it.
struct Where : RichMapFunction<int64_t, std::string> {
  std::string map(const int64_t& n) override { return std::to_string(getRuntimeContext().getIndexOfThisSubtask()) + ":" + std::to_string(n); }
};
Lines seenBy(const DataStream<int64_t>& stream, int parallelism) {
  auto made = stream.map(Where());
  made.setParallelism(parallelism);
  return sorted(made.executeAndCollect().toVector());
}

TEST_CASE("records are dealt out as told") {
  auto env = environment();
  auto numbers = env.fromCollection<int64_t>({0, 1, 2, 3});
  CHECK(seenBy(numbers.rebalance(), 2) == Lines{"0:0", "0:2", "1:1", "1:3"});
  CHECK(seenBy(numbers.global(), 3) == Lines{"0:0", "0:1", "0:2", "0:3"});
  CHECK(seenBy(numbers.broadcast(), 2) == Lines{"0:0", "0:1", "0:2", "0:3", "1:0", "1:1", "1:2", "1:3"});
  CHECK(seenBy(numbers.partitionCustom([](int64_t key, int receivers) { return static_cast<int>(key % receivers); }, [](int64_t n) { return n + 1; }), 3) ==
        Lines{"0:2", "1:0", "1:3", "2:1"});
  CHECK(seenBy(numbers.rescale(), 2) == Lines{"0:0", "0:2", "1:1", "1:3"});
  CHECK(seenBy(numbers.forward(), 1) == Lines{"0:0", "0:1", "0:2", "0:3"});
  CHECK(seenBy(numbers.shuffle(), 2).size() == 4);
}

TEST_CASE("dealing out that cannot be is refused") {
  auto env = environment();
  auto numbers = env.fromCollection<int64_t>({0, 1});
  numbers.forward().map(Where()).setParallelism(2).print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("forward()") && Catch::Contains("use rebalance()"));
  auto other = environment();
  other.fromCollection<int64_t>({0}).partitionCustom([](int64_t, int receivers) { return receivers; }, [](int64_t n) { return n; }).map(Where()).setParallelism(2).print();
  CHECK_THROWS_WITH(other.execute(), Catch::Contains("chose subtask 2 of 2"));
}

TEST_CASE("a union has the records of all of its streams") {
  auto env = environment(Mode::STREAMING, 2);
  auto odd = env.fromElements(1, 3);
  auto even = env.fromElements(2, 4);
  auto values = odd.unionWith(even, env.fromElements(10)).map([](int n) { return n * 10; }).executeAndCollect().toVector();
  std::sort(values.begin(), values.end());
  CHECK(values == std::vector<int>{10, 20, 30, 40, 100});
}

TEST_CASE("names, chains and slots do not change results; numbers that cannot be are refused") {
  auto env = environment(Mode::STREAMING, 2);
  auto stream = env.fromElements(1, 2).map([](int n) { return n + 1; }).name("plus").uid("plus-1").startNewChain().slotSharingGroup("other");
  stream.disableChaining();
  CHECK(stream.executeAndCollect().toVector().size() == 2);
  CHECK_THROWS_WITH(stream.forceNonParallel().setParallelism(2), Catch::Contains("cannot run in parallel"));
}

TEST_CASE("uids are unique, and an operator's parallelism is within its own maximum") {
  auto env = environment();
  env.fromElements(1).map([](int n) { return n; }).name("one").uid("same").map([](int n) { return n; }).name("two").uid("same").print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("'one' and 'two' both have the uid 'same'"));
  auto other = environment();
  other.fromElements(1).map([](int n) { return n; }).name("wide").setParallelism(3).setMaxParallelism(2).print();
  CHECK_THROWS_WITH(other.execute(), Catch::Contains("'wide'") && Catch::Contains("its own maximum of 2"));
}

struct Match : KeyedCoProcessFunction<std::string, Reading, std::tuple<std::string, int>, std::string> {
  void open(const OpenContext&) override { last_ = getRuntimeContext().getState(ValueStateDescriptor<int>("last")); }
  void processElement1(const Reading& reading, Context& ctx, Collector<std::string>& out) override {
    out.collect(ctx.getCurrentKey() + std::to_string(reading.value) + "/" + std::to_string(last_.value().value_or(-1)));
  }
  void processElement2(const std::tuple<std::string, int>& limit, Context&, Collector<std::string>&) override { last_.update(std::get<1>(limit)); }
  ValueState<int> last_;
};

TEST_CASE("connected keyed streams share the state of their key") {
  auto env = environment(Mode::BATCH);
  const auto limits = env.fromElements(std::tuple(std::string("a"), 7), std::tuple(std::string("c"), 9));
  const auto lines = env.fromElements<Reading>({{"a", 1, 0}, {"b", 2, 0}, {"c", 3, 0}})
                         .connect(limits)
                         .keyBy(&Reading::sensor, [](const auto& limit) { return std::get<0>(limit); })
                         .process(Match())
                         .executeAndCollect()
                         .toVector();
  // Of records of equal time the second input's come first.
  CHECK(lines == Lines{"a1/7", "b2/-1", "c3/9"});
}

TEST_CASE("connected streams without keys: a function for each side") {
  auto env = environment(Mode::STREAMING, 2);
  auto lines = env.fromElements(1, 2).connect(env.fromElements("x")).map([](int n) { return std::to_string(n); }, [](const std::string& s) { return s + s; });
  CHECK(sorted(lines.executeAndCollect().toVector()) == Lines{"1", "2", "xx"});
}

const MapStateDescriptor<std::string, int> kRules("rules");
struct Apply : BroadcastProcessFunction<int, std::tuple<std::string, int>, std::string, std::string, int> {
  void processElement(const int& n, ReadOnlyContext& ctx, Collector<std::string>& out) override {
    std::string line = std::to_string(n);
    for (const auto& [name, factor] : ctx.getBroadcastState(kRules).entries()) line += " " + name + std::to_string(n * factor);
    out.collect(line);
    if (n == 13) ctx.getBroadcastState(kRules).clear();
  }
  void processBroadcastElement(const std::tuple<std::string, int>& rule, Context& ctx, Collector<std::string>&) override {
    ctx.getBroadcastState(kRules).put(std::get<0>(rule), std::get<1>(rule));
  }
};

TEST_CASE("every subtask has all of the broadcast state, and may change it on the broadcast side only") {
  auto env = environment(Mode::BATCH, 3);
  const auto rules = env.fromElements(std::tuple(std::string("twice"), 2), std::tuple(std::string("triple"), 3)).broadcast(kRules);
  CHECK(sorted(env.fromElements(1, 2, 3).rebalance().connect(rules).process(Apply()).executeAndCollect().toVector()) ==
        Lines{"1 triple3 twice2", "2 triple6 twice4", "3 triple9 twice6"});
  env.fromElements(13).connect(rules).process(Apply()).name("rule book").print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("'rule book'") && Catch::Contains("in processBroadcastElement() only"));
}

/// Waits until a stream has come so far.
struct Progress {
  std::mutex mutex;
  std::condition_variable changed;
  Lines lines;
  void add(const std::string& line) {
    const std::scoped_lock lock(mutex);
    lines.push_back(line);
    changed.notify_all();
  }
  void waitFor(size_t count) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return lines.size() >= count; });
  }
};

/// Remembers all numbers of its subtask, in list and union-list state.
struct Remember : MapFunction<int64_t, int64_t>, CheckpointedFunction {
  explicit Remember(std::shared_ptr<Progress> restores_in) : restores(std::move(restores_in)) {}
  void initializeState(FunctionInitializationContext& ctx) override {
    list = ctx.getOperatorStateStore().getListState(ListStateDescriptor<int64_t>("list"));
    all = ctx.getOperatorStateStore().getUnionListState(ListStateDescriptor<int64_t>("all"));
    if (ctx.isRestored()) restores->add(std::to_string(list.get().size()) + " of " + std::to_string(all.get().size()));
    all.clear();
    seen = list.get();
  }
  void snapshotState(FunctionSnapshotContext&) override {
    list.update(seen);
    all.update(seen);
  }
  int64_t map(const int64_t& n) override {
    seen.push_back(n);
    return n;
  }
  std::shared_ptr<Progress> restores;
  ListState<int64_t> list;
  ListState<int64_t> all;
  std::vector<int64_t> seen;
};
struct CountKeys : KeyedProcessFunction<int64_t, int64_t, int64_t> {
  void open(const OpenContext&) override { count = getRuntimeContext().getState(ValueStateDescriptor<int64_t>("count")); }
  void processElement(const int64_t&, Context&, Collector<int64_t>& out) override {
    count.update(count.value().value_or(0) + 1);
    out.collect(*count.value());
  }
  ValueState<int64_t> count;
};

TEST_CASE("a job stopped with a savepoint goes on from it at another parallelism, with all of its state") {
  const auto folder = std::filesystem::temp_directory_path() / ("thalweg-api-savepoint-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto program = [&](const std::string& start, int parallelism, const std::shared_ptr<Progress>& restores, const std::shared_ptr<Progress>& counts) {
    auto env = environment(Mode::STREAMING, parallelism);
    if (!start.empty()) env.configure("execution.state-recovery.path", start);
    // Endless; slow enough to be stopped before it has run far.
    env.fromSource(DataGeneratorSource([](int64_t i) { return i; }, int64_t{1} << 40, RateLimiterStrategy::perSecond(2000)),
                   WatermarkStrategy<int64_t>::noWatermarks(), "numbers")
        .uid("numbers").setParallelism(1)
        .rebalance().map(Remember(restores)).uid("remember")
        .keyBy([](int64_t n) { return n % 3; }).process(CountKeys()).uid("count")
        .addSink([counts](int64_t n) { counts->add(std::to_string(n)); }).setParallelism(1);
    return env.executeAsync("stoppable");
  };
  auto counts = std::make_shared<Progress>();
  JobClient first = program("", 2, std::make_shared<Progress>(), counts);
  counts->waitFor(40);
  const std::string savepoint = first.stopWithSavepoint(folder.string());
  first.getJobExecutionResult();
  const size_t before = counts->lines.size();
  auto restores = std::make_shared<Progress>();
  auto more = std::make_shared<Progress>();
  JobClient second = program(savepoint, 3, restores, more);
  restores->waitFor(3);
  more->waitFor(3);
  second.cancel();
  size_t listed = 0;
  for (const std::string& line : restores->lines) {
    listed += std::stoul(line);
    CHECK(line.substr(line.find(" of ")) == " of " + std::to_string(before));
  }
  CHECK(listed == before);
  // The counts of the keys go on.
  CHECK(std::stoul(more->lines[0]) > before / 3 - 1);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a watched folder goes on from a savepoint with the files that are new") {
  const auto folder = std::filesystem::temp_directory_path() / ("thalweg-api-watched-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder / "in");
  std::ofstream(folder / "in" / "a.txt") << "one\ntwo\n";
  const auto program = [&](const std::string& start, const std::shared_ptr<Progress>& lines) {
    auto env = environment();
    if (!start.empty()) env.configure("execution.state-recovery.path", start);
    const auto source = FileSource::forRecordStreamFormat(TextLineInputFormat(), (folder / "in").string()).monitorContinuously(Duration::ofMillis(1)).build();
    env.fromSource(source, WatermarkStrategy<std::string>::noWatermarks(), "watched").uid("watched").addSink([lines](const std::string& line) { lines->add(line); }).uid("sink");
    return env.executeAsync("watch");
  };
  auto before = std::make_shared<Progress>();
  JobClient first = program("", before);
  before->waitFor(2);
  const std::string savepoint = first.stopWithSavepoint((folder / "savepoints").string());
  first.getJobExecutionResult();
  std::ofstream(folder / "in" / "b.txt") << "three\n";
  auto after = std::make_shared<Progress>();
  JobClient second = program(savepoint, after);
  after->waitFor(1);
  second.cancel();
  CHECK(after->lines == Lines{"three"});
  std::filesystem::remove_all(folder);
}

struct Expiring : KeyedProcessFunction<int, int, std::string> {
  explicit Expiring(StateTtlConfig ttl_in) : ttl(ttl_in) {}
  void open(const OpenContext&) override {
    ValueStateDescriptor<int> descriptor("value");
    descriptor.enableTimeToLive(ttl);
    value = getRuntimeContext().getState(descriptor);
  }
  void processElement(const int& n, Context& ctx, Collector<std::string>& out) override {
    value.update(n);
    // Until the clock has passed the time to live.
    const int64_t begin = ctx.timerService().currentProcessingTime();
    while (ctx.timerService().currentProcessingTime() < begin + ttl.ttl.toMillis()) {}
    out.collect(value.value() ? "alive" : "gone");
  }
  StateTtlConfig ttl;
  ValueState<int> value;
};

TEST_CASE("state with a time to live is gone after it") {
  auto env = environment();
  CHECK(env.fromElements(1).keyBy([](int n) { return n; }).process(Expiring(StateTtlConfig::newBuilder(Duration::ofMillis(2)).build()))
            .executeAndCollect().toVector() == Lines{"gone"});
  const auto lasting = StateTtlConfig::newBuilder(Duration::ofMillis(2)).returnExpiredIfNotCleanedUp().build();
  CHECK(env.fromElements(1).keyBy([](int n) { return n; }).process(Expiring(lasting)).executeAndCollect().toVector() == Lines{"alive"});
  CHECK_THROWS_WITH(StateTtlConfig::newBuilder(Duration::ofMillis(0)).build(), Catch::Contains("above zero"));
}

/// Fails the first time it sees a 2, whatever copy it is.
struct FailOnce : MapFunction<int, int> {
  explicit FailOnce(std::shared_ptr<std::atomic<int>> failures_in) : failures(std::move(failures_in)) {}
  int map(const int& n) override {
    if (n == 2 && failures->fetch_add(1) == 0) throw std::runtime_error("for the first time");
    return n;
  }
  std::shared_ptr<std::atomic<int>> failures;
};

TEST_CASE("a restart strategy runs a failed job again") {
  auto failures = std::make_shared<std::atomic<int>>(0);
  auto sum = std::make_shared<std::atomic<int>>(0);
  auto env = environment();
  env.setRestartStrategy(RestartStrategies::fixedDelayRestart(1, Duration::ofMillis(1)));
  env.fromElements(1, 2, 3).map(FailOnce(failures)).addSink([sum](int n) { *sum += n; });
  env.execute();
  CHECK(*failures == 2);
  CHECK(*sum == 6);
  env.setRestartStrategy(RestartStrategies::noRestart());
  env.fromElements(2).map(FailOnce(std::make_shared<std::atomic<int>>(0))).print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("for the first time"));
}

TEST_CASE("settings have methods and keys") {
  auto env = environment();
  env.enableCheckpointing(10'000).getCheckpointConfig().setCheckpointStorage("checkpoints").setMinPauseBetweenCheckpoints(5);
  CHECK(env.getConfiguration().getDurationMillis("execution.checkpointing.interval") == 10'000);
  CHECK(env.getConfiguration().getString("execution.checkpointing.dir") == "checkpoints");
  CHECK_THROWS_WITH(env.enableCheckpointing(1), Catch::Contains("at least 10 ms"));
  CHECK_THROWS_WITH(env.setMaxParallelism(0), Catch::Contains("within 1 and 32768"));
  CHECK_THROWS(env.configure("restart-strategy.fixed-delay.attempts", "many"));
  auto unchained = environment();
  unchained.configure("pipeline.operator-chaining.enabled", "false");
  CHECK(unchained.fromElements(1).map([](int n) { return n + 1; }).executeAndCollect().toVector() == std::vector<int>{2});
}

}  // namespace
}  // namespace thalweg::api
