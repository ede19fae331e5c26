#include "common/checkpoint/checkpoint_writer.h"

#include "common/base/failpoint.h"
#include "common/base/hash.h"
#include "common/checkpoint/checkpoint_folder.h"

namespace thalweg {

namespace {

constexpr std::string_view kDataName = "state-0";
constexpr std::string_view kDataHead{"TWSD\1\0\0\0", 8};
constexpr std::string_view kHiddenManifestName = "._metadata.inprogress";

/// The folders that get a new entry when `folder` is made.
std::vector<std::string> parentsOf(FileSystem& files, const std::string& folder) {
  std::vector<std::string> parents = {folderOf(folder)};
  while (!files.stat(parents.back()).isOk() && parents.back() != "/") parents.push_back(folderOf(parents.back()));
  return parents;
}

}  // namespace

Result<std::unique_ptr<CheckpointWriter>> CheckpointWriter::create(FileSystem& files, std::string folder) {
  if (files.stat(joinPath(folder, kManifestName)).isOk()) {
    return Status::invalid("expected a free name for a checkpoint, found one in '" + folder + "'");
  }
  std::vector<std::string> parents = parentsOf(files, folder);
  RETURN_IF_ERROR(files.createFolders(folder));
  return std::unique_ptr<CheckpointWriter>(new CheckpointWriter(files, std::move(folder), std::string(kDataName), std::move(parents), false));
}

Result<std::unique_ptr<CheckpointWriter>> CheckpointWriter::createPart(FileSystem& files, std::string folder, std::string data_name) {
  std::vector<std::string> parents;
  if (!folder.empty()) {
    parents = parentsOf(files, folder);
    RETURN_IF_ERROR(files.createFolders(folder));
  }
  return std::unique_ptr<CheckpointWriter>(new CheckpointWriter(files, std::move(folder), std::move(data_name), std::move(parents), true));
}

CheckpointWriter::~CheckpointWriter() {
  if (finished_ || folder_.empty()) return;
  const bool has_data = data_ != nullptr;
  data_.reset();
  if (is_part_) {
    if (has_data) (void)files_.remove(joinPath(folder_, data_name_));
    for (const std::string& path : new_files_) (void)files_.remove(path);
    return;
  }
  (void)removeCheckpoint(files_, folder_);          // what stays behind is no checkpoint, and removed by the next start
}

Status CheckpointWriter::openData() {
  ASSIGN_OR_RETURN(data_, files_.create(joinPath(folder_, data_name_)));
  data_bytes_ = kDataHead.size();
  return data_->append(kDataHead);
}

Result<StoredBytes> CheckpointWriter::add(std::string_view bytes) {
  StoredBytes stored;
  stored.size_bytes = bytes.size();
  if (folder_.empty() && bytes.size() > kPieceBytesMax) {
    return Status::exhausted("state of " + std::to_string(bytes.size()) + " bytes is too large to be kept with the coordinator, which takes up to " +
                             std::to_string(kPieceBytesMax) + " of a subtask; set 'execution.checkpointing.dir' to a folder that all workers share");
  }
  if (folder_.empty() || bytes.size() <= kInlineBytesMax) {
    stored.inlined = bytes;
    return stored;
  }
  if (!data_) RETURN_IF_ERROR(openData());
  stored.file = 0;
  stored.offset = data_bytes_;
  stored.hash = hashBytes(bytes);
  RETURN_IF_ERROR(data_->append(bytes));
  data_bytes_ += bytes.size();
  return stored;
}

CheckpointWriter::NewFile CheckpointWriter::newFile() {
  std::string name = data_name_ + "-run-" + std::to_string(new_files_.size());
  std::string path = joinPath(folder_, name);
  new_files_.push_back(path);
  return {std::move(name), std::move(path)};
}

Status CheckpointWriter::closeData(CheckpointManifest& manifest) {
  if (!data_) return {};
  RETURN_IF_ERROR(THALWEG_FAILPOINT("checkpoint.data_written"));
  if (!THALWEG_MUTANT("no_data_sync")) RETURN_IF_ERROR(data_->sync());
  RETURN_IF_ERROR(data_->close());
  data_.reset();
  manifest.files.insert(manifest.files.begin(), {data_name_, data_bytes_});      // StoredBytes name it as 0
  for (auto& op : manifest.operators) {
    for (auto& part : op.parts) {
      for (int64_t& file : part.runs) ++file;
    }
  }
  return {};
}

Status CheckpointWriter::seal(CheckpointManifest& manifest) {
  RETURN_IF_ERROR(closeData(manifest));
  finished_ = true;
  if (folder_.empty()) return {};
  RETURN_IF_ERROR(files_.syncFolder(folder_));
  for (const std::string& parent : parents_) RETURN_IF_ERROR(files_.syncFolder(parent));
  return {};
}

Status CheckpointWriter::finish(CheckpointManifest& manifest) {
  RETURN_IF_ERROR(closeData(manifest));
  RETURN_IF_ERROR(THALWEG_FAILPOINT("checkpoint.before_manifest"));
  RETURN_IF_ERROR(writeManifest(encodeManifest(manifest)));
  finished_ = true;
  return {};
}

Status CheckpointWriter::writeManifest(const std::string& bytes) {
  const std::string hidden = joinPath(folder_, kHiddenManifestName);
  ASSIGN_OR_RETURN(const auto file, files_.create(hidden));
  RETURN_IF_ERROR(file->append(bytes));
  if (!THALWEG_MUTANT("no_manifest_sync")) RETURN_IF_ERROR(file->sync());
  RETURN_IF_ERROR(file->close());
  // The folder must be found again, and its data in it, before the manifest says so.
  RETURN_IF_ERROR(files_.syncFolder(folder_));
  for (const std::string& parent : parents_) {
    if (!THALWEG_MUTANT("no_parent_sync")) RETURN_IF_ERROR(files_.syncFolder(parent));
  }
  RETURN_IF_ERROR(THALWEG_FAILPOINT("checkpoint.manifest_written"));
  RETURN_IF_ERROR(files_.rename(hidden, joinPath(folder_, kManifestName)));
  RETURN_IF_ERROR(THALWEG_FAILPOINT("checkpoint.renamed"));
  return THALWEG_MUTANT("no_folder_sync") ? Status() : files_.syncFolder(folder_);
}

}  // namespace thalweg
