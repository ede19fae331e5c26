#include "common/checkpoint/checkpoint_folder.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "common/base/failpoint.h"

namespace thalweg {

namespace {

constexpr std::string_view kPrefix = "chk-";

std::optional<int64_t> idOf(std::string_view name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  int64_t id = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return id;
}

Status removeIfThere(FileSystem& files, const std::string& path) {
  const Status status = files.remove(path);
  return status.code() == StatusCode::NOT_FOUND ? Status() : status;
}

bool isComplete(FileSystem& files, const std::string& folder) { return files.stat(joinPath(folder, kManifestName)).isOk(); }

/// The numbered folders, complete or not.
Result<std::vector<StoredCheckpoint>> listFolders(FileSystem& files, const std::string& job_folder) {
  std::vector<StoredCheckpoint> found;
  const auto entries = files.list(job_folder);
  if (entries.status().code() == StatusCode::NOT_FOUND) return found;
  RETURN_IF_ERROR(entries.status());
  for (const FileInfo& entry : *entries) {
    const auto id = idOf(fileNameOf(entry.path));
    if (entry.is_folder && id) found.push_back({*id, entry.path});
  }
  return found;
}

}  // namespace

std::string checkpointFolderName(int64_t checkpoint_id) { return std::string(kPrefix) + std::to_string(checkpoint_id); }

Result<std::vector<StoredCheckpoint>> listCheckpoints(FileSystem& files, const std::string& job_folder) {
  ASSIGN_OR_RETURN(std::vector<StoredCheckpoint> found, listFolders(files, job_folder));
  std::erase_if(found, [&](const StoredCheckpoint& each) { return !isComplete(files, each.folder); });
  std::sort(found.begin(), found.end(), [](const StoredCheckpoint& a, const StoredCheckpoint& b) { return a.id > b.id; });
  return found;
}

Status removeIncomplete(FileSystem& files, const std::string& job_folder) {
  ASSIGN_OR_RETURN(const std::vector<StoredCheckpoint> found, listFolders(files, job_folder));
  for (const StoredCheckpoint& each : found) {
    if (!isComplete(files, each.folder)) RETURN_IF_ERROR(removeCheckpoint(files, each.folder));
  }
  return {};
}

Status removeCheckpoint(FileSystem& files, const std::string& folder) {
  RETURN_IF_ERROR(THALWEG_FAILPOINT("checkpoint.before_removal"));
  RETURN_IF_ERROR(removeIfThere(files, joinPath(folder, kManifestName)));
  const auto entries = files.list(folder);
  if (entries.status().code() == StatusCode::NOT_FOUND) return {};
  RETURN_IF_ERROR(entries.status());
  for (const FileInfo& entry : *entries) {
    if (!entry.is_folder) RETURN_IF_ERROR(removeIfThere(files, entry.path));
  }
  return removeIfThere(files, folder);
}

}  // namespace thalweg
