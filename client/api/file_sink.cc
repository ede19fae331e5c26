#include "client/api/thalweg/file_sink.h"

#include <ctime>
#include <filesystem>

#include "client/api/thalweg/exception.h"
#include "common/fs/durable_folders.h"
#include "common/fs/file_system.h"

namespace thalweg::api {

struct PartFiles::Part {
  PendingFile names;
  std::unique_ptr<WritableFile> file;
  std::string buffer;
  int64_t bytes = 0;
};

namespace {
constexpr size_t kBufferBytes = size_t{1} << 16;
}

PartFiles::PartFiles(std::string folder, OutputFileConfig config, int64_t bytes_max, int subtask, int64_t now_ms)
    : folder_(std::filesystem::absolute(valueOrThrow(pathOfUrl(folder))).lexically_normal().string()), config_(std::move(config)), bytes_max_(bytes_max),
      number_prefix_(std::to_string(now_ms) + "-" + std::to_string(subtask) + "-") {}

/// What is not handed over belongs to no checkpoint.
PartFiles::~PartFiles() {
  for (const auto& [bucket, part] : open_) (void)localFileSystem().remove(part->names.from);
  for (const PendingFile& part : closed_) (void)localFileSystem().remove(part.from);
}

void PartFiles::append(const std::string& bucket, std::string_view bytes) {
  std::unique_ptr<Part>& part = open_[bucket];
  if (!part) {
    part = std::make_unique<Part>();
    const std::string folder = bucket.empty() ? folder_ : folder_ + "/" + bucket;
    const std::string name = config_.prefix + "-" + number_prefix_ + std::to_string(next_++) + config_.suffix;
    part->names = {folder + "/." + name + ".inprogress", folder + "/" + name};
    throwIfFailed(createFoldersDurably(localFileSystem(), folder));
    part->file = valueOrThrow(localFileSystem().create(part->names.from));
  }
  part->buffer += bytes;
  part->bytes += static_cast<int64_t>(bytes.size());
  if (part->buffer.size() >= kBufferBytes) {
    throwIfFailed(part->file->append(part->buffer));
    part->buffer.clear();
  }
  if (part->bytes >= bytes_max_) {
    close(*part);
    open_.erase(bucket);
  }
}

void PartFiles::close(Part& part) {
  throwIfFailed(part.file->append(part.buffer));
  throwIfFailed(part.file->sync());
  throwIfFailed(part.file->close());
  throwIfFailed(localFileSystem().syncFolder(std::filesystem::path(part.names.from).parent_path().string()));      // a checkpoint will name it
  closed_.push_back(part.names);
}

std::vector<PendingFile> PartFiles::roll() {
  for (const auto& [bucket, part] : open_) close(*part);
  open_.clear();
  return std::exchange(closed_, {});
}

void PendingFileCommitter::commit(const std::vector<PendingFile>& files) {
  for (const PendingFile& file : files) {
    const Status renamed = localFileSystem().rename(file.from, file.to);
    // Committed by an earlier attempt already?
    if (!renamed.isOk() && !localFileSystem().stat(file.to).isOk()) throwIfFailed(renamed);
    throwIfFailed(localFileSystem().syncFolder(std::filesystem::path(file.to).parent_path().string()));
  }
}

std::string hourBucket(int64_t now_ms) {
  const auto seconds = static_cast<std::time_t>(now_ms / 1000);
  std::tm parts{};
  localtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%d--%H", &parts);
  return text;
}

}  // namespace thalweg::api
