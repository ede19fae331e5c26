// All timers stand in one heap behind one asio timer, which is set to the earliest of them. A timer that fires runs
// what is due by the Clock and is set anew.
#include "worker/task/asio_executor.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <queue>
#include <thread>
#include <vector>

#include "common/base/mutex.h"

namespace thalweg::worker {

namespace asio = boost::asio;

namespace {

struct Timer {
  int64_t time_ms;
  uint64_t sequence;                    // equal times: in the order they were asked for
  std::function<void()> work;
  bool operator>(const Timer& other) const { return time_ms != other.time_ms ? time_ms > other.time_ms : sequence > other.sequence; }
};

size_t threadsOrCores(size_t threads) { return threads > 0 ? threads : std::max<size_t>(1, std::thread::hardware_concurrency()); }

}  // namespace

struct AsioExecutor::Impl {
  Impl(const Clock& job_clock, const AsioExecutorOptions& given)
      : clock(job_clock), poll_ms(std::max<int64_t>(1, given.clock_poll_ms)), compute(threadsOrCores(given.compute_threads)),
        io(std::max<size_t>(1, given.io_threads)), timer(compute) {}

  void add(int64_t time_ms, std::function<void()> work) EXCLUDES(mutex) {
    const MutexLock lock(mutex);
    if (stopped) return;
    const bool is_earliest = timers.empty() || time_ms < timers.top().time_ms;
    timers.push({std::max<int64_t>(time_ms, 0), next_sequence++, std::move(work)});
    if (is_earliest) setTimer();
  }

  void setTimer() REQUIRES(mutex) {
    if (stopped || timers.empty()) return;
    const int64_t wait_ms = std::clamp<int64_t>(timers.top().time_ms - clock.nowMillis(), 0, poll_ms);
    timer.expires_after(std::chrono::milliseconds(wait_ms));
    timer.async_wait([this](const boost::system::error_code& error) {
      if (!error) fire();
    });
  }

  void fire() EXCLUDES(mutex) {
    std::vector<std::function<void()>> due;
    {
      const MutexLock lock(mutex);
      const int64_t now_ms = clock.nowMillis();
      while (!timers.empty() && timers.top().time_ms <= now_ms) {
        due.push_back(std::move(const_cast<Timer&>(timers.top()).work));   // it leaves the heap in the next line
        timers.pop();
      }
      setTimer();
    }
    for (const std::function<void()>& work : due) work();
  }

  void stop() EXCLUDES(mutex) {
    std::priority_queue<Timer, std::vector<Timer>, std::greater<>> dropped;
    const MutexLock lock(mutex);
    stopped = true;
    timer.cancel();
    dropped.swap(timers);
  }

  const Clock& clock;
  const int64_t poll_ms;
  asio::thread_pool compute;
  asio::thread_pool io;
  Mutex mutex;
  asio::steady_timer timer GUARDED_BY(mutex);
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers GUARDED_BY(mutex);
  uint64_t next_sequence GUARDED_BY(mutex) = 0;
  bool stopped GUARDED_BY(mutex) = false;
};

AsioExecutor::AsioExecutor(const Clock& clock, AsioExecutorOptions options) : impl_(std::make_unique<Impl>(clock, options)) {}

AsioExecutor::~AsioExecutor() {
  impl_->stop();
  impl_->io.join();
  impl_->compute.join();
}

void AsioExecutor::post(std::function<void()> work) { asio::post(impl_->compute, std::move(work)); }
void AsioExecutor::postAt(int64_t time_ms, std::function<void()> work) { impl_->add(time_ms, std::move(work)); }
void AsioExecutor::postBlocking(std::function<void()> work) { asio::post(impl_->io, std::move(work)); }

}  // namespace thalweg::worker
