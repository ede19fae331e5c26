#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "client/api/thalweg/environment.h"
#include "client/api/thalweg/file_sink.h"
#include "client/api/thalweg/file_source.h"
#include "tests/unit/client/api/readings.h"

#include <catch2/catch.hpp>

namespace thalweg::api {
namespace {

/// A folder that goes with the test.
struct Folder {
  std::filesystem::path path;
  explicit Folder(const std::string& name) : path(std::filesystem::temp_directory_path() / ("thalweg-api-" + name + "-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path / name) << text; }
};

template <typename T>
std::vector<T> sortedValues(const DataStream<T>& stream) {
  auto values = stream.executeAndCollect().toVector();
  std::sort(values.begin(), values.end());
  return values;
}

/// Numbers of ranges: splits (next, last).
using Range = std::tuple<int64_t, int64_t>;
struct RangeReader : SourceReader<int64_t, Range> {
  InputStatus pollNext(ReaderOutput<int64_t>& output) override {
    if (ranges.empty()) return InputStatus::NOTHING_AVAILABLE;
    auto& [next, last] = ranges.front();
    output.collect(next, next * 1000);
    if (next % 5 == 0) output.emitWatermark({next * 1000});
    if (next++ == last) ranges.erase(ranges.begin());
    return InputStatus::MORE_AVAILABLE;
  }
  void addSplits(std::vector<Range> splits) override { ranges.insert(ranges.end(), splits.begin(), splits.end()); }
  std::vector<Range> snapshotState() override { return ranges; }
  std::vector<Range> ranges;
};
struct RangeEnumerator : SplitEnumerator<Range> {
  explicit RangeEnumerator(SplitEnumeratorContext<Range>& context_in, int64_t next_in) : context(context_in), next(next_in) {}
  void handleSplitRequest(int subtask) override {
    if (next > 90) return context.signalNoMoreSplits(subtask);
    context.assignSplit({next, next + 9}, subtask);
    next += 10;
  }
  std::string snapshotState() override { return std::to_string(next); }
  SplitEnumeratorContext<Range>& context;
  int64_t next;
};
struct RangeSource : Source<int64_t, Range> {
  Boundedness getBoundedness() const override { return Boundedness::BOUNDED; }
  std::unique_ptr<SplitEnumerator<Range>> createEnumerator(SplitEnumeratorContext<Range>& context) const override { return std::make_unique<RangeEnumerator>(context, 0); }
  std::unique_ptr<SplitEnumerator<Range>> restoreEnumerator(SplitEnumeratorContext<Range>& context, const std::string& state) const override {
    return std::make_unique<RangeEnumerator>(context, std::stoll(state));
  }
  std::unique_ptr<SourceReader<int64_t, Range>> createReader(SourceReaderContext&) const override { return std::make_unique<RangeReader>(); }
};

TEST_CASE("a source of one's own hands its splits to the readers that ask") {
  for (const int parallelism : {1, 3}) {
    auto env = environment(Mode::STREAMING, parallelism);
    const auto values = sortedValues<int64_t>(env.fromSource(RangeSource(), WatermarkStrategy<int64_t>::noWatermarks(), "ranges"));
    REQUIRE(values.size() == 100);
    for (size_t i = 0; i < 100; ++i) CHECK(values[i] == static_cast<int64_t>(i));
  }
}

TEST_CASE("timestamps and watermarks of a reader keep their places") {
  struct Times : ProcessFunction<int64_t, std::string> {
    void processElement(const int64_t& n, Context& ctx, Collector<std::string>& out) override {
      if (n % 5 == 1 && n > 1 && n < 20) out.collect(std::to_string(*ctx.timestamp()) + " " + std::to_string(ctx.currentWatermark()));
    }
  };
  auto stream = environment().fromSource(RangeSource(), WatermarkStrategy<int64_t>::noWatermarks(), "ranges").process(Times());
  CHECK(stream.executeAndCollect().toVector() == Lines{"6000 5000", "11000 10000", "16000 15000"});
}

TEST_CASE("what a source throws ends the job, named after the source") {
  struct Broken : RangeSource {
    struct Reader : RangeReader {
      InputStatus pollNext(ReaderOutput<int64_t>&) override { throw std::runtime_error("the disk is gone"); }
    };
    std::unique_ptr<SourceReader<int64_t, Range>> createReader(SourceReaderContext&) const override { return std::make_unique<Reader>(); }
  };
  auto env = environment();
  env.fromSource(Broken(), WatermarkStrategy<int64_t>::noWatermarks(), "broken").print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("'broken'") && Catch::Contains("the disk is gone"));
}

TEST_CASE("data generators of both forms") {
  auto env = environment(Mode::STREAMING, 2);
  const auto name = [](int64_t i) { return "n" + std::to_string(i); };
  CHECK(sortedValues<std::string>(env.fromSource(DataGeneratorSource(name, 5), WatermarkStrategy<std::string>::noWatermarks(), "generator")) ==
        Lines{"n0", "n1", "n2", "n3", "n4"});
  CHECK(sortedValues<std::string>(env.fromSource(DataGeneratorSource(name, 3, RateLimiterStrategy::perSecond(1000)),
                                                 WatermarkStrategy<std::string>::noWatermarks(), "slow")) == Lines{"n0", "n1", "n2"});
  CHECK_THROWS_WITH(RateLimiterStrategy::perSecond(0), Catch::Contains("above zero"));
  struct Tom : DataGenerator<std::string> {
    void open(int subtask, int) override { prefix = "Tom" + std::to_string(subtask) + "-"; }
    bool hasNext() override { return made < 3; }
    std::string next() override { return prefix + std::to_string(++made); }
    std::string prefix;
    int made = 0;
  };
  CHECK(sortedValues<std::string>(env.addSource(DataGeneratorSource(Tom()))) == Lines{"Tom0-1", "Tom0-2", "Tom0-3", "Tom1-1", "Tom1-2", "Tom1-3"});
  CHECK(sortedValues<std::string>(env.addSource(DataGeneratorSource(Tom(), 1000, 3))) == Lines{"Tom0-1", "Tom0-2", "Tom1-1"});
}

TEST_CASE("a rate limit counts from the first record on") {
  RateLimit limit;
  limit.begin(10, 5000);
  CHECK(limit.allowed(100, 5000) == 1);
  limit.take(1);
  CHECK(limit.allowed(100, 5000) == 0);
  CHECK(limit.waitMs(5000) == 101);
  CHECK(limit.allowed(100, 5101) == 1);
  CHECK(limit.allowed(2, 6001) == 2);
}

struct Countdown : SourceFunction<int> {
  void run(SourceContext<int>& ctx) override {
    for (int i = 3; i > 0; --i) ctx.collectWithTimestamp(i, i * 10);
    ctx.emitWatermark({100});
    if (fails) throw std::runtime_error("lift-off failed");
  }
  void cancel() override {}
  bool fails = false;
};
struct Endless : SourceFunction<int> {
  void run(SourceContext<int>& ctx) override {
    for (int i = 0;; ++i) ctx.collect(i);
  }
  void cancel() override {}
};

TEST_CASE("a source function has a thread of its own until it returns, throws or is cancelled") {
  auto env = environment(Mode::STREAMING, 2);
  CHECK(sortedValues<int>(env.addSource(Countdown())) == std::vector<int>{1, 2, 3});
  Countdown failing;
  failing.fails = true;
  env.addSource(failing, "countdown").print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("'countdown'") && Catch::Contains("lift-off failed"));
  CHECK(environment().addSource(Endless()).executeAndCollect(3) == std::vector<int>{0, 1, 2});
}

TEST_CASE("text files are read line by line, folders whole, hidden files not") {
  const Folder folder("read");
  folder.write("b.txt", "three\r\nfour");
  folder.write("a.txt", "one\n\ntwo\n");
  folder.write(".hidden", "no");
  auto env = environment();
  CHECK(env.readTextFile(folder.path / "a.txt").executeAndCollect().toVector() == Lines{"one", "", "two"});
  CHECK(env.readTextFile(folder.path.string()).executeAndCollect().toVector() == Lines{"one", "", "two", "three", "four"});
  const auto watched = FileSource::forRecordStreamFormat(TextLineInputFormat(), folder.path.string()).monitorContinuously(Duration::ofMillis(1)).build();
  CHECK(watched.getBoundedness() == Boundedness::CONTINUOUS_UNBOUNDED);
  CHECK(env.fromSource(watched, WatermarkStrategy<std::string>::noWatermarks(), "watched").executeAndCollect(5).size() == 5);
  env.readTextFile(folder.path / "missing.txt").print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("missing.txt"));
  folder.write("c.gz", std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\xcf\x4b\xe5\x2a\x29\xcf\xe7\x02\x00\xe6\x0b\xba\x12\x08\x00\x00\x00", 28));
  CHECK(env.readTextFile(folder.path / "c.gz").executeAndCollect().toVector() == Lines{"one", "two"});
  folder.write("d.zst", "?");
  env.readTextFile(folder.path / "d.zst").print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("d.zst' cannot be decompressed"));
  env.readTextFile(folder.path / "e.bz2").print();
  CHECK_THROWS_AS(env.execute(), Exception);
}

TEST_CASE("a socket's lines are read until the server hangs up") {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);
  REQUIRE(::listen(listener, 1) == 0);
  socklen_t length = sizeof(address);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length);
  std::thread server([&] {
    const int client = ::accept(listener, nullptr, nullptr);
    (void)!::write(client, "to\nbe\r\nor not", 13);
    ::close(client);
  });
  auto env = environment();
  CHECK(env.socketTextStream("127.0.0.1", ntohs(address.sin_port)).executeAndCollect().toVector() == Lines{"to", "be", "or not"});
  server.join();
  ::close(listener);
  env.socketTextStream("127.0.0.1", ntohs(address.sin_port)).print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("cannot connect to 127.0.0.1") && Catch::Contains("start the server first"));
  CHECK_THROWS_WITH(env.socketTextStream("127.0.0.1", 0), Catch::Contains("within 1 and 65535"));
}

