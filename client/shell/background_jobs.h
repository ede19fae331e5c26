// BackgroundJobs: the jobs that a shell or script has started and does not wait for, as SHOW JOBS and STOP JOB see them.
//
// A job is called by its number, or by its id or the beginning of it.
// Threads: one. Errors: NOT_FOUND for names of no job, NOT_SUPPORTED for what jobs elsewhere cannot do.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "client/embedded/sql_engine.h"
#include "common/sql/ast_session.h"

namespace thalweg::shell {

class BackgroundJobs {
 public:
  struct Entry {
    int number = 0;
    std::string id;
    std::string name;
    int64_t start_ms = 0;
    std::shared_ptr<client::JobHandle> job;
    std::shared_ptr<client::EmbeddedJob> embedded = nullptr;   ///< `job`, if it runs in this process
    std::string text = {};                                     ///< the statement: what positions of its failure are in
    bool stopped = false;                                      ///< on demand: its end is no failure
    bool reported = false;                                     ///< its end has been shown
  };

  void add(Entry entry) { entries_.push_back(std::move(entry)); }
  std::vector<Entry>& entries() { return entries_; }

  /// SHOW JOBS, and DESCRIBE JOB with a name; with the reasons if jobs have failed.
  Result<client::StatementOutcome> list(const std::string& name = {}) const;
  /// STOP JOB: with a savepoint its path, else OK once the job has ended.
  Result<client::StatementOutcome> stop(const sql::StopJobStatement& stop);

 private:
  Result<size_t> find(const std::string& name) const;

  std::vector<Entry> entries_;
};

}  // namespace thalweg::shell
