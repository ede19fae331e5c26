// One Nexmark query, run in this process: the query's script with its variables filled in, its last job measured.
//
// A script is bench/nexmark/<query>.sql behind tables.sql. `${events}`, `${rate}`, `${all}` and `${folder}` (a fresh one) are
// replaced. Its line `-- Reads: …` names what it needs of the source, for runs of the source alone.
// With `from`, from_<format>.sql comes between: it writes the events to files first, which is not measured, and reads them.
// On two processes the checksum stays with the tasks, so none is printed, and the checkpoints' figures are the coordinator's.
// With checkpoints they go to the run's own folder, exactly once, and state is kept in two tiers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/status.h"

namespace thalweg::bench {

struct NexmarkOptions {
  std::vector<std::string> queries;
  std::string folder = "bench/nexmark";
  std::string results = "bench/results/nexmark.jsonl";
  std::string peer;              ///< command that runs `query:events …` on another engine
  std::string only;              ///< run this query in this process and print its line
  std::string from;              ///< csv, json: the events come from a file; empty: from the generator
  int64_t events = 20'000'000;
  int64_t rate = 100'000;        ///< of event time
  int parallelism = 2;
  int processes = 1;             ///< 2: on a cluster of two workers of this machine; all its processes count
  int repeat = 1;                ///< the cheapest of so many runs counts
  bool mini_batch = false;
  bool source_only = false;      ///< only make the columns that the query reads
  bool all_columns = false;      ///< the source makes every column, read or not
  int64_t checkpoint_interval_ms = 0;      ///< 0: none are taken
  int checkpoints = 0;           ///< the interval is shortened until at least so many complete
  std::string memory = "1024 mb";          ///< what a process with checkpoints keeps to
  std::vector<std::string> settings;       ///< more `key=value`
  std::string keep_files_in;     ///< the folder of the run's files; empty: a fresh one, gone with the run
  bool paced = false;            ///< events come at `rate`, by the clock; their event time is when they are due
  int64_t watermark_delay_ms = 0;          ///< of latencies: rows are due so long after their time, when the watermark reaches it
  bool split = false;            ///< sample where the CPU time goes; the run costs a little more for it
  bool beside = false;           ///< also run the source alone, and with every column
};

/// The JSON line of one query.
Result<std::string> runNexmarkQuery(const NexmarkOptions& options, const std::string& query);

}  // namespace thalweg::bench
