#include "client/api/user_chain.h"

#include <atomic>
#include <new>

#include "client/api/thalweg/exception.h"
#include "common/runtime_api/multi_output.h"

namespace thalweg::api {
namespace {

/// A failure that knows its operator already.
class StageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string failureText(const std::string& operator_name, const std::string& cause) {
  return "operator '" + operator_name + "' failed: " + cause;
}

[[noreturn]] void throwStageError(const std::string& operator_name) {
  try {
    throw;
  } catch (const StageError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw StageError(failureText(operator_name, "it got no more memory: the process is at its limit ('taskmanager.memory.process.size' on a cluster)"));
  } catch (const Exception& error) {
    throw StageError(failureText(operator_name, error.what()));
  } catch (const std::exception& error) {
    throw StageError(failureText(operator_name, std::string("a user function threw: ") + error.what() +
                                                    "; handle what can go wrong inside of the function if the job is to go on"));
  } catch (...) {
    throw StageError(failureText(operator_name, "a user function threw something that is no std::exception; "
                                                "throw exceptions derived from it, so that their message can be shown"));
  }
}

}  // namespace

void rethrowFrom(const std::string& operator_name) { throwStageError(operator_name); }

struct UserChain::Slot final : StageRuntime {
  Slot(const ChainPlan::Member& member_in, std::unique_ptr<Stage> stage_in) : member(member_in), stage(std::move(stage_in)) {}

  const std::string& name() const override { return member.name; }
  int subtaskIndex() const override { return context->subtaskIndex(); }
  int parallelism() const override { return context->parallelism(); }
  int maxParallelism() const override { return context->maxParallelism(); }
  bool batchMode() const override { return context->batchMode(); }
  const Configuration& configuration() const override { return context->configuration(); }
  int64_t nowMillis() const override { return context->nowMillis(); }
  void requestWakeup(int64_t time_ms) override {
    int64_t known = wakeup_ms.load();
    while (time_ms < known && !wakeup_ms.compare_exchange_weak(known, time_ms)) {}
    wake_context->requestWakeup(time_ms);
  }
  KeyScope* keys() override { return key_scope; }
  void countLate() override { ++context->metrics().late_rows_dropped; }

  const ChainPlan::Member& member;
  std::unique_ptr<Stage> stage;
  OperatorContext* context = nullptr;
  OperatorContext* wake_context = nullptr;      // the reader's, for a stage that reads
  KeyScope* key_scope = nullptr;
  std::atomic<int64_t> wakeup_ms{INT64_MAX};
  bool opened = false;
};

/// Polls the head of the chain, and tells the operator behind it how many records there are.
class UserChain::Reader final : public SourceReader {
 public:
  explicit Reader(Slot& slot) : slot_(slot), stage_(static_cast<SourceStage&>(*slot.stage)) {}

  Status open(OperatorContext& context) override {
    slot_.wake_context = &context;
    return {};
  }
  Status addSplit(std::string split) override {
    return guarded([&] { stage_.addSplit(std::move(split)); });
  }
  Result<PollResult> poll(size_t rows_wanted, Output& output) override {
    if (mustWait()) return PollResult::IDLE;
    SourceStage::Poll polled = SourceStage::Poll::MORE;
    RETURN_IF_ERROR(guarded([&] { polled = stage_.poll(rows_wanted); }));
    if (const size_t rows = stage_.pending(); rows > 0) RETURN_IF_ERROR(output.emit(Batch(rows, {})));
    switch (polled) {
      case SourceStage::Poll::MORE: return PollResult::MORE;
      case SourceStage::Poll::IDLE: return PollResult::IDLE;
      case SourceStage::Poll::NEED_SPLIT: return PollResult::NEED_SPLIT;
    }
    return PollResult::MORE;
  }
  Status snapshotSplits(std::vector<std::string>& splits) override {
    return guarded([&] { stage_.snapshotSplits(splits); });
  }

 private:
  bool mustWait() {
    const auto& alignment = slot_.member.alignment;
    if (!alignment || !alignment->members->isAhead({alignment->source, slot_.subtaskIndex()}, alignment->drift_ms)) return false;
    slot_.requestWakeup(slot_.nowMillis() + alignment->interval_ms);
    return true;
  }

  template <typename Call>
  Status guarded(Call&& call) {
    try {
      try {
        call();
      } catch (...) {
        rethrowFrom(slot_.member.name);
      }
    } catch (const StageError& error) {
      return Status::runtime(error.what());
    }
    return {};
  }

