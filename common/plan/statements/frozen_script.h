// FrozenScript: a SQL job as it is shipped to other processes — everything from which each plans the same graph again.
//
// Values are those of the session that submitted it, at that moment. Why a script and not a plan:
// docs/decisions/0003-sql-jobs-travel-as-frozen-scripts.md. Threads: a value.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace thalweg {

struct FrozenScript {
  std::map<std::string, std::string> configuration = {};
  std::vector<std::string> definitions = {};    ///< statements that made the catalog what it was, in their order
  std::string statement = {};                   ///< the job: a query, INSERT, statement set, CREATE TABLE AS
  int64_t plan_time_ms = 0;                     ///< what the planner calls now
  uint64_t random_seed = 0;
  std::string working_directory = {};           ///< where relative paths start
  std::string name = {};                        ///< of the job, for people

  static constexpr size_t kBytesMax = size_t{16} << 20;   ///< of all texts together
  size_t bytes() const;
};

}  // namespace thalweg
