// UserChain: fused user stages as one engine operator.
//
// Columns become records at its entries and records become columns at its exits; between them stages call each other.
// A chain that reads has a SourceStage as its head: the reader next to it polls that stage and emits bare row counts,
// on which the operator lets the stage emit what it made.
// Threads and lifetime: as Operator. Errors: what stages throw becomes a RUNTIME_ERROR that names the operator.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/api/key_runs.h"
#include "client/api/thalweg/stream_graph.h"
#include "common/runtime_api/operator.h"
#include "common/runtime_api/source.h"

namespace thalweg::api {

struct ChainPlan {
  struct From {
    int stage = 0;                            ///< position in `stages`
    int tag = 0;
  };
  struct Member {
    std::string name;
    std::string uid;
    StageFactory make;
    std::vector<From> from = {};              ///< who feeds it; empty for the head
    std::optional<WatermarkAlignment> alignment = {};    ///< of a source that waits for others
  };
  struct Leaving {
    int stage = 0;
    int tag = 0;
    StreamLinkPtr link;
    int receivers = 1;
  };
  std::vector<Member> stages;                 ///< head first, feeders before fed
  std::vector<StreamLinkPtr> entries;         ///< per input of the head; empty: it reads
  std::vector<Leaving> exits;                 ///< output k of the task is exits[k]
};

class UserChain final : public Operator {
 public:
  explicit UserChain(std::shared_ptr<const ChainPlan> plan);
  ~UserChain() override;

  Status open(OperatorContext& context) override;
  Result<Progress> process(int input, const Batch& batch, Output& output) override;
  Result<Progress> onWakeup(int64_t now_ms, Output& output) override;
  Result<Progress> endInput(int input, Output& output) override;
  Result<Progress> finish(Output& output) override;
  Result<Progress> prepareSnapshot(Output& output) override;
  Status snapshot(std::string& out) override;
  Result<std::string> redistribute(std::span<const std::string_view> parts, int subtask, int parallelism) override;
  Status onCheckpointComplete(uint64_t snapshots) override;
  bool commitPending() const override;
  void close() override;
  int preferredInput() const override;

  /// The reader of a chain that reads. Lifetime: borrows the chain.
  std::unique_ptr<SourceReader> makeReader();

 private:
  struct Slot;
  class Reader;
  template <typename Call>
  Status guarded(const std::string& name, Call&& call);
  template <typename Call>
  Status forEachStage(Call&& call);
  Status restore(const std::string& bytes);
  void connect();
  Status feedByKey();
  Status flush(Output& output);
  Result<Progress> flushed(Output& output);
  void renewWakeup();

  std::shared_ptr<const ChainPlan> plan_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<std::unique_ptr<Exit>> exits_;
  std::unique_ptr<KeyScope> keys_;
  std::unique_ptr<KeyRuns> runs_;            // batch mode, keyed
  OperatorContext* context_ = nullptr;
};

}  // namespace thalweg::api
