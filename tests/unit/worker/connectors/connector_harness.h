// Runs sources and sinks without an engine: a folder of its own for each test, readers drained split by split, writers
// fed, staged and committed.
#pragma once

#include <string>
#include <vector>

#include "tests/support/operator_harness.h"
#include "tests/support/temporary_folder.h"
#include "worker/connectors/connector_registry.h"

namespace thalweg::testing {

/// A folder with what sources read or sinks wrote.
class TestFolder : public TemporaryFolder {
 public:
  void write(const std::string& name, std::string_view text) const;
  /// All visible files below, as `name: content`, sorted; part names are cut to `part-…-<subtask>-<number>`.
  std::vector<std::string> files() const;
  /// How many hidden files stand below.
  size_t hiddenFiles() const;
};

struct SourceRun {
  int parallelism = 1;
  size_t rows_wanted = 8192;
  /// Snapshots the reader after every poll and goes on with a fresh one.
  bool restores = false;
};

struct SourceResult {
  std::vector<std::string> rows;   ///< as the operator harness prints them
  std::string error;
  uint64_t skipped = 0;
};

/// Reads a bounded source to its end; readers take turns at the enumerator.
SourceResult readSource(const SourceSpec& spec, const SourceRun& run = {});
/// A spec that reads all physical columns.
SourceSpec sourceOf(const std::string& connector, const Schema& physical, const OptionMap& options);

/// Writes `batches`, finishes and commits; the first failure's message.
std::string writeSink(const SinkSpec& spec, const std::vector<Batch>& batches);
SinkSpec sinkOf(const std::string& connector, const Schema& schema, const OptionMap& options);

}  // namespace thalweg::testing
