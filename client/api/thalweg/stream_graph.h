// StreamGraph: what an environment's program has built so far — functions and table sub-plans, joined by streams.
//
// Handles (DataStream and its kin) add nodes; execute() turns those that were added since the last execute(), and all
// that they read from, into one job. Nodes stay, so a stream can be used again after its job ran.
//
// TABLES. A table sub-plan is one node: its plan reads stream inputs as scans of connector `datastream` with the
// option `input` = number of the node's input, and its one CollectSpec sink (if any) is the node's output 0. Records
// cross as the columns of the edge's link; timestamps, row kinds and watermark marks travel in the batches.
// Threads: one. Lifetime: shared by environment and handles.
#pragma once

#include <any>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/api/thalweg/stage.h"
#include "client/api/thalweg/stream_link.h"
#include "client/api/thalweg/watermark_alignment.h"
#include "common/config/configuration.h"
#include "common/runtime_api/source.h"

namespace thalweg::api {

struct StreamEdge {
  int node = -1;                    ///< that emits
  int tag = 0;                      ///< which of its outputs
  Partition partition = Partition::ANY;
  StreamLinkPtr link;
};

/// A planned table query (a JobGraph), seen by table_bridge.cc and the translator only.
struct TableSubPlan;
struct SideOutputList;

struct StreamNode {
  int id = 0;
  std::string name;                                ///< for people: `Map`, `Sink: Print to Std. Out`
  std::string uid;                                 ///< empty: made from id and name
  int parallelism = 0;                             ///< 0: the environment's
  int max_parallelism = 0;
  int parallelism_max = 0;                         ///< > 0: the operator can only run with so many
  bool belongs_to_input = false;                   ///< part of the operator before it: settings are that one's
  bool chain_to_input = true;                      ///< false: startNewChain(), disableChaining()
  bool chain_output = true;
  std::string slot_group;
  std::vector<std::vector<StreamEdge>> inputs;     ///< per input of the stage the edges that feed it; empty: a source
  StageFactory make_stage;                         ///< a SourceStage if there are no inputs
  std::vector<std::string> splits;                 ///< of a source: given to whoever asks
  std::function<Result<std::unique_ptr<thalweg::SplitEnumerator>>()> make_enumerator;   ///< of a source: instead of `splits`
  bool bounded = true;                             ///< of a source
  std::vector<std::shared_ptr<const AnyRecordType>> types;   ///< per output
  std::shared_ptr<const TableSubPlan> table;       ///< instead of make_stage
  std::shared_ptr<SideOutputList> sides;           ///< those of its side outputs that are read
  std::optional<WatermarkAlignment> alignment = {};  ///< of a source
  bool collects = false;                           ///< gives its records to the program: in the program's process, wherever the job is
};

class StreamGraph {
 public:
  Configuration configuration;
  int parallelism = 0;                             ///< 0: parallelism.default
  int max_parallelism = 0;
  bool chaining = true;
  int jobs_started = 0;

  int add(StreamNode node);
  StreamNode& node(int id) { return nodes_.at(static_cast<size_t>(id)); }
  const StreamNode& node(int id) const { return nodes_.at(static_cast<size_t>(id)); }
  /// The nodes of the next job, ascending: those added since the last clear, and what they read from.
  std::vector<int> pending() const;
  bool hasPending() const { return !pending_.empty(); }
  void clearPending() { pending_.clear(); }
  /// For streams that only a consumer makes worth running (tables nobody reads).
  void forget(int id);
  /// Makes source `id` a member of its group, and tells `alignment` so.
  void align(int id, WatermarkAlignment& alignment);
  bool isBatch() const;
  int defaultParallelism() const;

 private:
  std::vector<StreamNode> nodes_;
  std::vector<int> pending_;
  std::map<std::string, std::shared_ptr<AlignmentGroup>> alignment_groups_;
};

/// A job that runs, or has run. Lifetime: destroying the last handle does not end it.
class JobClient {
 public:
  struct Impl;
  explicit JobClient(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  /// Until the job has ended; throws JobExecutionException if it failed.
  void getJobExecutionResult();
  bool isDone() const;
  /// Of a job that runs in other processes and collects: gives its collecting stage, which is here, the next records, waiting
  /// for them. False: there are no more, or nobody brings any because the job runs here.
  bool receiveRecords();
  /// Whether records have to be received.
  bool runsHere() const;
  /// In a task process of a later job of the program: this one has neither records nor an end here.
  bool isElsewhere() const;
  void cancel();
  /// Writes a savepoint below `folder` (empty: 'execution.checkpointing.savepoint-dir') and gives its path.
  std::string triggerSavepoint(const std::string& folder = "");
  /// The same, and ends the job; start again from it with 'execution.state-recovery.path'.
  std::string stopWithSavepoint(const std::string& folder = "");
  std::string getJobName() const;
  /// Calls `then` once the job has ended, at once if it has, on some thread.
  void whenEnded(std::function<void()> then);

 private:
  std::shared_ptr<Impl> impl_;
};

/// Starts the pending part of `graph` as one job, and clears it.
JobClient startJob(StreamGraph& graph, const std::string& name);

}  // namespace thalweg::api
