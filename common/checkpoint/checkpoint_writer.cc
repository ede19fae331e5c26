#include "common/checkpoint/checkpoint_writer.h"

#include "common/base/failpoint.h"
#include "common/base/hash.h"
#include "common/checkpoint/checkpoint_folder.h"

namespace thalweg {

namespace {

constexpr std::string_view kDataName = "state-0";
constexpr std::string_view kDataHead{"TWSD\1\0\0\0", 8};
constexpr std::string_view kHiddenManifestName = "._metadata.inprogress";

}  // namespace

Result<std::unique_ptr<CheckpointWriter>> CheckpointWriter::create(FileSystem& files, std::string folder) {
  if (files.stat(joinPath(folder, kManifestName)).isOk()) {
    return Status::invalid("expected a free name for a checkpoint, found one in '" + folder + "'");
  }
  std::vector<std::string> parents = {folderOf(folder)};
  while (!files.stat(parents.back()).isOk() && parents.back() != "/") parents.push_back(folderOf(parents.back()));
  RETURN_IF_ERROR(files.createFolders(folder));
  return std::unique_ptr<CheckpointWriter>(new CheckpointWriter(files, std::move(folder), std::move(parents)));
}

CheckpointWriter::~CheckpointWriter() {
  if (finished_) return;
  data_.reset();
  (void)removeCheckpoint(files_, folder_);          // what stays behind is no checkpoint, and removed by the next start
}

Status CheckpointWriter::openData() {
  ASSIGN_OR_RETURN(data_, files_.create(joinPath(folder_, kDataName)));
  data_bytes_ = kDataHead.size();
  return data_->append(kDataHead);
}

Result<StoredBytes> CheckpointWriter::add(std::string_view bytes) {
  StoredBytes stored;
  stored.size_bytes = bytes.size();
  if (bytes.size() <= kInlineBytesMax) {
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

Status CheckpointWriter::finish(CheckpointManifest& manifest) {
  if (data_) {
    RETURN_IF_ERROR(THALWEG_FAILPOINT("checkpoint.data_written"));
    RETURN_IF_ERROR(data_->sync());
    RETURN_IF_ERROR(data_->close());
    data_.reset();
    manifest.files.insert(manifest.files.begin(), {std::string(kDataName), data_bytes_});
  }
  RETURN_IF_ERROR(THALWEG_FAILPOINT("checkpoint.before_manifest"));
  RETURN_IF_ERROR(writeManifest(encodeManifest(manifest)));
  finished_ = true;
  return {};
}

Status CheckpointWriter::writeManifest(const std::string& bytes) {
  const std::string hidden = joinPath(folder_, kHiddenManifestName);
  ASSIGN_OR_RETURN(const auto file, files_.create(hidden));
  RETURN_IF_ERROR(file->append(bytes));
  RETURN_IF_ERROR(file->sync());
  RETURN_IF_ERROR(file->close());
  // The folder must be found again, and its data in it, before the manifest says so.
  RETURN_IF_ERROR(files_.syncFolder(folder_));
  for (const std::string& parent : parents_) RETURN_IF_ERROR(files_.syncFolder(parent));
  RETURN_IF_ERROR(THALWEG_FAILPOINT("checkpoint.manifest_written"));
  RETURN_IF_ERROR(files_.rename(hidden, joinPath(folder_, kManifestName)));
  RETURN_IF_ERROR(THALWEG_FAILPOINT("checkpoint.renamed"));
  return files_.syncFolder(folder_);
}

}  // namespace thalweg
