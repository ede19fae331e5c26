// StatementSet: several INSERTs that run as one job and share what they read.
//
//   tEnv.createStatementSet().addInsert("Out", table).addInsertSql("INSERT INTO Out2 SELECT * FROM T").execute();
// Errors: ValidationException from add…(), as the statement alone would give. Threads: one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "client/api/thalweg/table.h"

namespace thalweg::api {

struct EnvironmentState;

class StatementSet {
 public:
  explicit StatementSet(std::shared_ptr<EnvironmentState> environment) : environment_(std::move(environment)) {}
  StatementSet& add(const TablePipeline& pipeline);
  StatementSet& addInsert(std::string_view path, const Table& table, bool overwrite = false);
  StatementSet& addInsert(const TableDescriptor& descriptor, const Table& table, bool overwrite = false);
  StatementSet& addInsertSql(std::string_view sql);
  std::string explain() const;
  /// Starts the job; the set is empty then.
  TableResult execute();

 protected:
  std::shared_ptr<EnvironmentState> environment_;
  std::vector<std::shared_ptr<const void>> sinks_;
};

}  // namespace thalweg::api
