// What a file sink has written and not yet shown, as checkpoints remember it.
//
// Room: worker/connectors/filesystem. Values; their bytes are encoded fields (worker/connectors/split_list.h).
// Errors: INTERNAL for bytes that are none.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "worker/connectors/filesystem/part_file.h"

namespace thalweg::worker {

/// What stage() leaves to commit(): parts to show, old files to remove, partitions to mark as complete.
struct StagedOutput {
  std::vector<PendingPart> parts;
  std::vector<std::string> old_files;
  std::vector<std::string> complete_folders;
  bool creates_folder = false;

  bool empty() const { return parts.empty() && old_files.empty() && complete_folders.empty() && !creates_folder; }
  std::string encode() const;
  static Result<StagedOutput> decode(std::string_view bytes);
};

/// What a snapshot remembers of output under way: the names this attempt gives files, files that go on, partitions that
/// are not complete.
struct OpenOutput {
  struct Part {
    std::string partition;
    PendingPart paths;
    int64_t size_bytes = 0;
    int64_t created_ms = 0;
  };
  std::string name;
  std::vector<Part> parts;
  std::map<std::string, int64_t> partitions;     ///< waiting for their commit, and since when

  std::string encode() const;
  static Result<OpenOutput> decode(std::string_view bytes);
};

/// Removes hidden files below `folder` that writers with these names left, but for `kept`: no checkpoint knows them.
Status removeUncommitted(FileSystem& files, const std::string& folder, const std::vector<std::string>& names, const std::set<std::string>& kept);

/// Removes hidden files below `folder` whose names begin with `prefix` and that earlier attempts left which nobody remembers:
/// those of their subtasks whose output `subtask` takes over; but for `kept` and those whose names begin with `own`.
Status removeOrphans(FileSystem& files, const std::string& folder, const std::string& prefix, int subtask, int parallelism,
                     const std::set<std::string>& kept = {}, const std::string& own = {});

}  // namespace thalweg::worker
