// WindowStage: sorts the records of each key into windows, and emits their results when triggers say so.
//
// Per key it keeps one entry with all of its windows: the content of each, and what the trigger remembers. Timers carry
// the window they belong to. A record is late when the watermark has passed the end of all of its windows by more than
// the allowed lateness; it goes to the side output for late data, or is dropped and counted.
// Session windows merge: a record's window swallows those it touches, their contents and trigger states with them.
// Threads: the stage's.
#pragma once

#include <map>
#include <memory>

#include "client/api/thalweg/window_content.h"
#include "client/api/thalweg/windows.h"

namespace thalweg::api {

template <typename T, typename W>
struct WindowSettings {
  std::function<void(const T& record, int64_t timestamp, int64_t now, std::vector<W>& windows)> assign;
  bool event_time = false;
  bool merging = false;
  std::function<std::unique_ptr<AnyTrigger<T, W>>()> make_trigger;
  AnyEvictor<T, W> evictor;
  int64_t lateness_ms = 0;
  std::optional<OutputTag<T>> late_tag;
};

inline TimerTag tagOf(const TimeWindow& window) { return {window.start, window.end}; }
inline TimerTag tagOf(const GlobalWindow&) { return {}; }
inline void fromTag(TimerTag tag, TimeWindow& window) { window = {tag.start, tag.end}; }
inline void fromTag(TimerTag, GlobalWindow&) {}

/// The windows of one key.
template <typename W, typename Cell>
struct KeyWindows {
  struct Window {
    Cell content{};
    TriggerStates trigger;
  };
  std::map<W, Window> windows;

  void serialize(std::string& out) const {
    for (const auto& [window, kept] : windows) {
      writeNumber(out, tagOf(window));
      FieldTraits<Cell>::write(kept.content, out);
      FieldTraits<TriggerStates>::write(kept.trigger, out);
    }
  }
  static Status deserialize(std::string_view bytes, KeyWindows& into) {
    try {
      ByteReader reader(bytes);
      while (!reader.isAtEnd()) {
        W window;
        fromTag(reader.number<TimerTag>(), window);
        Window& kept = into.windows[window];
        FieldTraits<Cell>::read(reader, kept.content);
        FieldTraits<TriggerStates>::read(reader, kept.trigger);
      }
    } catch (const std::exception& error) {
      return Status::internal(error.what());
    }
    return {};
  }
};

template <typename K, typename T, typename W, typename O, typename Content>
class WindowStage : public ProcessStageBase<O>, public TypedPort<T> {
  using Windows = KeyWindows<W, typename Content::Cell>;
  using Window = typename Windows::Window;

 public:
  WindowStage(const WindowSettings<T, W>& settings, Content content, const SideOutputListPtr& sides)
      : ProcessStageBase<O>(sides), settings_(settings), content_(std::move(content)), trigger_(settings.make_trigger()) {}

  Port& input(int) override { return *this; }
  void open(StageRuntime& runtime) override {
    runtime_ = &runtime;
    keys_ = runtime.keys();
    this->timers_.open(runtime, false);
    table_ = &keys_->openTable(objectTableSpec<Windows>("windows", keys_->isFixed()));
    event_ = std::make_unique<KeyedTimers>(*keys_, "window-event");
    processing_ = std::make_unique<KeyedTimers>(*keys_, "window-processing");
    if (!processing_->isEmpty() && !runtime.batchMode()) runtime.requestWakeup(processing_->earliest());
    content_.open(runtime);
  }
  void close() override { content_.close(); }

  void records(Chunk<T>& chunk) override {
    for (size_t i = 0; i < chunk.records.size(); ++i) {
      keys_->setRow(i);
      add(chunk.records[i], chunk.timestampAt(i));
    }
    keys_->clear();
    this->flush();
  }
  void watermark(EventTime value) override {
    this->timers_.advanceWatermark(value, {});
    event_->fire(value, [this](int64_t time, TimerTag tag) { onTimer(true, time, tag); });
    keys_->clear();
    this->flush();
    this->forward(value);
  }
  void idle(bool idle) override { this->forwardIdle(idle); }
  void wakeup(int64_t now_ms) override {
    if (runtime_->batchMode()) return;
    processing_->fire(now_ms, [this](int64_t time, TimerTag tag) { onTimer(false, time, tag); });
    if (!processing_->isEmpty()) runtime_->requestWakeup(processing_->earliest());
    this->flush();
  }
  void endKey() override {
    this->timers_.advanceWatermark(kMaxWatermark, {});
    event_->fireAll([this](int64_t time, TimerTag tag) { onTimer(true, time, tag); });
    processing_->fireAll([this](int64_t time, TimerTag tag) { onTimer(false, time, tag); });
    this->timers_.advanceWatermark(kMinWatermark, {});
    this->flush();
  }

 private:
  /// What the trigger sees, for one window of the present key.
  class Context final : public TriggerContext {
   public:
    Context(WindowStage& stage, const W& window, TriggerStates& states) : stage_(stage), tag_(tagOf(window)), states_(states) {}
    int64_t getCurrentWatermark() const override { return stage_.timers_.currentWatermark(); }
    int64_t getCurrentProcessingTime() const override { return stage_.runtime_->nowMillis(); }
    void registerEventTimeTimer(int64_t time) override { stage_.event_->add(time, tag_); }
    void registerProcessingTimeTimer(int64_t time) override { stage_.addProcessing(time, tag_); }
    void deleteEventTimeTimer(int64_t time) override { stage_.event_->remove(time, tag_); }
    void deleteProcessingTimeTimer(int64_t time) override { stage_.processing_->remove(time, tag_); }
    TriggerStates& states() override { return states_; }
    const std::vector<TriggerStates>& mergedStates() const override { return merged; }
    std::vector<TriggerStates> merged;

