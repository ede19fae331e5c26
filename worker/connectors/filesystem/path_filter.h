// PathFilter: the conditions of a scan (SourceSpec::filter) that a file's path and attributes decide. Folders and files for which one of them is
// not TRUE are left out, unlisted and unread.
//
// A condition is judged as soon as the folders tell all that it reads: `WHERE day = …` leaves out whole days. One that
// fails leaves nothing out; it stands above the scan as well.
// Errors: those of PathValue, naming the path. Threads: one owner.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/expr/evaluator.h"
#include "worker/connectors/filesystem/path_value.h"

namespace thalweg::worker {

class PathFilter {
 public:
  /// `root`: the table's folder.
  static Result<PathFilter> of(const SourceSpec& spec, const std::string& root);

  bool any() const { return !conditions_.empty(); }
  /// Whether files below may be wanted.
  Result<bool> admitsFolder(const std::string& path);
  Result<bool> admitsFile(const FileInfo& file);

 private:
  struct Condition {
    std::vector<PathValue> columns;               // what it reads, in this order
    std::unique_ptr<ExprProgram> program;
  };

  Result<bool> admits(const FileSplit& file, const PartitionValues& partition, bool folder);

  std::string root_;
  TimeZone zone_;
  std::vector<Condition> conditions_;
};

}  // namespace thalweg::worker
