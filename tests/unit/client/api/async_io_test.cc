#include <atomic>
#include <thread>

#include "client/api/thalweg/async_io.h"
#include "tests/unit/client/api/readings.h"

#include <catch2/catch.hpp>

namespace thalweg::api {
namespace {

/// Answers on threads of its own; waits with the even ones until the next odd one was asked for.
struct Answer : AsyncFunction<int, std::string> {
  void open(const OpenContext&) override { shared = std::make_shared<Shared>(); }
  void close() override {
    for (std::thread& thread : shared->threads) thread.join();
    shared->threads.clear();
  }
  void asyncInvoke(const int& n, ResultFuture<std::string> result) override {
    shared->asked = n;
    shared->threads.emplace_back([n, result, kept = shared]() mutable {
      while (n % 2 == 0 && kept->asked < n + 1) std::this_thread::yield();
      result.complete({std::to_string(n), std::to_string(n) + "!"});
      result.complete({"twice"});
    });
  }
  struct Shared {
    std::atomic<int> asked{0};
    std::vector<std::thread> threads;
  };
  std::shared_ptr<Shared> shared;
};

TEST_CASE("asynchronous results come in order, or as they are ready") {
  auto env = environment();
  const Lines ordered{"0", "0!", "1", "1!", "2", "2!", "3", "3!"};
  const auto numbers = env.fromElements(0, 1, 2, 3);
  CHECK(AsyncDataStream::orderedWait(numbers, Answer(), Duration::ofSeconds(60), 2).executeAndCollect().toVector() == ordered);
  CHECK(sorted(AsyncDataStream::unorderedWait(numbers, Answer(), Duration::ofSeconds(60), 2).executeAndCollect().toVector()) == ordered);
  CHECK_THROWS_WITH(AsyncDataStream::orderedWait(numbers, Answer(), Duration::ofSeconds(1), 0), Catch::Contains("at least 1"));
}

struct Direct : AsyncFunction<int, int> {
  void asyncInvoke(const int& n, ResultFuture<int> result) override { result.complete({n * 2}); }
};
struct Never : AsyncFunction<int, int> {
  void asyncInvoke(const int&, ResultFuture<int>) override {}
};
struct NeverButDefault : Never {
  void timeout(const int& n, ResultFuture<int> result) override { result.complete({-n}); }
};
struct Failing : AsyncFunction<int, int> {
  void asyncInvoke(const int&, ResultFuture<int> result) override { result.completeExceptionally("server down"); }
};
/// Succeeds at the third attempt.
struct Flaky : AsyncFunction<int, int> {
  void asyncInvoke(const int& n, ResultFuture<int> result) override {
    if (++attempts % 3 == 0) result.complete({n});
    else result.completeExceptionally("try again");
  }
  int attempts = 0;
};

TEST_CASE("asynchronous results keep timestamps and do not cross watermarks") {
  auto env = environment();
  struct Time : ProcessFunction<int, std::string> {
    void processElement(const int& n, Context& ctx, Collector<std::string>& out) override {
      out.collect(std::to_string(n) + "@" + std::to_string(*ctx.timestamp()) + " wm=" + std::to_string(ctx.currentWatermark() < 0 ? -1 : ctx.currentWatermark()));
    }
  };
  const auto timed = env.fromElements(1, 2, 3).assignTimestampsAndWatermarks(
      WatermarkStrategy<int>::forMonotonousTimestamps().withTimestampAssigner([](int n, int64_t) { return n * 10; }));
  for (const bool ordered : {true, false}) {
    auto doubled = ordered ? AsyncDataStream::orderedWait(timed, Direct(), Duration::ofSeconds(9)) : AsyncDataStream::unorderedWait(timed, Direct(), Duration::ofSeconds(9));
    CHECK(doubled.process(Time()).executeAndCollect().toVector() == Lines{"2@10 wm=-1", "4@20 wm=9", "6@30 wm=19"});
  }
}

TEST_CASE("what is not answered in time goes to timeout()") {
  auto env = environment();
  const auto numbers = env.fromElements(1, 2);
  CHECK(AsyncDataStream::orderedWait(numbers, NeverButDefault(), Duration::ofMillis(1)).executeAndCollect().toVector() == std::vector<int>{-1, -2});
  AsyncDataStream::orderedWait(numbers, Never(), Duration::ofMillis(1)).name("lookup").print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("'lookup'") && Catch::Contains("not answered in time") && Catch::Contains("override timeout()"));
}

TEST_CASE("failed requests end the job, unless they are retried") {
  auto env = environment();
  const auto numbers = env.fromElements(1, 2);
  AsyncDataStream::unorderedWait(numbers, Failing(), Duration::ofSeconds(9)).name("lookup").print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("'lookup'") && Catch::Contains("server down"));
  const auto retry = AsyncRetryStrategies::fixedDelay<int>(9, Duration::ofMillis(1));
  CHECK(AsyncDataStream::orderedWaitWithRetry(numbers, Flaky(), Duration::ofSeconds(60), 1, retry).executeAndCollect().toVector() == std::vector<int>{1, 2});
  AsyncDataStream::orderedWaitWithRetry(numbers, Failing(), Duration::ofSeconds(60), 9, retry).print();
  CHECK_THROWS_WITH(env.execute(), Catch::Contains("server down"));
  CHECK_THROWS_WITH(AsyncRetryStrategies::fixedDelay<int>(0, Duration::ofMillis(1)), Catch::Contains("at least one attempt"));
  CHECK(AsyncRetryStrategies::exponentialBackoff<int>(5, Duration::ofMillis(10), Duration::ofMillis(30), 2).delayMs(3) == 30);
}

}  // namespace
}  // namespace thalweg::api