Lines filesBelow(const std::filesystem::path& folder) {
  Lines lines;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) continue;
    CHECK(entry.path().filename().string()[0] != '.');
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) lines.push_back(entry.path().parent_path().filename().string() + "/" + line);
  }
  return sorted(lines);
}

TEST_CASE("a file sink writes part files into buckets, final once the job has ended") {
  const Folder folder("sink");
  auto env = environment(Mode::STREAMING, 2);
  env.fromElements("apple", "bean", "avocado").sinkTo(FileSink<std::string>::forRowFormat(folder.path, SimpleStringEncoder<std::string>())
                                                          .withBucketAssigner([](const std::string& word) { return word.substr(0, 1); })
                                                          .withOutputFileConfig({"fruit", ".txt"})
                                                          .build());
  env.execute();
  CHECK(filesBelow(folder.path) == Lines{"a/apple", "a/avocado", "b/bean"});
  const Folder failing("sink-failing");
  env.fromElements(1, 2).map([](int n) { return n == 2 ? throw std::runtime_error("no") : n; }).sinkTo(
      FileSink<int>::forRowFormat(failing.path, SimpleStringEncoder<int>()).withBucketAssigner(BasePathBucketAssigner()).build());
  CHECK_THROWS_AS(env.execute(), JobExecutionException);
  for (const auto& entry : std::filesystem::directory_iterator(failing.path)) CHECK(entry.path().filename().string()[0] == '.');
}

