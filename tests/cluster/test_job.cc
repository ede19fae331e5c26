// A program on the C++ API with one job per word of its command line: what `thalweg run` is tested with.
//
//   test_job counts FOLDER NUMBERS RATE     writes, per key, how many numbers it had when each came: state, exactly once
//   test_job collect NUMBERS                gives records of a stream to the client, which sums them up
//   test_job shows WHAT                     prints in the client what a stream, or a query over one, gave it
//   test_job differs                        has another graph where TEST_JOB_FILTER is set
//   test_job tables                         a stream, a query over it, a stream again
//   test_job several                        three executions, one of them a query that is printed
//   test_job uses-results                   a second job that depends on the rows of the first
//   test_job throws | async
//   test_job many-operators COUNT           a chain of so many
//   test_job misbehaves crash | leak | loop | fork | close | garbage    what user code may do to its process
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>

#include "client/api/thalweg/stream_table_environment.h"
#include "client/api/thalweg/thalweg.h"

using namespace thalweg::api;

struct Number {
  int64_t key = 0;
  int64_t n = 0;
};
BOOST_DESCRIBE_STRUCT(Number, (), (key, n))

/// Fields of many kinds.
struct Parcel {
  int32_t id = 0;
  std::optional<std::string> name;
  std::vector<std::string> tags;
  std::map<std::string, double> weights;
  std::optional<Number> number;
  Instant time;
};
BOOST_DESCRIBE_STRUCT(Parcel, (), (id, name, tags, weights, number, time))

/// Does not come back. Not of this file alone: so that the stack has its name.
[[gnu::noinline]] int64_t spinForEver(int64_t n);
int64_t spinForEver(int64_t n) {
  [[maybe_unused]] volatile int64_t last = n;
  for (int64_t i = n;; ++i) last = i;
}

namespace {

constexpr int64_t kKeys = 8;

/// `key,count`: the count of a key is 1, 2, 3 … if none was lost or came twice.
struct CountPerKey : KeyedProcessFunction<int64_t, Number, std::string> {
  void open(const OpenContext&) override { count_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>("count", 0)); }
  void processElement(const Number& number, Context& ctx, Collector<std::string>& out) override {
    count_.update(*count_.value() + 1);
    out.collect(std::to_string(ctx.getCurrentKey()) + "," + std::to_string(*count_.value()));
    (void)number;
  }
  ValueState<int64_t> count_;
};

auto numbersOf(const StreamExecutionEnvironment& env, int64_t count, double rate) {
  const auto make = [](int64_t i) { return Number{i % kKeys, i}; };
  return env.fromSource(DataGeneratorSource(make, count, rate > 0 ? RateLimiterStrategy::perSecond(rate) : RateLimiterStrategy::noOp()),
                        WatermarkStrategy<Number>::noWatermarks(), "numbers");
}

void counts(const StreamExecutionEnvironment& env, const std::string& folder, int64_t count, double rate) {
  auto sink = FileSink<std::string>::forRowFormat(folder, SimpleStringEncoder<std::string>()).withBucketAssigner(BasePathBucketAssigner()).build();
  numbersOf(env, count, rate).uid("numbers").keyBy(&Number::key).process(CountPerKey()).uid("count").name("count per key").sinkTo(sink).uid("sink");
  env.execute("counts");
}

void collect(const StreamExecutionEnvironment& env, int64_t count) {
  int64_t sum = 0;
  int64_t records = 0;
  auto squares = numbersOf(env, count, 0).keyBy(&Number::key).map([](const Number& number) { return Number{number.key, number.n * number.n}; });
  for (const Number& number : squares.executeAndCollect("squares")) {
    sum += number.n;
    ++records;
  }
  std::cout << records << " records, sum " << sum << '\n';
}

template <typename T>
void show(const DataStream<T>& stream) {
  for (const T& record : stream.executeAndCollect()) std::cout << textOf(record) << '\n';
}

