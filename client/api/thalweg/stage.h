// Stage: one user function in a chain, and the ports through which records flow between stages as vectors of T.
//
// Consecutive functions that need no exchange are fused into one chain; inside it a Chunk<T> travels from stage to
// stage without ever becoming columns. A stage has input ports (one, or two for connected streams) and numbered
// outputs: 0 is the main stream, others are side outputs. A watermark comes to a port after the records before it;
// for stages with two inputs it is already the combined one.
//
// LIFE. make → restore? → open → (port calls | wakeup | snapshot)* → endInput per input → finish → close.
// THREAD. One at a time, from the subtask; requestWakeup() from any.
// ERRORS. Whatever a stage throws ends the job; the chain adds the name of the operator that threw.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/columnar/batch.h"
#include "common/config/configuration.h"

namespace thalweg::api {

/// The timestamp of a record that has none.
inline constexpr EventTime kNoTimestamp = kMinWatermark;

/// Records in their order, with event timestamps if the stream has any.
template <typename T>
struct Chunk {
  std::vector<T> records;
  std::vector<EventTime> timestamps;    ///< empty: no record has one; else one per record

  EventTime timestampAt(size_t i) const { return timestamps.empty() ? kNoTimestamp : timestamps[i]; }
  void add(T record, EventTime timestamp) {
    if (timestamp != kNoTimestamp && timestamps.empty()) timestamps.assign(records.size(), kNoTimestamp);
    records.push_back(std::move(record));
    if (!timestamps.empty() || timestamp != kNoTimestamp) timestamps.push_back(timestamp);
  }
  void clear() {
    records.clear();
    timestamps.clear();
  }
  bool empty() const { return records.empty(); }
};

class Port {
 public:
  virtual ~Port() = default;
  virtual void watermark(EventTime value) = 0;
  /// The stream before this port is idle, or back.
  virtual void idle(bool idle) = 0;
};

template <typename T>
class TypedPort : public Port {
 public:
  /// May take records out of `chunk` or change them; the caller throws it away.
  virtual void records(Chunk<T>& chunk) = 0;
};

/// Throws the exception in flight again, as a failure of the named operator if it is not one already.
[[noreturn]] void rethrowFrom(const std::string& operator_name);

/// Where a stage's output goes: any number of ports, in the order they were connected.
class AnyEmitter {
 public:
  virtual ~AnyEmitter() = default;
  virtual void connect(Port& target, const std::string& name) = 0;
  virtual void watermark(EventTime value) = 0;
  virtual void idle(bool idle) = 0;
};

template <typename T>
class Emitter final : public AnyEmitter {
 public:
  void connect(Port& target, const std::string& name) override { targets_.push_back({&static_cast<TypedPort<T>&>(target), &name}); }
  bool isConnected() const { return !targets_.empty(); }

  void records(Chunk<T>& chunk) {
    if (chunk.records.empty()) return;
    for (size_t i = 0; i < targets_.size(); ++i) {
      try {
        if (i + 1 == targets_.size()) {
          targets_[i].port->records(chunk);
        } else {
          Chunk<T> copy = chunk;
          targets_[i].port->records(copy);
        }
      } catch (...) {
        rethrowFrom(*targets_[i].name);
      }
    }
  }
  void watermark(EventTime value) override {
    for (const Target& target : targets_) {
      try {
        target.port->watermark(value);
      } catch (...) {
        rethrowFrom(*target.name);
      }
    }
  }
  void idle(bool idle) override {
    for (const Target& target : targets_) target.port->idle(idle);
  }

 private:
  struct Target {
    TypedPort<T>* port;
    const std::string* name;       // the chain's
  };
  std::vector<Target> targets_;
};

class KeyScope;

/// What a stage knows of its surroundings. Lifetime: outlives close().
class StageRuntime {
 public:
  virtual ~StageRuntime() = default;
  virtual const std::string& name() const = 0;
  virtual int subtaskIndex() const = 0;
  virtual int parallelism() const = 0;
  virtual int maxParallelism() const = 0;
  virtual bool batchMode() const = 0;
  virtual const Configuration& configuration() const = 0;
  virtual int64_t nowMillis() const = 0;
  /// Asks for wakeup() at or after `time_ms`; the earliest request counts. From any thread.
  virtual void requestWakeup(int64_t time_ms) = 0;
  /// Keys and keyed state; null unless the stage stands behind keyBy.
  virtual KeyScope* keys() = 0;
  /// Counts a record that came too late and was dropped.
  virtual void countLate() = 0;
};

class Stage {
 public:
  virtual ~Stage() = default;
  virtual Port& input(int index) = 0;
  /// Null when there is no output of that number.
  virtual AnyEmitter* output(int tag) = 0;
  virtual void open(StageRuntime& runtime) { (void)runtime; }
  virtual void endInput(int input) { (void)input; }
  virtual void finish() {}
  /// Batch mode, keyed: the present key has no more records; its timers are due.
  virtual void endKey() {}
  virtual void wakeup(int64_t now_ms) { (void)now_ms; }
  /// Emit what must precede the barrier.
  virtual void prepareSnapshot() {}
  /// Appends what the stage keeps outside keyed state.
  virtual void snapshot(std::string& out) { (void)out; }
  /// Before open(); bytes that snapshot() wrote.
  virtual void restore(std::string_view bytes) { (void)bytes; }
  /// After a change of parallelism: what restore() of subtask `subtask` is to get of `parts`, the old subtasks' bytes.
  virtual std::string redistribute(const std::vector<std::string_view>& parts, int subtask, int parallelism);
  virtual void checkpointComplete(uint64_t snapshots) { (void)snapshots; }
  virtual bool commitPending() const { return false; }
  /// The input wanted next when several have data; -1: in turn.
  virtual int preferredInput() const { return -1; }
  virtual void close() {}
};

/// The head of a chain that reads: poll() fills what flush() then emits.
class SourceStage : public Stage {
 public:
  enum class Poll : uint8_t { MORE, IDLE, NEED_SPLIT };
  Port& input(int) override;
  virtual void addSplit(std::string split) = 0;
  /// Makes up to about `records_wanted` records; IDLE after requestWakeup().
  virtual Poll poll(size_t records_wanted) = 0;
  virtual size_t pending() const = 0;
  /// Emits what poll() made.
  virtual void flush() = 0;
  virtual void snapshotSplits(std::vector<std::string>& splits) = 0;
};

/// Base of stages with one input of A and a main output of B: passes watermarks and idleness on.
template <typename A, typename B>
class UnaryStage : public Stage, public TypedPort<A> {
 public:
  Port& input(int) override { return *this; }
  AnyEmitter* output(int tag) override { return tag == 0 ? &out_ : nullptr; }
  void watermark(EventTime value) override { out_.watermark(value); }
  void idle(bool idle) override { out_.idle(idle); }

 protected:
  Emitter<B> out_;
};

/// Base of stages that end a stream.
template <typename T>
class TerminalStage : public Stage, public TypedPort<T> {
 public:
  Port& input(int) override { return *this; }
  AnyEmitter* output(int) override { return nullptr; }
  void watermark(EventTime) override {}
  void idle(bool) override {}
};

using StageFactory = std::function<std::unique_ptr<Stage>()>;

}  // namespace thalweg::api
