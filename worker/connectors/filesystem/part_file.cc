#include "worker/connectors/filesystem/part_file.h"

namespace thalweg::worker {
namespace {

constexpr size_t kBufferBytesMax = size_t{256} << 10;

}  // namespace

Result<std::unique_ptr<PartFile>> PartFile::create(FileSystem& files, const std::string& folder, const std::string& name, int64_t now_ms) {
  RETURN_IF_ERROR(files.createFolders(folder));
  PendingPart paths{joinPath(folder, "." + name + ".inprogress"), joinPath(folder, name)};
  ASSIGN_OR_RETURN(auto file, files.create(paths.hidden_path));
  return std::unique_ptr<PartFile>(new PartFile(files, std::move(paths), std::move(file), now_ms));
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
  return paths_;
}

void PartFile::discard() {
  file_.reset();
  (void)files_.remove(paths_.hidden_path);  // a hidden file that stays behind is never read
}

}  // namespace thalweg::worker
