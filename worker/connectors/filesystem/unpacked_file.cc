#include "worker/connectors/filesystem/unpacked_file.h"

#include <algorithm>

#include "common/fs/decompressed_file.h"

namespace thalweg::worker {
namespace {

class UnpackedFile final : public ReadableFile {
 public:
  UnpackedFile(FileSystem& files, std::string path, std::unique_ptr<DecompressedFile> content)
      : files_(files), path_(std::move(path)), content_(std::move(content)) {}

  int64_t sizeBytes() const override { return kUnknownBytes; }

  Result<size_t> readAt(int64_t offset, std::span<uint8_t> target) override {
    RETURN_IF_ERROR(goTo(offset));
    size_t filled = 0;
    while (filled < target.size() && position_ == offset + static_cast<int64_t>(filled)) {
      ASSIGN_OR_RETURN(const size_t got, content_->read(target.subspan(filled)));
      if (got == 0) break;
      filled += got;
      position_ += static_cast<int64_t>(got);
    }
    return filled;
  }

 private:
  Status goTo(int64_t offset) {
    if (offset < position_) {
      ASSIGN_OR_RETURN(content_, openDecompressed(files_, path_));
      position_ = 0;
    }
    if (offset == position_) return {};
    std::vector<uint8_t> skipped(kSkipBytes);
    while (position_ < offset) {
      const size_t wanted = std::min(skipped.size(), static_cast<size_t>(offset - position_));
      ASSIGN_OR_RETURN(const size_t got, content_->read({skipped.data(), wanted}));
      if (got == 0) return {};            // behind the end there is nothing
      position_ += static_cast<int64_t>(got);
    }
    return {};
  }

  static constexpr size_t kSkipBytes = size_t{256} << 10;

  FileSystem& files_;
  std::string path_;
  std::unique_ptr<DecompressedFile> content_;
  int64_t position_ = 0;
};

}  // namespace

Result<std::unique_ptr<ReadableFile>> openUnpacked(FileSystem& files, const std::string& path) {
  ASSIGN_OR_RETURN(auto content, openDecompressed(files, path));
  if (!content) return files.openForReading(path);
  return std::unique_ptr<ReadableFile>(std::make_unique<UnpackedFile>(files, path, std::move(content)));
}

}  // namespace thalweg::worker
