#include "common/process/event_loop.h"

#include <chrono>
#include <deque>
#include <future>
#include <map>
#include <thread>

#include "common/base/mutex.h"

namespace thalweg {

int64_t steadyMillis() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct EventLoop::Impl {
  void loop() {
    for (;;) {
      std::function<void()> work;
      {
        const MutexLock lock(mutex);
        for (;;) {
          if (stopping) return;
          if (!queue.empty()) {
            work = std::move(queue.front());
            queue.pop_front();
            break;
          }
          const int64_t now_ms = steadyMillis();
          if (!timers.empty() && timers.begin()->first <= now_ms) {
            work = std::move(timers.begin()->second);
            timers.erase(timers.begin());
            break;
          }
          if (timers.empty()) changed.wait(mutex);
          else changed.waitFor(mutex, std::chrono::milliseconds(timers.begin()->first - now_ms));
        }
      }
      work();
    }
  }

  Mutex mutex;
  Condition changed;
  std::deque<std::function<void()>> queue GUARDED_BY(mutex);
  std::multimap<int64_t, std::function<void()>> timers GUARDED_BY(mutex);   // by when they are due
  bool stopping GUARDED_BY(mutex) = false;
  std::thread thread;
};

EventLoop::EventLoop() : impl_(std::make_unique<Impl>()) {
  impl_->thread = std::thread([impl = impl_.get()] { impl->loop(); });
}

EventLoop::~EventLoop() {
  {
    const MutexLock lock(impl_->mutex);
    impl_->stopping = true;
    impl_->changed.notifyAll();
  }
  impl_->thread.join();
}

void EventLoop::post(std::function<void()> work) {
  const MutexLock lock(impl_->mutex);
  impl_->queue.push_back(std::move(work));
  impl_->changed.notifyOne();
}

void EventLoop::postAfter(int64_t delay_ms, std::function<void()> work) {
  const MutexLock lock(impl_->mutex);
  impl_->timers.emplace(steadyMillis() + delay_ms, std::move(work));
  impl_->changed.notifyOne();
}

bool EventLoop::isCurrent() const { return std::this_thread::get_id() == impl_->thread.get_id(); }

void EventLoop::run(const std::function<void()>& work) {
  std::promise<void> done;
  post([&] {
    work();
    done.set_value();
  });
  done.get_future().wait();
}

}  // namespace thalweg
