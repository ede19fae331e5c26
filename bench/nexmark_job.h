// One Nexmark query, run in this process: the query's script with its variables filled in, its last job measured.
//
// A script is bench/nexmark/<query>.sql behind tables.sql. `${events}`, `${rate}`, `${all}` and `${folder}` (a fresh one) are
// replaced. Its line `-- Reads: …` names what it needs of the source, for runs of the source alone.
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
  int64_t events = 20'000'000;
  int64_t rate = 100'000;        ///< of event time
  int parallelism = 2;
  int repeat = 1;                ///< the cheapest of so many runs counts
  bool mini_batch = false;
  bool source_only = false;      ///< only make the columns that the query reads
  bool all_columns = false;      ///< the source makes every column, read or not
};

/// The JSON line of one query.
Result<std::string> runNexmarkQuery(const NexmarkOptions& options, const std::string& query);

}  // namespace thalweg::bench
