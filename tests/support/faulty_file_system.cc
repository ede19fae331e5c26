#include "tests/support/faulty_file_system.h"

namespace thalweg::testing {
namespace {

const char* wordsOf(Fault fault) {
  switch (fault) {
    case Fault::NONE: return "";
    case Fault::DISK_FULL: return "No space left on device";
    case Fault::SYNC_FAILS: return "Input/output error";
    case Fault::READ_ONLY: return "Read-only file system";
    case Fault::DENIED: return "Permission denied";
  }
  return "";
}

class FaultyFile final : public WritableFile {
 public:
  FaultyFile(FaultyFileSystem& files, std::string path, std::unique_ptr<WritableFile> file)
      : files_(files), path_(std::move(path)), file_(std::move(file)) {}
  Status append(std::string_view bytes) override {
    RETURN_IF_ERROR(files_.check(Fault::DISK_FULL, "write to", path_));
    return file_->append(bytes);
  }
  Status sync() override {
    RETURN_IF_ERROR(files_.check(Fault::SYNC_FAILS, "sync", path_));
    return file_->sync();
  }
  Status close() override { return file_->close(); }

 private:
  FaultyFileSystem& files_;
  const std::string path_;
  std::unique_ptr<WritableFile> file_;
};

}  // namespace

Status FaultyFileSystem::check(Fault fault, const std::string& action, const std::string& path) {
  if (fault_.load() != fault || left_.fetch_sub(1) > 0) return {};
  failed_.fetch_add(1);
  return Status::io("cannot " + action + " '" + path + "': " + wordsOf(fault));
}

Status FaultyFileSystem::checkChange(const std::string& action, const std::string& path) {
  RETURN_IF_ERROR(check(Fault::READ_ONLY, action, path));
  return check(Fault::DENIED, action, path);
}

Result<std::unique_ptr<WritableFile>> FaultyFileSystem::create(const std::string& path) {
  RETURN_IF_ERROR(checkChange("create", path));
  ASSIGN_OR_RETURN(auto file, files_.create(path));
  return std::unique_ptr<WritableFile>(std::make_unique<FaultyFile>(*this, path, std::move(file)));
}

Result<std::unique_ptr<WritableFile>> FaultyFileSystem::reopen(const std::string& path, int64_t size_bytes) {
  RETURN_IF_ERROR(checkChange("open", path));
  ASSIGN_OR_RETURN(auto file, files_.reopen(path, size_bytes));
  return std::unique_ptr<WritableFile>(std::make_unique<FaultyFile>(*this, path, std::move(file)));
}

Status FaultyFileSystem::createFolders(const std::string& folder) {
  if (!files_.stat(folder).isOk()) RETURN_IF_ERROR(checkChange("create", folder));
  return files_.createFolders(folder);
}

Status FaultyFileSystem::rename(const std::string& from, const std::string& to) {
  RETURN_IF_ERROR(checkChange("rename", from));
  return files_.rename(from, to);
}

Status FaultyFileSystem::link(const std::string& from, const std::string& to) {
  RETURN_IF_ERROR(checkChange("link to", from));
  return files_.link(from, to);
}

Status FaultyFileSystem::remove(const std::string& path) {
  RETURN_IF_ERROR(checkChange("remove", path));
  return files_.remove(path);
}

Status FaultyFileSystem::syncFolder(const std::string& folder) {
  RETURN_IF_ERROR(check(Fault::SYNC_FAILS, "sync", folder));
  return files_.syncFolder(folder);
}

}  // namespace thalweg::testing