void shows(const StreamExecutionEnvironment& env, const std::string& what) {
  const std::vector<Parcel> parcels = {{1, "one", {"a", "b"}, {{"x", 1.5}}, Number{1, 2}, Instant::ofEpochMilli(1000)},
                                       {2, std::nullopt, {}, {}, {}, Instant::ofEpochMilli(-1)},
                                       {3, std::string(100, 'z'), {""}, {{"", -0.25}, {"y", 2}}, Number{-1, INT64_MAX}, Instant::ofEpochMilli(0)}};
  auto letters = env.fromElements<std::string>({"c", "a", "b", "a"});
  if (what == "records") return show(env.fromCollection(parcels).map([](const Parcel& parcel) { return parcel; }));
  if (what == "scalars") return show(env.fromSequence(1, 100).map([](int64_t n) { return static_cast<double>(n) / 4; }));
  if (what == "nothing") return show(letters.filter([](const std::string&) { return false; }));
  if (what == "union") return show(letters.unionWith(letters.map([](const std::string& text) { return text + "!"; })));
  if (what == "dealt") return show(letters.rebalance());
  if (what == "keyed") return show(letters.keyBy([](const std::string& text) { return text; }).reduce([](const std::string& a, const std::string& b) { return a + b; }));
  if (what == "first") {
    for (const Number& number : numbersOf(env, INT64_MAX / 2, 0).setParallelism(1).executeAndCollect(3)) std::cout << textOf(number) << '\n';
    return;
  }
  if (what == "throws") {
    return show(env.fromSequence(1, 10).map([](int64_t n) { return n == 7 ? throw std::runtime_error("seven is no number") : n; }).name("picky"));
  }
  auto tEnv = StreamTableEnvironment::create(env);
  tEnv.createTemporaryView("numbers", tEnv.fromDataStream(env.fromElements(Number{1, 10}, Number{2, 20}, Number{1, 5})));
  const Table sums = tEnv.sqlQuery("SELECT `key`, SUM(n) AS total FROM numbers GROUP BY `key`");
  if (what == "table") return sums.execute().print();
  if (what == "rows") {
    for (RowIterator rows = sums.execute().collect(); rows.hasNext();) std::cout << rows.next().toString() << '\n';
    return;
  }
  if (what == "changes") return show(tEnv.toChangelogStream(sums));
  if (what == "attached") {
    tEnv.executeSql("CREATE TABLE nowhere (`key` BIGINT, n BIGINT) WITH ('connector' = 'blackhole')");
    tEnv.createStatementSet().addInsert("nowhere", tEnv.from("numbers")).attachAsDataStream();
    return show(letters);
  }
  throw std::invalid_argument("shows what?");
}

void differs(const StreamExecutionEnvironment& env) {
  auto numbers = env.fromSequence(1, 10);
  if (std::getenv("TEST_JOB_FILTER") != nullptr) numbers.filter([](int64_t n) { return n > 5; }).name("only large ones").print();
  else numbers.map([](int64_t n) { return n; }).name("all of them").print();
  env.execute("differs");
}

void tables(const StreamExecutionEnvironment& env) {
  auto tEnv = StreamTableEnvironment::create(env);
  Table numbers = tEnv.fromDataStream(numbersOf(env, 1000, 0));
  tEnv.createTemporaryView("numbers", numbers);
  Table sums = tEnv.sqlQuery("SELECT `key`, SUM(n) AS total, COUNT(*) AS c FROM numbers GROUP BY `key`");
  tEnv.toChangelogStream(sums)
      .filter([](const Row& row) { return row.getFieldAs<int64_t>("c") == 125 && row.getKind() == RowKind::UPDATE_AFTER; })
      .map([](const Row& row) { return std::to_string(row.getFieldAs<int64_t>("key")) + ":" + std::to_string(row.getFieldAs<int64_t>("total")); })
      .print("total");
  env.execute("tables");
}

