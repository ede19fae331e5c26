#include "worker/task/subtask.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <new>

#include "common/base/failpoint.h"
#include "common/log/log.h"

namespace thalweg::worker {

namespace {

constexpr size_t kSliceRows = size_t{64} << 10;
constexpr int64_t kSliceNanos = 5'000'000;

}  // namespace

Subtask::Subtask(SubtaskId id, std::string task_name, const JobSurroundings& job, std::shared_ptr<SubtaskListener> listener)
    : Actor(job.executor), id_(id), task_name_(std::move(task_name)), job_(job), listener_(std::move(listener)) {}

void Subtask::connect(Parts parts) {
  parts_ = std::move(parts);
  output_ = std::make_unique<TaskOutput>(std::move(parts_.writers), std::move(parts_.outlets));
  if (parts_.channels == nullptr) return;
  parts_.channels->setReceiver(this);
  gate_ = std::make_unique<InputGate>(*parts_.channels, parts_.inputs, job_.batch_rows_max);
}

void Subtask::setOperators(std::vector<std::pair<std::unique_ptr<Operator>, std::unique_ptr<TaskContext>>> operators) {
  std::vector<std::unique_ptr<ChainLink>> links(operators.size());
  for (size_t i = operators.size(); i-- > 0;) {
    Output& next = i + 1 < links.size() ? static_cast<Output&>(*links[i + 1]) : *output_;
    links[i] = std::make_unique<ChainLink>(std::move(operators[i].first), std::move(operators[i].second), next, job_.batch_rows_max);
  }
  if (!THALWEG_MUTANT("watermark_not_restored")) {
    for (const auto& link : links) link->restoreWatermark(link->context().restoredWatermark());
  }
  if (gate_ && !links.empty() && !THALWEG_MUTANT("watermark_not_restored")) gate_->restoreWatermark(links.front()->context().restoredWatermark());
  chain_ = std::make_unique<OperatorChain>(std::move(links), *output_, parts_.inputs);
}

void Subtask::setSource(std::unique_ptr<SourceReader> reader, std::unique_ptr<TaskContext> context,
                        std::shared_ptr<SplitSupply> dispenser, int64_t idle_timeout_ms) {
  source_ = std::make_unique<SourceHead>(std::move(reader), std::move(dispenser), std::move(context), chain_->head(),
                                         job_.batch_rows_max, idle_timeout_ms);
  if (parts_.hold_after_rows > 0) source_->holdAfter(parts_.hold_after_rows);
}

void Subtask::cancel() {
  cancelled_.store(true);
  schedule();
}

void Subtask::holdAt(CheckpointId checkpoint) {
  hold_at_.store(checkpoint);
  schedule();
}

void Subtask::stop(CheckpointId checkpoint) {
  completed_.store(checkpoint);
  stopped_.store(true);
  schedule();
}

void Subtask::commit() {
  committed_.store(true);
  schedule();
}

/// Says for a slice's time which thread runs it, and what for.
class Subtask::SliceMark {
 public:
  SliceMark(Subtask& subtask, int64_t begun_ns) : subtask_(subtask), work_(currentWork()) {
    if (work_.thread.load(std::memory_order_relaxed) == 0) work_.thread.store(static_cast<int>(syscall(SYS_gettid)));
    work_.op.store(nullptr, std::memory_order_relaxed);
    work_.task.store(subtask.task_name_.c_str(), std::memory_order_relaxed);
    subtask_.slice_work_.store(&work_, std::memory_order_relaxed);
    subtask_.slice_begun_ns_.store(begun_ns, std::memory_order_release);
  }
  ~SliceMark() {
    subtask_.slice_begun_ns_.store(0, std::memory_order_release);
    work_.task.store(nullptr, std::memory_order_relaxed);
  }
  SliceMark(const SliceMark&) = delete;
  SliceMark& operator=(const SliceMark&) = delete;

