#include "worker/connectors/filesystem/file_sink_output.h"

#include <algorithm>
#include <charconv>

#include "worker/connectors/split_list.h"

namespace thalweg::worker {

std::string StagedOutput::encode() const {
  std::vector<std::string> paths;
  for (const PendingPart& part : parts) {
    paths.push_back(part.hidden_path);
    paths.push_back(part.final_path);
  }
  return encodeFields({encodeFields(paths), encodeFields(old_files), encodeFields(complete_folders), creates_folder ? "1" : "0"});
}

Result<StagedOutput> StagedOutput::decode(std::string_view bytes) {
  ASSIGN_OR_RETURN(const auto fields, decodeFields(bytes, 4, "staged output"));
  StagedOutput output;
  ASSIGN_OR_RETURN(const auto paths, decodeFields(fields[0]));
  if (paths.size() % 2 != 0) return Status::internal("expected pairs of paths in staged output");
  for (size_t i = 0; i < paths.size(); i += 2) output.parts.push_back({paths[i], paths[i + 1]});
  ASSIGN_OR_RETURN(output.old_files, decodeFields(fields[1]));
  ASSIGN_OR_RETURN(output.complete_folders, decodeFields(fields[2]));
  output.creates_folder = fields[3] == "1";
  return output;
}

std::string OpenOutput::encode() const {
  std::vector<std::string> part_fields;
  for (const Part& part : parts) {
    part_fields.push_back(encodeFields({part.partition, part.paths.hidden_path, part.paths.final_path, std::to_string(part.size_bytes),
                                        std::to_string(part.created_ms)}));
  }
  std::vector<std::string> waiting;
  for (const auto& [partition, since_ms] : partitions) {
    waiting.push_back(partition);
    waiting.push_back(std::to_string(since_ms));
  }
  return encodeFields({name, encodeFields(part_fields), encodeFields(waiting)});
}

Result<OpenOutput> OpenOutput::decode(std::string_view bytes) {
  ASSIGN_OR_RETURN(const auto fields, decodeFields(bytes, 3, "output under way"));
  OpenOutput output;
  output.name = fields[0];
  ASSIGN_OR_RETURN(const auto parts, decodeFields(fields[1]));
  for (const std::string& part : parts) {
    ASSIGN_OR_RETURN(const auto values, decodeFields(part, 5, "file under way"));
    ASSIGN_OR_RETURN(const int64_t size_bytes, decodeNumber(values[3], "size"));
    ASSIGN_OR_RETURN(const int64_t created_ms, decodeNumber(values[4], "time"));
    output.parts.push_back({values[0], {values[1], values[2]}, size_bytes, created_ms});
  }
  ASSIGN_OR_RETURN(const auto waiting, decodeFields(fields[2]));
  if (waiting.size() % 2 != 0) return Status::internal("expected pairs of partition and time in output under way");
  for (size_t i = 0; i < waiting.size(); i += 2) {
    ASSIGN_OR_RETURN(output.partitions[waiting[i]], decodeNumber(waiting[i + 1], "time"));
  }
  return output;
}

Status removeUncommitted(FileSystem& files, const std::string& folder, const std::vector<std::string>& names, const std::set<std::string>& kept) {
  const auto found = files.list(folder);
  if (found.status().code() == StatusCode::NOT_FOUND) return {};
  RETURN_IF_ERROR(found.status());
  for (const FileInfo& file : *found) {
    if (file.is_folder) {
      RETURN_IF_ERROR(removeUncommitted(files, file.path, names, kept));
      continue;
    }
    const std::string_view name = fileNameOf(file.path);
    const bool is_ours = std::any_of(names.begin(), names.end(), [&](const std::string& each) { return name.starts_with("." + each); });
    if (!is_ours || !name.ends_with(".inprogress") || kept.contains(file.path)) continue;
    if (const Status status = files.remove(file.path); !status.isOk() && status.code() != StatusCode::NOT_FOUND) return status;
  }
  return {};
}

namespace {

/// The subtask in `.part-<uuid>-<subtask>-<number>.inprogress`; -1 if it is not such a name.
int subtaskOf(std::string_view name) {
  constexpr size_t kUuidLength = 36;
  constexpr std::string_view kBegin = ".part-";
  if (!name.starts_with(kBegin) || !name.ends_with(".inprogress") || name.size() <= kBegin.size() + kUuidLength + 1) return -1;
  name.remove_prefix(kBegin.size() + kUuidLength);
  int subtask = -1;
  if (!name.starts_with('-')) return -1;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), subtask);
  return error == std::errc() && *end == '-' ? subtask : -1;
}

}  // namespace

Status removeOrphans(FileSystem& files, const std::string& folder, const std::string& prefix, int subtask, int parallelism,
                     const std::set<std::string>& kept, const std::string& own) {
  const auto found = files.list(folder);
  if (found.status().code() == StatusCode::NOT_FOUND) return {};
  RETURN_IF_ERROR(found.status());
  for (const FileInfo& file : *found) {
    if (file.is_folder) {
      RETURN_IF_ERROR(removeOrphans(files, file.path, prefix, subtask, parallelism, kept, own));
      continue;
    }
    const std::string_view name = fileNameOf(file.path);
    const int of = subtaskOf(name);
    const bool is_ours = name.starts_with("." + prefix) && of >= 0 && of % parallelism == subtask;     // as output is dealt out
    if (!is_ours || kept.contains(file.path) || (!own.empty() && name.starts_with("." + own))) continue;
    if (const Status status = files.remove(file.path); !status.isOk() && status.code() != StatusCode::NOT_FOUND) return status;
  }
  return {};
}

}  // namespace thalweg::worker