   private:
    WindowStage& stage_;
    TimerTag tag_;
    TriggerStates& states_;
  };

  void addProcessing(int64_t time, TimerTag tag) {
    processing_->add(time, tag);
    if (!runtime_->batchMode()) runtime_->requestWakeup(time);
  }
  /// When everything of a window is dropped.
  int64_t cleanupTime(const W& window) const {
    const int64_t end = window.maxTimestamp();
    if (!settings_.event_time) return end;
    return end > INT64_MAX - settings_.lateness_ms ? INT64_MAX : end + settings_.lateness_ms;
  }
  bool isLate(const W& window) const { return settings_.event_time && cleanupTime(window) <= this->timers_.currentWatermark(); }
  Windows& entry() { return objectAt<Windows>(keys_->upsert(*table_)); }

  void add(const T& record, EventTime timestamp) {
    if (settings_.event_time && timestamp == kNoTimestamp) refuseNoTimestamp();
    assigned_.clear();
    settings_.assign(record, timestamp, runtime_->nowMillis(), assigned_);
    bool skipped = true;
    for (const W& window : assigned_) {
      if (settings_.merging) {
        if (std::optional<W> merged = merge(window)) {
          skipped = false;
          addTo(*merged, entry().windows[*merged], record, timestamp);
        }
      } else if (!isLate(window)) {
        skipped = false;
        addTo(window, entry().windows[window], record, timestamp);
      }
    }
    if (!skipped || !settings_.event_time || timestamp + settings_.lateness_ms > this->timers_.currentWatermark()) return;
    if (settings_.late_tag) this->sides_.add(*settings_.late_tag, T(record), timestamp);
    else runtime_->countLate();
  }
  void addTo(const W& window, Window& kept, const T& record, EventTime timestamp) {
    content_.add(kept.content, record, timestamp);
    Context context(*this, window, kept.trigger);
    apply(trigger_->onElement(record, timestamp, window, context), window, kept);
    const int64_t cleanup = cleanupTime(window);
    if (cleanup == INT64_MAX) return;
    if (settings_.event_time) event_->add(cleanup, tagOf(window));
    else addProcessing(cleanup, tagOf(window));
  }
  /// The session that `window` becomes part of; none if it is late.
  std::optional<W> merge(const W& window) {
    if constexpr (std::is_same_v<W, TimeWindow>) {
      W merged = window;
      std::vector<W> parts;
      if (char* payload = keys_->find(*table_)) {
        for (const auto& [other, kept] : objectAt<Windows>(payload).windows) {
          if (other.start > window.end || other.end < window.start) continue;
          parts.push_back(other);
          merged = {std::min(merged.start, other.start), std::max(merged.end, other.end)};
        }
      }
      if (parts.size() == 1 && parts[0] == merged) return merged;
      if (isLate(merged)) return std::nullopt;
      if (!parts.empty()) absorb(parts, merged);
      return merged;
    } else {
      return window;
    }
  }
  void absorb(const std::vector<W>& parts, const W& merged) {
    Windows& all = entry();
    Window whole;
    std::vector<TriggerStates> states;
    for (const W& part : parts) {
      Window& kept = all.windows[part];
      content_.merge(whole.content, kept.content);
      states.push_back(kept.trigger);
    }
    Context context(*this, merged, whole.trigger);
    context.merged = std::move(states);
    trigger_->onMerge(merged, context);
    for (const W& part : parts) {
      if (part == merged) continue;
      clear(part, all.windows[part]);
      all.windows.erase(part);
    }
    all.windows[merged] = std::move(whole);
  }
  /// Forgets the trigger's state and the cleanup of a window.
  void clear(const W& window, Window& kept) {
    Context context(*this, window, kept.trigger);
    trigger_->clear(window, context);
    (settings_.event_time ? event_ : processing_)->remove(cleanupTime(window), tagOf(window));
  }

  void apply(TriggerResult result, const W& window, Window& kept) {
    if (isFire(result) && !Content::isEmpty(kept.content)) {
      this->collector_.timestamp = window.maxTimestamp();
      WindowContext<W> context(window, this->timers_, this->sides_, window.maxTimestamp());
      content_.emit(key(), context, kept.content, this->collector_);
    }
    if (isPurge(result)) kept.content = {};
  }
  void onTimer(bool event_time, int64_t time, TimerTag tag) {
    char* payload = keys_->find(*table_);
    if (payload == nullptr) return;
    auto& windows = objectAt<Windows>(payload).windows;
    W window;
    fromTag(tag, window);
    const auto found = windows.find(window);
    if (found == windows.end()) return;
    table_->markDirty(payload);
    Context context(*this, window, found->second.trigger);
    apply(trigger_->onTime(event_time, time, window, context), window, found->second);
    if (event_time != settings_.event_time || time != cleanupTime(window)) return;
    clear(window, found->second);
    windows.erase(found);
    if (windows.empty()) keys_->erase(*table_);
  }
  const K& key() {
    RecordType<K>::of()->decode(keys_->keyColumns(), key_);
    return key_[0];
  }

  const WindowSettings<T, W> settings_;
  Content content_;
  std::unique_ptr<AnyTrigger<T, W>> trigger_;
  StageRuntime* runtime_ = nullptr;
  KeyScope* keys_ = nullptr;
  KeyedTable* table_ = nullptr;
  std::unique_ptr<KeyedTimers> event_;
  std::unique_ptr<KeyedTimers> processing_;
  std::vector<W> assigned_;
  std::vector<K> key_;
};

}  // namespace thalweg::api
