#include "client/testing/unsynced_file_system.h"

namespace thalweg::testing {
namespace {

class UnsyncedFile final : public WritableFile {
 public:
  explicit UnsyncedFile(std::unique_ptr<WritableFile> file) : file_(std::move(file)) {}
  Status append(std::string_view bytes) override { return file_->append(bytes); }
  Status sync() override { return {}; }
  Status close() override { return file_->close(); }

 private:
  std::unique_ptr<WritableFile> file_;
};

class UnsyncedFileSystem final : public FileSystem {
 public:
  Result<FileInfo> stat(const std::string& path) override { return files_.stat(path); }
  Result<std::vector<FileInfo>> list(const std::string& folder) override { return files_.list(folder); }
  Result<std::unique_ptr<ReadableFile>> openForReading(const std::string& path) override { return files_.openForReading(path); }
  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override {
    ASSIGN_OR_RETURN(auto file, files_.create(path));
    return std::unique_ptr<WritableFile>(std::make_unique<UnsyncedFile>(std::move(file)));
  }
  Result<std::unique_ptr<WritableFile>> reopen(const std::string& path, int64_t size_bytes) override {
    ASSIGN_OR_RETURN(auto file, files_.reopen(path, size_bytes));
    return std::unique_ptr<WritableFile>(std::make_unique<UnsyncedFile>(std::move(file)));
  }
  Status createFolders(const std::string& folder) override { return files_.createFolders(folder); }
  Status rename(const std::string& from, const std::string& to) override { return files_.rename(from, to); }
  Status remove(const std::string& path) override { return files_.remove(path); }
  Status syncFolder(const std::string&) override { return {}; }

 private:
  FileSystem& files_ = localFileSystem();
};

}  // namespace

FileSystem& unsyncedFiles() {
  static UnsyncedFileSystem files;
  return files;
}

}  // namespace thalweg::testing