 private:
  Subtask& subtask_;
  CurrentWork& work_;
};

std::optional<StuckSlice> Subtask::stuckFor(int64_t at_least_ns) const {
  const int64_t begun_ns = slice_begun_ns_.load(std::memory_order_acquire);
  const int64_t duration_ns = job_.clock.nanoTime() - begun_ns;
  if (begun_ns == 0 || duration_ns < at_least_ns) return std::nullopt;
  const CurrentWork& work = *slice_work_.load(std::memory_order_relaxed);
  const char* const op = work.op.load(std::memory_order_relaxed);
  return StuckSlice{id_.task, id_.index, task_name_, op == nullptr ? "" : op, begun_ns, duration_ns, work.thread.load()};
}

Actor::SliceEnd Subtask::runSlice() {
  if (phase_ == Phase::CLOSED) return SliceEnd::END;
  const MemoryPool::Scope memory(parts_.memory);
  const int64_t begun_ns = job_.clock.nanoTime();
  noteWait(begun_ns);
  const SliceMark mark(*this, begun_ns);
  Result<SliceEnd> end = SliceEnd::AGAIN;
  try {                                             // the wall for what operators and libraries below them throw
    end = runPhases();
  } catch (const std::bad_alloc&) {
    end = Status::exhausted("task '" + task_name_ + "' got no more memory: its process is at its limit ('taskmanager.memory.process.size')");
  } catch (const std::exception& error) {
    end = Status::internal(std::string("unexpected exception: ") + error.what());
  }
  if (!end.isOk()) return fail(end.status());
  if (phase_ != Phase::CLOSED) noteSlice(begun_ns);          // nobody is asked for it any more
  return *end;
}

void Subtask::noteWait(int64_t now_ns) {
  if (slice_ended_ns_ == 0) return;
  std::atomic<int64_t>& waited = parked_full_ ? back_pressured_ns_ : idle_ns_;
  waited.fetch_add(now_ns - slice_ended_ns_, std::memory_order_relaxed);
  if (parked_full_ && snapshotting_ != 0) snapshot_begun_ns_ += now_ns - slice_ended_ns_;       // its receivers' pause, not its own
  parked_full_ = false;
}

void Subtask::noteSlice(int64_t begun_ns) {
  slice_ended_ns_ = job_.clock.nanoTime();
  busy_ns_.fetch_add(slice_ended_ns_ - begun_ns, std::memory_order_relaxed);
}

Result<Actor::SliceEnd> Subtask::runPhases() {
  if (cancelled_.load()) return close();
  if (phase_ == Phase::CREATED) {
    phase_ = Phase::RUNNING;
    if (parts_.restored_finished) return restoreFinished();
    RETURN_IF_ERROR(start());
  }
  if (stopped_.load()) return stopNow();
  if (phase_ == Phase::FINISHED) {
    if (!committed_.load()) return SliceEnd::PARK;
    RETURN_IF_ERROR(chain_->onCheckpointComplete(Operator::kEverything));
    return close();
  }
  Result<SliceEnd> end = runLoop();
  if (phase_ != Phase::CLOSED) publishMetrics();
  return end;
}

/// Opening commits what sinks had staged.
Result<Actor::SliceEnd> Subtask::restoreFinished() {
  const auto owes = [](const auto& link) { return !link->context().restored().empty(); };
  if (std::any_of(chain_->links().begin(), chain_->links().end(), owes)) RETURN_IF_ERROR(chain_->open());
  RETURN_IF_ERROR(output_->emit(Batch::watermark(kMaxWatermark)));
  output_->sendEnd();
  phase_ = Phase::FINISHED;
  listener_->onFinished(id_, {});
  return close();
}

Result<Actor::SliceEnd> Subtask::stopNow() {
  if (phase_ == Phase::FINISHED) RETURN_IF_ERROR(chain_->onCheckpointComplete(Operator::kEverything));
  else RETURN_IF_ERROR(confirmCheckpoints());
  return close();
}

Status Subtask::start() {
  RETURN_IF_ERROR(chain_->open());
  if (parts_.sent_watermark != kMinWatermark) RETURN_IF_ERROR(output_->emit(Batch::watermark(parts_.sent_watermark)));
  if (source_) RETURN_IF_ERROR(source_->open(std::move(parts_.restored_splits)));
  return {};
}

Result<Actor::SliceEnd> Subtask::runLoop() {
  const int64_t deadline = job_.clock.nanoTime() + kSliceNanos;
  slice_rows_ = 0;
  for (;;) {
    if (cancelled_.load(std::memory_order_relaxed)) return close();
    if (stopped_.load(std::memory_order_relaxed)) return stopNow();
    ASSIGN_OR_RETURN(const std::optional<SliceEnd> end, runRound());
    if (end) {
      if (phase_ == Phase::RUNNING || phase_ == Phase::ENDING) output_->flush();
      return *end;
    }
    if (snapshotting_ != 0) continue;               // others' slices would come before its barrier
    if (slice_rows_ >= kSliceRows || job_.clock.nanoTime() >= deadline) {
      output_->flush();
      return SliceEnd::AGAIN;
    }
  }
}

Result<std::optional<Actor::SliceEnd>> Subtask::runRound() {
  ASSIGN_OR_RETURN(const OperatorChain::Work work, chain_->work());
  switch (work) {
    case OperatorChain::Work::PROGRESS:
      return std::nullopt;
    case OperatorChain::Work::BLOCKED:
      if (captureSome()) return std::nullopt;
      if (!output_->waitForRoom(*this)) return std::nullopt;
      parked_full_ = true;
      return SliceEnd::PARK;
    case OperatorChain::Work::IDLE:
      break;
  }
  const bool is_over = phase_ == Phase::ENDING && chain_->isFinished();
  if (pending_ && (snapshotting_ != 0 || is_over)) {
    if (captureSome() || !pending_) return std::nullopt;
    return SliceEnd::PARK;
  }
  if (snapshotting_ != 0) {
    RETURN_IF_ERROR(passBarrier());
    return std::nullopt;
  }
  if (is_over) {
    output_->sendEnd();
    ASSIGN_OR_RETURN(const SliceEnd end, finish());
    return std::optional(end);
  }
  RETURN_IF_ERROR(confirmCheckpoints());
  if (const CheckpointId held = hold_at_.load(); held != 0 && passed_ >= held) {       // timers wait, too
    if (captureSome()) return std::nullopt;
    return SliceEnd::PARK;
  }
  captureInPassing();
  // A split that is on its way from another process is in no place of a checkpoint yet.
  if (source_ && phase_ == Phase::RUNNING && triggers_waiting_.load() > 0 && !source_->awaitsSplit()) {
    RETURN_IF_ERROR(beginSnapshot(takeTrigger()));
    return std::nullopt;
  }
  const int64_t wakeup = chain_->wakeupTime();
  if (wakeup != INT64_MAX) {
    const int64_t now_ms = job_.clock.nowMillis();
    if (wakeup <= now_ms) {
      chain_->fireWakeups(now_ms);
      return std::nullopt;
    }
  }
  RETURN_IF_ERROR(chain_->relieveState());
  output_->flushToIdle();
  if (output_->isFull()) {
    if (captureSome()) return std::nullopt;
    if (output_->waitForRoom(*this)) {
      parked_full_ = true;
      return SliceEnd::PARK;
    }
  }
  return takeInput();
}

Result<std::optional<Actor::SliceEnd>> Subtask::takeInput() {
  if (phase_ == Phase::ENDING) return std::nullopt;   // only the chain's own steps are left
  return source_ ? takeFromSource() : takeFromGate();
}

Result<std::optional<Actor::SliceEnd>> Subtask::takeFromSource() {
  if (source_->isHeld()) {
    if (!std::exchange(held_, true)) listener_->onHeld(id_);
    return park();
  }
  const uint64_t rows_before = source_->context().metrics().rows_out;
  ASSIGN_OR_RETURN(const SourceHead::Poll polled, source_->poll(passed_));
  slice_rows_ += source_->context().metrics().rows_out - rows_before;
  switch (polled) {
    case SourceHead::Poll::PROGRESS:
      break;
    case SourceHead::Poll::WAITING:
      return park();
    case SourceHead::Poll::ENDED:
      phase_ = Phase::ENDING;
      chain_->endInput(0);
      break;
  }
  return std::nullopt;
}

Result<std::optional<Actor::SliceEnd>> Subtask::takeFromGate() {
  ASSIGN_OR_RETURN(GateEvent event, gate_->next(chain_->preferredInput()));
  switch (event.kind) {
    case GateEvent::Kind::NONE:
      RETURN_IF_ERROR(gate_->failure());
      return park();
    case GateEvent::Kind::BATCH:
      slice_rows_ += event.batch.rows();
      RETURN_IF_ERROR(chain_->process(event.input, std::move(event.batch)));
      break;
    case GateEvent::Kind::BARRIER:
      RETURN_IF_ERROR(beginSnapshot(event.checkpoint));
      break;
    case GateEvent::Kind::INPUT_END:
      chain_->endInput(event.input);
      if (gate_->allEnded()) phase_ = Phase::ENDING;
      break;
    case GateEvent::Kind::STATUS:
      RETURN_IF_ERROR(chain_->head().markIdle(event.idle));
      break;
  }
  return std::nullopt;
}

std::optional<Actor::SliceEnd> Subtask::park() {
  if (captureSome()) return std::nullopt;
  const int64_t wakeup = std::min(chain_->wakeupTime(), source_ && !held_ ? source_->wakeupTime() : INT64_MAX);
  if (wakeup == INT64_MAX) return SliceEnd::PARK;
  if (wakeup <= job_.clock.nowMillis()) return SliceEnd::AGAIN;
  scheduleAt(wakeup);
  return SliceEnd::PARK;
}

Result<Actor::SliceEnd> Subtask::finish() {
  phase_ = Phase::FINISHED;
  publishMetrics();
  const bool stays_open = chain_->commitPending();
  SubtaskSnapshot last;
  if (stays_open) {
    ASSIGN_OR_RETURN(const auto owed, PendingSnapshot::begin(0, *chain_, {}));
    owed->part().sent_watermark = output_->watermark();
    owed->finishCapture();
    ASSIGN_OR_RETURN(last, owed->take());
  }
  listener_->onFinished(id_, std::move(last));
  return stays_open ? SliceEnd::AGAIN : close();    // once more, since commit() may have come meanwhile
}

Actor::SliceEnd Subtask::close() {
  publishMetrics();
  pending_.reset();
  try {
    if (source_) source_->close();
    chain_->close();
  } catch (const std::exception& error) {
    LOG_WARN("worker.task", "closing an operator threw", {"task", task_name_}, {"subtask", id_.index}, {"error", error.what()});
  }
  phase_ = Phase::CLOSED;
  listener_->onClosed(id_);
  return SliceEnd::END;
}

Actor::SliceEnd Subtask::fail(const Status& status) {
  listener_->onFailed(id_, status);
  return close();
}

void Subtask::publishMetrics() {
  const MutexLock lock(metrics_mutex_);
  size_t row = 0;
  const auto publish = [&](TaskContext& context) {
    if (row == metrics_.size()) metrics_.push_back({task_name_, context.uid(), context.operatorName(), id_.index, {}, id_.task});
    metrics_[row++].metrics = context.metrics();
  };
  if (source_) publish(source_->context());
  for (const auto& link : chain_->links()) publish(link->context());
}

SubtaskTimes Subtask::times() const {
  SubtaskTimes times{id_.task, id_.index, busy_ns_.load(), back_pressured_ns_.load(), idle_ns_.load()};
  if (parts_.channels) parts_.channels->countQueued(times.queued_batches, times.queued_bytes);
  return times;
}

std::vector<OperatorMetricsRow> Subtask::metrics() const {
  const MutexLock lock(metrics_mutex_);
  return metrics_;
}

}  // namespace thalweg::worker
