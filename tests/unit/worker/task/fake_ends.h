// Sources and sinks for the tests of the task room.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "common/runtime_api/source.h"
#include "tests/unit/worker/task/fake_operators.h"
#include "worker/task/task_graph.h"

namespace thalweg::worker {

/// A source of rows (number % keys, number). Splits are `next end`; numbers are dealt out in splits of `split_rows`.
struct NumberSource {
  int64_t rows = 0;
  int32_t keys = 10;
  int64_t split_rows = 1000;
  std::function<bool(int64_t number)> ready = nullptr;   ///< asked before each row; false: IDLE, again 1 ms later
};
SourceNode numberSource(NumberSource source, int64_t idle_timeout_ms = 0);

/// What reached a sink, over all its subtasks.
struct Collected {
  std::mutex mutex;
  std::vector<Pair> rows;
  std::vector<int> subtask_of_row;
  std::map<int, std::vector<EventTime>> watermarks;      ///< per subtask
  std::map<int, size_t> largest_batch;                   ///< per subtask
  std::atomic<int> open{0};                              ///< instances open now
  std::atomic<int> opened{0};
  std::atomic<int> finished{0};
  std::atomic<int> committed{0};                         ///< onCheckpointComplete(kEverything)
  std::atomic<uint64_t> confirmed{0};                    ///< onCheckpointComplete(n)

  std::map<int32_t, int64_t> lastPerKey();
  size_t size();
};

struct SinkBehaviour {
  std::function<Status(const Batch&)> on_batch = nullptr;
  bool commits = false;
};
OperatorNode collectSink(std::shared_ptr<Collected> into, SinkBehaviour behaviour = {}, std::string uid = "sink");

template <typename T, typename... Arguments>
OperatorNode operatorNode(std::string uid, Arguments... arguments) {
  return {uid, uid, [=]() -> Result<std::unique_ptr<Operator>> { return std::make_unique<T>(arguments...); }};
}

/// Puts a mark with the number after every row that raises it.
class NumberWatermarkOperator : public Operator {
 public:
  Status open(OperatorContext&) override { return {}; }
  Result<Progress> process(int, const Batch& batch, Output& output) override;

 private:
  EventTime largest_ = kMinWatermark;
};

}  // namespace thalweg::worker
