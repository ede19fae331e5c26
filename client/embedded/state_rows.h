// The keyed state of a job's operators as rows: what the job's script says that they mean.
//
//   ASSIGN_OR_RETURN(const PlannedOperators planned, plannedOperators(script, manifest));
//   ASSIGN_OR_RETURN(StateRowWriter writer, StateRowWriter::make(table, StateFormat::CSV, out));
//   RETURN_IF_ERROR(writer.write(subtask, fixed_keys, entry));
//
// Errors: INVALID_ARGUMENT for a script of another job, or bytes of another operator. Threads: one owner.
#pragma once

#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "client/embedded/state_listing.h"
#include "common/checkpoint/checkpoint_manifest.h"
#include "common/formats/format_encoder.h"
#include "common/plan/plan_node.h"
#include "worker/operators/state_view.h"
#include "worker/state/table_snapshot.h"

namespace thalweg::client {

/// By uid.
using PlannedOperators = std::map<std::string, PlanNodePtr>;

/// Of the job in the script that has most of the checkpoint's operators. Nothing of the script is run. None without a script.
Result<PlannedOperators> plannedOperators(const std::string& script, const CheckpointManifest& manifest);
/// Nothing where they are not known.
std::vector<worker::StateTableView> tablesOf(const PlannedOperators& planned, const std::string& uid);

std::string csvCell(const std::string& text);

/// Writes the entries of a table as rows. Columns of ours begin with an underscore. Lifetime: borrows table and stream.
class StateRowWriter {
 public:
  static Result<StateRowWriter> make(const worker::StateTableView& table, StateFormat format, std::ostream& out);
  Status write(size_t subtask, bool fixed_keys, const worker::StoredTableEntry& entry);

 private:
  StateRowWriter(const worker::StateTableView& table, bool with_keys, std::unique_ptr<FormatEncoder> encoder, std::ostream& out)
      : table_(&table), with_keys_(with_keys), encoder_(std::move(encoder)), out_(&out) {}

  const worker::StateTableView* table_;
  bool with_keys_;                       // rows that are kept whole hold theirs
  std::unique_ptr<FormatEncoder> encoder_;
  std::ostream* out_;
};

}  // namespace thalweg::client
