#include "common/checkpoint/checkpoint_reader.h"

#include "common/base/hash.h"
#include "common/checkpoint/checkpoint_folder.h"
#include "common/fs/whole_file.h"

namespace thalweg {

namespace {

constexpr int64_t kManifestBytesMax = int64_t{1} << 30;

Result<std::string> readManifest(FileSystem& files, const std::string& path) {
  ASSIGN_OR_RETURN(const auto file, files.openForReading(path));
  if (file->sizeBytes() > kManifestBytesMax) {
    return Status::invalid("'" + path + "' has " + std::to_string(file->sizeBytes()) + " bytes, more than a manifest may have");
  }
  return readWhole(*file);
}

}  // namespace

Result<CheckpointReader> CheckpointReader::open(FileSystem& files, const std::string& path) {
  ASSIGN_OR_RETURN(std::string folder, pathOfUrl(path));
  if (fileNameOf(folder) == kManifestName) folder = folderOf(folder);
  const std::string manifest_path = joinPath(folder, kManifestName);
  Result<std::string> bytes = readManifest(files, manifest_path);
  if (bytes.status().code() == StatusCode::NOT_FOUND) {
    return Status::notFound("'" + folder + "' holds no checkpoint or savepoint: there is no file " + std::string(kManifestName) + " in it");
  }
  RETURN_IF_ERROR(bytes.status());
  Result<CheckpointManifest> manifest = decodeManifest(*bytes);
  if (!manifest.isOk()) return manifest.status().withContext(manifest_path);
  return CheckpointReader(files, std::move(folder), *std::move(manifest));
}

std::string CheckpointReader::pathOf(int64_t file) const {
  const std::string& path = manifest_.files[static_cast<size_t>(file)].path;
  return path.starts_with('/') ? path : joinPath(folder_, path);
}

Result<std::string> CheckpointReader::pathOfWhole(int64_t file) {
  std::string path = pathOf(file);
  ASSIGN_OR_RETURN(const FileInfo found, files_->stat(path));
  const uint64_t size = manifest_.files[static_cast<size_t>(file)].size_bytes;
  if (static_cast<uint64_t>(found.size_bytes) != size) {
    return Status::invalid("'" + path + "' is damaged: expected " + std::to_string(size) + " bytes, and it has " + std::to_string(found.size_bytes));
  }
  return path;
}

Result<std::string> CheckpointReader::read(const StoredBytes& stored) {
  if (stored.file == StoredBytes::kInline) return stored.inlined;
  const std::string path = pathOf(stored.file);
  auto& file = open_[stored.file];
  if (!file) {
    ASSIGN_OR_RETURN(file, files_->openForReading(path));
  }
  std::string bytes;
  if (file->sizeBytes() >= 0 && stored.size_bytes <= static_cast<uint64_t>(file->sizeBytes())) {
    bytes.resize(stored.size_bytes);
    ASSIGN_OR_RETURN(const size_t got, file->readAt(static_cast<int64_t>(stored.offset), {reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()}));
    bytes.resize(got);
  }
  if (bytes.size() != stored.size_bytes) {
    return Status::invalid("'" + path + "' is cut short: expected " + std::to_string(stored.size_bytes) + " bytes from " +
                           std::to_string(stored.offset) + " on, and the file has " + std::to_string(file->sizeBytes()));
  }
  if (hashBytes(bytes) != stored.hash) {
    return Status::invalid("'" + path + "' is damaged: the checksum of its bytes from " + std::to_string(stored.offset) + " on does not match");
  }
  return bytes;
}

}  // namespace thalweg
