#include "client/api/thalweg/environment.h"
#include "tests/unit/client/api/captured_output.h"

#include <catch2/catch.hpp>

namespace thalweg::api {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("a program of map, filter and print runs as one chain") {
  CapturedOutput output;
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.fromElements("to", "be", "or", "not", "to")
      .map([](const std::string& word) { return word + "!"; })
      .filter([](const std::string& word) { return word != "or!"; })
      .print();
  env.execute();
  CHECK(output.lines() == Lines{"to!", "be!", "not!", "to!"});
}

TEST_CASE("print names prefix and subtask") {
  CapturedOutput output;
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(2);
  env.fromElements(1, 2).print("p");
  env.fromElements(7, 8).print();
  env.fromElements(9).print("q").setParallelism(1);
  env.execute();
  CHECK(output.sortedLines() == Lines{"1> 7", "2> 8", "p:1> 1", "p:2> 2", "q> 9"});
}

TEST_CASE("flatMap gives any number of records") {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  const auto words = env.fromElements("to be", "", "or not")
                         .flatMap([](const std::string& line, Collector<std::string>& out) {
                           std::istringstream in(line);
                           for (std::string word; in >> word;) out.collect(word);
                         })
                         .executeAndCollect()
                         .toVector();
  CHECK(words == Lines{"to", "be", "or", "not"});
}

TEST_CASE("a stream may have several readers, and a job several branches") {
  CapturedOutput output;
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  auto numbers = env.fromSequence(1, 3);
  numbers.print("a");
  numbers.map([](int64_t n) { return n * 10; }).print("b");
  numbers.map([](int64_t n) { return std::to_string(n); }).setParallelism(2).print("c").setParallelism(1);
  env.execute();
  CHECK(output.sortedLines() == Lines{"a> 1", "a> 2", "a> 3", "b> 10", "b> 20", "b> 30", "c> 1", "c> 2", "c> 3"});
}

TEST_CASE("records cross tasks of other parallelism whole") {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(3);
  int64_t sum = 0;
  for (const auto& [n, text] : env.fromSequence(1, 30000)
                                   .map([](int64_t n) { return std::tuple(n, std::to_string(n)); })
                                   .filter([](const auto& pair) { return std::get<0>(pair) % 3 == 0; })
                                   .setParallelism(2)
                                   .executeAndCollect()) {
    CHECK(std::to_string(n) == text);
    sum += n;
  }
  CHECK(sum == 150015000);
}

TEST_CASE("executeAndCollect with a limit ends the job early") {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  CHECK(env.fromSequence(0, int64_t{1} << 60).executeAndCollect(3) == std::vector<int64_t>{0, 1, 2});
  CHECK_THROWS_WITH(env.fromSequence(0, 1).executeAndCollect(0), Catch::Contains("at least 1"));
}

struct Doubler : RichMapFunction<int, int> {
  int factor = 0;
  void open(const OpenContext&) override { factor = 2 * getRuntimeContext().getNumberOfParallelSubtasks(); }
  int map(const int& value) override { return value * factor; }
};

TEST_CASE("rich functions are opened in their subtask") {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  CHECK(env.fromElements(1, 2).map(Doubler()).executeAndCollect().toVector() == std::vector<int>{2, 4});
  CHECK_THROWS_WITH(Doubler().getRuntimeContext(), Catch::Contains("use it in open()"));
}

TEST_CASE("an exception of a user function ends the job and names the operator") {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.fromElements(1, 2).map([](int n) -> int {
    if (n == 2) throw std::runtime_error("two is too much");
    return n;
  }).name("counter").addSink([](int) {});
  CHECK_THROWS_WITH(env.execute("my job"), Catch::Contains("job 'my job'") && Catch::Contains("operator 'counter' failed") &&
                                               Catch::Contains("two is too much") && Catch::Contains("handle what can go wrong"));
  env.fromElements(1).addSink([](int) { throw 7; });
  CHECK_THROWS_AS(env.execute(), JobExecutionException);
}

TEST_CASE("execute without a stream says so, and streams can be used again") {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("found nothing to run"));
  auto stream = env.fromElements(1, 2, 3);
  CHECK(stream.executeAndCollect().toVector().size() == 3);
  CHECK(stream.executeAndCollect().toVector().size() == 3);
  CHECK_THROWS_AS(env.execute(), ValidationException);
}

TEST_CASE("settings that cannot be are refused") {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  CHECK_THROWS_WITH(env.setParallelism(0), Catch::Contains("at least 1"));
  CHECK_THROWS_WITH(env.configure("no.such.key", "1"), Catch::Contains("no.such.key"));
  CHECK_THROWS_WITH(env.fromElements(1).setParallelism(2), Catch::Contains("cannot run in parallel"));
  CHECK_THROWS_WITH(env.fromSequence(2, 1), Catch::Contains("not above the last"));
  env.setMaxParallelism(2);
  env.fromSequence(1, 2).map([](int64_t n) { return n; }).setParallelism(3).print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("setMaxParallelism"));
}

TEST_CASE("rows print their kind") {
  CapturedOutput output;
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.setParallelism(2);
  env.fromElements(Row::of("Alice", 12), Row::ofKind(RowKind::DELETE, "Bob", 10)).print().setParallelism(1);
  env.execute();
  CHECK(output.sortedLines() == Lines{"+I[Alice, 12]", "-D[Bob, 10]"});
}

TEST_CASE("rows of unknown type are refused where they become columns, with the cure") {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  auto rows = env.fromElements(1, 2).map([](int n) { return Row::of(n); });
  CHECK(rows.executeAndCollect().toVector().size() == 2);
  rows.addSink([](const Row&) {}).setParallelism(2);
  CHECK_THROWS_WITH(env.execute(), Catch::Contains(".returns(Types::ROW("));
  rows.returns(Types::ROW({Types::INT()}));
  rows.addSink([](const Row&) {}).setParallelism(2);
  env.execute();
}

}  // namespace
}  // namespace thalweg::api