void several(const StreamExecutionEnvironment& env) {
  env.fromSequence(1, 3).map([](int64_t n) { return n * 10; }).print("first");
  env.execute("first");
  auto tEnv = StreamTableEnvironment::create(env);
  tEnv.sqlQuery("SELECT 'plain' AS word").execute().print();
  env.fromSequence(1, 3).map([](int64_t n) { return n * 100; }).print("last");
  env.execute("last");
}

void usesResults(const StreamExecutionEnvironment& env) {
  auto tEnv = StreamTableEnvironment::create(env);
  const Row row = tEnv.sqlQuery("SELECT 7 AS the_limit").execute().collect().next();
  env.fromSequence(1, 10).filter([limit = row.getFieldAs<int32_t>("the_limit")](int64_t n) { return n > limit; }).print("above");
  env.execute("above the limit");
}

void manyOperators(const StreamExecutionEnvironment& env, int64_t count) {
  auto numbers = env.fromSequence(1, 3);
  for (int64_t i = 0; i < count; ++i) numbers = numbers.map([](int64_t n) { return n + 1; });
  numbers.print("end");
  env.execute("many operators");
}

void throws(const StreamExecutionEnvironment& env) {
  env.fromSequence(1, 10).map([](int64_t n) {
    if (n == 7) throw std::runtime_error("seven is no number");
    return n;
  }).name("picky").print();
  env.execute("throws");
}

void async(const StreamExecutionEnvironment& env) {
  env.fromSequence(1, 3).print("one");
  JobClient one = env.executeAsync("one");
  env.fromSequence(4, 6).print("two");
  JobClient two = env.executeAsync("two");
  one.getJobExecutionResult();
  two.getJobExecutionResult();
  std::cout << "both have ended\n";
}

void misbehave(const std::string& how, int64_t n) {
  if (how == "crash") std::raise(SIGSEGV);
  if (how == "loop") spinForEver(n);
  if (how == "leak") {
    for (;;) {
      auto* const kept = new char[size_t{1} << 20];
      for (size_t i = 0; i < (size_t{1} << 20); i += 4096) const_cast<volatile char*>(kept)[i] = 1;
    }
  }
  if (how == "fork" && fork() == 0) {
    for (;;) pause();
  }
  if (how == "close") {
    for (int file = 3; file < 1024; ++file) ::close(file);
  }
  if (how == "garbage") {
    for (int i = 0; i < 1000; ++i) {
      const std::string bytes = "\xff\xfe\x1b[2J" + std::string(1000, static_cast<char>(i)) + "\n";
      for (const int file : {STDOUT_FILENO, STDERR_FILENO}) (void)!write(file, bytes.data(), bytes.size());
    }
    throw std::runtime_error("\xc3\x28 is no text");
  }
}

void misbehaves(const StreamExecutionEnvironment& env, const std::string& how) {
  numbersOf(env, 1'000'000'000, 1000)
      .map([how](const Number& number) {
        if (number.n % 100000 == 50) misbehave(how, number.n);
        return number.n;
      })
      .name("misbehaving")
      .addSink([](int64_t) {})
      .name("nowhere");
  env.execute("misbehaves");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string job = argc > 1 ? argv[1] : "";
  const auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  if (job == "counts" && argc == 5) counts(env, argv[2], std::atoll(argv[3]), std::atof(argv[4]));
  else if (job == "collect" && argc == 3) collect(env, std::atoll(argv[2]));
  else if (job == "shows" && argc == 3) shows(env, argv[2]);
  else if (job == "differs") differs(env);
  else if (job == "tables") tables(env);
  else if (job == "several") several(env);
  else if (job == "uses-results") usesResults(env);
  else if (job == "many-operators" && argc == 3) manyOperators(env, std::atoll(argv[2]));
  else if (job == "throws") throws(env);
  else if (job == "async") async(env);
  else if (job == "misbehaves" && argc == 3) misbehaves(env, argv[2]);
  else {
    std::cerr << "test_job: see the head of its source\n";
    return 2;
  }
}