  Slot& slot_;
  SourceStage& stage_;
};

template <typename Call>
Status UserChain::guarded(const std::string& name, Call&& call) {
  try {
    try {
      call();
    } catch (...) {
      rethrowFrom(name);
    }
  } catch (const StageError& error) {
    return Status::runtime(error.what());
  }
  return {};
}

template <typename Call>
Status UserChain::forEachStage(Call&& call) {
  for (const auto& slot : slots_) RETURN_IF_ERROR(guarded(slot->member.name, [&] { call(*slot); }));
  return {};
}

UserChain::UserChain(std::shared_ptr<const ChainPlan> plan) : plan_(std::move(plan)) {
  for (const ChainPlan::Member& member : plan_->stages) slots_.push_back(std::make_unique<Slot>(member, member.make()));
}

UserChain::~UserChain() = default;

std::unique_ptr<SourceReader> UserChain::makeReader() { return std::make_unique<Reader>(*slots_[0]); }

void UserChain::connect() {
  for (const auto& slot : slots_) {
    for (const ChainPlan::From& from : slot->member.from) {
      slots_[static_cast<size_t>(from.stage)]->stage->output(from.tag)->connect(slot->stage->input(0), slot->member.name);
    }
  }
  for (const ChainPlan::Leaving& leaving : plan_->exits) {
    exits_.push_back(leaving.link->makeExit());
    exits_.back()->open(context_->subtaskIndex(), context_->parallelism(), leaving.receivers);
    const auto& slot = slots_[static_cast<size_t>(leaving.stage)];
    slot->stage->output(leaving.tag)->connect(exits_.back()->port(), slot->member.name);
  }
  for (size_t input = 0; input < plan_->entries.size(); ++input) {
    entries_.push_back(plan_->entries[input]->makeEntry());
    KeyScope* keys = plan_->entries[input]->isKeyed() ? keys_.get() : nullptr;
    entries_.back()->open(slots_[0]->stage->input(static_cast<int>(input)), slots_[0]->member.name, keys);
  }
}

Status UserChain::open(OperatorContext& context) {
  context_ = &context;
  for (const auto& slot : slots_) slot->context = slot->wake_context = &context;
  for (const StreamLinkPtr& link : plan_->entries) {
    if (!link->isKeyed() || keys_) continue;
    keys_ = std::make_unique<KeyScope>(link->keyColumns(), link->columnTypes(), context.keyedState(), slots_[0]->member.name);
    slots_[0]->key_scope = keys_.get();
  }
  if (keys_ && context.batchMode()) runs_ = std::make_unique<KeyRuns>(plan_->entries.size());
  connect();
  RETURN_IF_ERROR(restore(context.restored()));
  for (size_t i = slots_.size(); i-- > 0;) {
    slots_[i]->opened = true;
    RETURN_IF_ERROR(guarded(slots_[i]->member.name, [&] { slots_[i]->stage->open(*slots_[i]); }));
  }
  return {};
}

Result<Progress> UserChain::process(int input, const Batch& batch, Output& output) {
  if (entries_.empty()) {
    auto& source = static_cast<SourceStage&>(*slots_[0]->stage);
    RETURN_IF_ERROR(guarded(slots_[0]->member.name, [&] {
      if (batch.rows() > 0) source.flush();
      for (const WatermarkMark& mark : batch.marks()) source.output(0)->watermark(mark.value);
    }));
  } else if (runs_ && plan_->entries[static_cast<size_t>(input)]->isKeyed()) {
    runs_->add(static_cast<size_t>(input), batch);
  } else {
    RETURN_IF_ERROR(guarded(slots_[0]->member.name, [&] { entries_[static_cast<size_t>(input)]->feed(batch); }));
    if (keys_) keys_->clear();
  }
  return flushed(output);
}

Status UserChain::feedByKey() {
  return guarded(slots_[0]->member.name, [&] {
    std::vector<std::vector<int>> columns;
    for (const StreamLinkPtr& link : plan_->entries) columns.push_back(link->keyColumns());
    runs_->forEachRun(columns, [&](size_t input, const Batch& records) { entries_[input]->feed(records); },
                      [&](size_t input, const Batch& last) {
                        keys_->setBatch(last);
                        (void)input;
                        keys_->setRow(0);
                        keys_->setStored(keys_->stored());
                        slots_[0]->stage->endKey();
                      });
    keys_->clear();
    slots_[0]->stage->input(0).watermark(kMaxWatermark);
  });
}

Status UserChain::flush(Output& output) {
  for (size_t k = 0; k < exits_.size(); ++k) {
    Exit& exit = *exits_[k];
    if (!exit.isEmpty()) {
      Batch batch;
      RETURN_IF_ERROR(guarded(slots_[static_cast<size_t>(plan_->exits[k].stage)]->member.name, [&] { batch = exit.take(); }));
      if (k == 0) {
        RETURN_IF_ERROR(output.emit(std::move(batch)));
      } else {
        auto* outputs = dynamic_cast<MultiOutput*>(&output);
        if (outputs == nullptr) return Status::internal("a chain with several exits has one output");
        RETURN_IF_ERROR(outputs->emitTo(static_cast<int>(k), std::move(batch)));
      }
    }
    if (const int idle = exit.takeIdle(); idle >= 0) RETURN_IF_ERROR(output.markIdle(idle == 1));
  }
  return {};
}

Result<Progress> UserChain::flushed(Output& output) {
  RETURN_IF_ERROR(flush(output));
  return Progress::DONE;
}

Result<Progress> UserChain::onWakeup(int64_t now_ms, Output& output) {
  for (const auto& slot : slots_) {
    if (slot->wakeup_ms.load() > now_ms) continue;
    slot->wakeup_ms.store(INT64_MAX);
    RETURN_IF_ERROR(guarded(slot->member.name, [&] { slot->stage->wakeup(now_ms); }));
  }
  if (keys_) keys_->clear();
  renewWakeup();
  return flushed(output);
}

void UserChain::renewWakeup() {
  int64_t earliest = INT64_MAX;
  for (const auto& slot : slots_) {
    if (slot->wake_context == context_) earliest = std::min(earliest, slot->wakeup_ms.load());
  }
  if (earliest != INT64_MAX) context_->requestWakeup(earliest);
}

Result<Progress> UserChain::endInput(int input, Output& output) {
  RETURN_IF_ERROR(guarded(slots_[0]->member.name, [&] { slots_[0]->stage->endInput(input); }));
  return flushed(output);
}

Result<Progress> UserChain::finish(Output& output) {
  if (runs_) RETURN_IF_ERROR(feedByKey());
  RETURN_IF_ERROR(forEachStage([&](Slot& slot) {
    if (&slot != slots_[0].get()) slot.stage->endInput(0);
    slot.stage->finish();
  }));
  return flushed(output);
}

Result<Progress> UserChain::prepareSnapshot(Output& output) {
  RETURN_IF_ERROR(forEachStage([](Slot& slot) { slot.stage->prepareSnapshot(); }));
  return flushed(output);
}

Status UserChain::snapshot(std::string& out) {
  return forEachStage([&](Slot& slot) {
    std::string bytes;
    slot.stage->snapshot(bytes);
    if (bytes.empty()) return;
    writeText(out, slot.member.uid);
    writeText(out, bytes);
  });
}

Status UserChain::restore(const std::string& bytes) {
  ByteReader reader(bytes);
  while (!reader.isAtEnd()) {
    const std::string_view uid = reader.text();
    const std::string_view state = reader.text();
    const auto found = std::find_if(slots_.begin(), slots_.end(), [&](const auto& slot) { return slot->member.uid == uid; });
    if (found == slots_.end()) return Status::invalid("the snapshot holds state of operator '" + std::string(uid) + "', which its chain no longer has");
    RETURN_IF_ERROR(guarded((*found)->member.name, [&] { (*found)->stage->restore(state); }));
  }
  return {};
}

Result<std::string> UserChain::redistribute(std::span<const std::string_view> parts, int subtask, int parallelism) {
  std::string out;
  for (const auto& slot : slots_) {
    std::vector<std::string_view> mine;
    for (const std::string_view part : parts) {
      ByteReader reader(part);
      while (!reader.isAtEnd()) {
        const std::string_view uid = reader.text();
        const std::string_view state = reader.text();
        if (uid == slot->member.uid) mine.push_back(state);
      }
    }
    if (mine.empty()) continue;
    RETURN_IF_ERROR(guarded(slot->member.name, [&] {
      const std::string bytes = slot->stage->redistribute(mine, subtask, parallelism);
      if (bytes.empty()) return;
      writeText(out, slot->member.uid);
      writeText(out, bytes);
    }));
  }
  return out;
}

Status UserChain::onCheckpointComplete(uint64_t snapshots) {
  return forEachStage([&](Slot& slot) { slot.stage->checkpointComplete(snapshots); });
}

bool UserChain::commitPending() const {
  return std::any_of(slots_.begin(), slots_.end(), [](const auto& slot) { return slot->stage->commitPending(); });
}

void UserChain::close() {
  std::exception_ptr first;
  for (const auto& slot : slots_) {
    if (!slot->opened) continue;
    try {
      slot->stage->close();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

int UserChain::preferredInput() const { return slots_[0]->stage->preferredInput(); }

}  // namespace thalweg::api
