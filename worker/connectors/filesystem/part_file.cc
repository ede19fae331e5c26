#include "worker/connectors/filesystem/part_file.h"

#include "common/base/failpoint.h"
#include "common/fs/durable_folders.h"

namespace thalweg::worker {
namespace {

constexpr size_t kBufferBytesMax = size_t{256} << 10;

}  // namespace

Result<std::unique_ptr<PartFile>> PartFile::create(FileSystem& files, const std::string& folder, const std::string& name, int64_t now_ms) {
  RETURN_IF_ERROR(createFoldersDurably(files, folder));
  PendingPart paths{joinPath(folder, "." + name + ".inprogress"), joinPath(folder, name)};
  ASSIGN_OR_RETURN(auto file, files.create(paths.hidden_path));
  return std::unique_ptr<PartFile>(new PartFile(files, std::move(paths), std::move(file), now_ms));
}

Result<std::unique_ptr<PartFile>> PartFile::resume(FileSystem& files, PendingPart paths, int64_t size_bytes, int64_t created_ms, int64_t now_ms) {
  if (THALWEG_MUTANT("append_without_cut")) {
    ASSIGN_OR_RETURN(const FileInfo found, files.stat(paths.hidden_path));
    size_bytes = found.size_bytes;
  }
  Result<std::unique_ptr<WritableFile>> file = files.reopen(paths.hidden_path, size_bytes);
  if (file.status().code() == StatusCode::NOT_FOUND) {
    return Status::io("cannot go on writing '" + paths.hidden_path + "': the file that was being written when the checkpoint was taken is gone");
  }
  RETURN_IF_ERROR(file.status());
  std::unique_ptr<PartFile> part(new PartFile(files, std::move(paths), *std::move(file), created_ms));
  part->size_bytes_ = size_bytes;
  part->last_written_ms_ = now_ms;
  part->persisted_ = true;
  return part;
}

Result<int64_t> PartFile::persist() {
  RETURN_IF_ERROR(writeOut());
  RETURN_IF_ERROR(file_->sync());
  if (!persisted_) RETURN_IF_ERROR(files_.syncFolder(folderOf(paths_.hidden_path)));
  persisted_ = true;
  return size_bytes_;
}

Status PartFile::written(int64_t now_ms) {
  last_written_ms_ = now_ms;
  return buffer_.size() < kBufferBytesMax ? Status() : writeOut();
}

Status PartFile::writeOut() {
  RETURN_IF_ERROR(file_->append(buffer_));
  size_bytes_ += static_cast<int64_t>(buffer_.size());
  buffer_.clear();
  return {};
}

Result<PendingPart> PartFile::finish() {
  RETURN_IF_ERROR(writeOut());
  RETURN_IF_ERROR(file_->sync());
  RETURN_IF_ERROR(file_->close());
  file_.reset();
  if (!persisted_) RETURN_IF_ERROR(files_.syncFolder(folderOf(paths_.hidden_path)));   // a checkpoint will name it
  return paths_;
}

void PartFile::abandon() {
  file_.reset();
  if (persisted_) return;
  (void)files_.remove(paths_.hidden_path);  // a hidden file that stays behind is never read
}

}  // namespace thalweg::worker
