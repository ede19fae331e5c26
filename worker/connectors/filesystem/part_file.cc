#include "worker/connectors/filesystem/part_file.h"

#include <algorithm>

#include "common/base/failpoint.h"
#include "common/fs/durable_folders.h"

namespace thalweg::worker {
namespace {

constexpr size_t kBufferBytesMax = size_t{256} << 10;

}  // namespace

Result<std::unique_ptr<PartFile>> PartFile::create(FileSystem& files, const std::string& folder, const std::string& name,
                                                   const std::string& compression, int64_t now_ms) {
  ASSIGN_OR_RETURN(auto compressor, makeCompressor(compression));
  RETURN_IF_ERROR(createFoldersDurably(files, folder));
  PendingPart paths{joinPath(folder, "." + name + ".inprogress"), joinPath(folder, name)};
  if (compressor) paths.final_path += compressor->fileEnding();
  ASSIGN_OR_RETURN(auto file, files.create(paths.hidden_path));
  return std::unique_ptr<PartFile>(new PartFile(files, std::move(paths), std::move(file), std::move(compressor), now_ms));
}

Result<std::unique_ptr<PartFile>> PartFile::resume(FileSystem& files, const Resumed& old, const std::string& name, const std::string& compression,
                                                   int64_t now_ms) {
  const Result<std::unique_ptr<ReadableFile>> source = files.openForReading(old.hidden_path);
  if (source.status().code() == StatusCode::NOT_FOUND) {
    return Status::io("cannot go on writing '" + old.hidden_path + "': the file that was being written when the checkpoint was taken is gone");
  }
  RETURN_IF_ERROR(source.status());
  const int64_t size_bytes = THALWEG_MUTANT("append_without_cut") ? (*source)->sizeBytes() : old.size_bytes;
  ASSIGN_OR_RETURN(std::unique_ptr<PartFile> part, create(files, folderOf(old.hidden_path), name, compression, old.created_ms));
  std::string piece;
  for (int64_t offset = 0; offset < size_bytes;) {
    piece.resize(static_cast<size_t>(std::min(size_bytes - offset, static_cast<int64_t>(kBufferBytesMax))));
    ASSIGN_OR_RETURN(const size_t got, (*source)->readAt(offset, {reinterpret_cast<uint8_t*>(piece.data()), piece.size()}));
    if (got == 0) {
      return Status::io("cannot go on writing '" + old.hidden_path + "': it has " + std::to_string(offset) + " bytes, and " + std::to_string(size_bytes) +
                        " were on the disk when the checkpoint was taken");
    }
    piece.resize(got);
    offset += static_cast<int64_t>(got);
    RETURN_IF_ERROR(part->append(piece));
  }
  part->last_written_ms_ = now_ms;
  return part;
}

Result<int64_t> PartFile::persist() {
  RETURN_IF_ERROR(syncAll());
  if (!persisted_) RETURN_IF_ERROR(files_.syncFolder(folderOf(paths_.hidden_path)));
  persisted_ = true;
  return size_bytes_;
}

Status PartFile::written(int64_t now_ms) {
  last_written_ms_ = now_ms;
  return buffer_.size() < kBufferBytesMax ? Status() : writeOut();
}

Status PartFile::writeOut() {
  if (!compressor_) {
    RETURN_IF_ERROR(append(buffer_));
  } else {
    std::string packed;
    RETURN_IF_ERROR(compressor_->append(buffer_, packed));
    RETURN_IF_ERROR(append(packed));
  }
  buffer_.clear();
  return {};
}

Status PartFile::syncAll() {
  RETURN_IF_ERROR(writeOut());
  if (compressor_) {
    std::string packed;
    RETURN_IF_ERROR(compressor_->endPiece(packed));
    RETURN_IF_ERROR(append(packed));
  }
  return THALWEG_MUTANT("part_not_synced") ? Status() : file_->sync();
}

Status PartFile::append(std::string_view bytes) {
  RETURN_IF_ERROR(file_->append(bytes));
  size_bytes_ += static_cast<int64_t>(bytes.size());
  return {};
}

Result<PendingPart> PartFile::finish() {
  RETURN_IF_ERROR(syncAll());
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