/// What was committed and when, for the test to look at.
struct Ledger {
  std::mutex mutex;
  Lines events;
  void add(const std::string& event) {
    const std::scoped_lock lock(mutex);
    events.push_back(event);
  }
};
struct LedgerSink : TwoPhaseCommittingSink<int, std::string> {
  struct Writer : CommittingSinkWriter<int, std::string> {
    explicit Writer(Ledger& ledger_in) : ledger(ledger_in) {}
    void write(const int& record, const Context&) override { text += std::to_string(record); }
    void flush(bool end) override { ledger.add(end ? "flush end" : "flush"); }
    std::vector<std::string> prepareCommit() override { return {std::exchange(text, "")}; }
    void close() override { ledger.add("close"); }
    Ledger& ledger;
    std::string text;
  };
  struct LedgerCommitter : Committer<std::string> {
    explicit LedgerCommitter(Ledger& ledger_in) : ledger(ledger_in) {}
    void commit(const std::vector<std::string>& committables) override {
      for (const std::string& text : committables) ledger.add("commit " + text);
    }
    Ledger& ledger;
  };
  explicit LedgerSink(std::shared_ptr<Ledger> ledger_in) : ledger(std::move(ledger_in)) {}
  std::unique_ptr<CommittingSinkWriter<int, std::string>> createWriter(const WriterInitContext&) const override { return std::make_unique<Writer>(*ledger); }
  std::unique_ptr<Committer<std::string>> createCommitter() const override { return std::make_unique<LedgerCommitter>(*ledger); }
  std::shared_ptr<Ledger> ledger;
};

TEST_CASE("a two-phase sink commits what its writers prepared, after the end") {
  auto ledger = std::make_shared<Ledger>();
  auto env = environment();
  env.fromElements(1, 2, 3).sinkTo(LedgerSink(ledger));
  env.execute();
  CHECK(ledger->events == Lines{"flush end", "commit 123", "close"});
}

TEST_CASE("a sink that throws ends the job, named") {
  struct Refusing : Sink<int> {
    struct Writer : SinkWriter<int> {
      void write(const int&, const Context&) override { throw std::runtime_error("full"); }
      void flush(bool) override {}
    };
    std::unique_ptr<SinkWriter<int>> createWriter(const WriterInitContext&) const override { return std::make_unique<Writer>(); }
  };
  auto env = environment();
  env.fromElements(1).sinkTo(Refusing()).name("refuser");
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("'refuser'") && Catch::Contains("full"));
}

}  // namespace
}  // namespace thalweg::api
